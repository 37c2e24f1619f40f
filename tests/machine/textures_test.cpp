// Textures and surfaces against the programming guide. Where texels are a sum of multiples of their coordinates, values
// between them are, too: in texel i the sum is at i + 1/2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "loaded.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

using machine::Fault, machine::Texture, testing::ElementsAre, testing::HasSubstr;
using Kind = isa::Type::Kind;
using Outside = Texture::Outside;
using Floats = std::vector<float>;

/// A kernel of a single thread with an object %o, three floats %x, %y, %z, the same as whole numbers %i, %j, %k, and
/// four results, %f and as bits %r.
machine::Machine kernel_of(const Loaded& loaded, const std::string& body) {
  const auto module = ptx::read_ptx(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry each(.param .u64 o, .param .f32 x, .param .f32 y, .param .f32 z, .param .u64 out) {
  .reg .b64 %o, %p;
  .reg .f32 %x, %y, %z, %f<4>;
  .reg .b32 %i, %j, %k, %r<4>;
  .reg .b16 %h<4>;
  ld.param.u64 %o, [o];
  ld.param.f32 %x, [x];
  ld.param.f32 %y, [y];
  ld.param.f32 %z, [z];
  ld.param.u64 %p, [out];
  cvt.rzi.s32.f32 %i, %x; cvt.rzi.s32.f32 %j, %y; cvt.rzi.s32.f32 %k, %z;
)" + body + "\nret;\n}\n",
                                    "textures_test.ptx");
  return {ptx::executable_program(module, "each"), loaded.variables};
}

class Textures : public testing::Test {
 protected:
  /// Floats in rows and planes, as a texture with default sampling.
  template <class T>
  Texture texture_of(const std::vector<T>& texels, std::array<std::int64_t, 3> size, int channels, isa::Type channel) {
    Texture made;
    made.data = reinterpret_cast<std::uintptr_t>(loaded.array(texels));
    made.size = size;
    made.channels = channels;
    made.channel = channel;
    made.row_bytes = size[0] * made.texel_bytes();
    made.plane_bytes = made.row_bytes * size[1];
    return made;
  }
  /// Texel (i, j, k) is i + 10 j + 100 k.
  Texture sums_of(std::array<std::int64_t, 3> size) {
    Floats texels;
    for (std::int64_t k = 0; k < size[2]; ++k)
      for (std::int64_t j = 0; j < size[1]; ++j)
        for (std::int64_t i = 0; i < size[0]; ++i) texels.push_back(static_cast<float>(i + 10 * j + 100 * k));
    auto made = texture_of(texels, size, 1, {Kind::Float, 32});
    made.interpolates = true;
    return made;
  }

  std::vector<std::uint32_t> run(const std::string& body, std::uint64_t object, float x, float y = 0, float z = 0) {
    auto* const out = loaded.array(std::vector<std::uint32_t>(4));
    machine::Launch launch;
    launch.arguments = arguments(object, x, y, z, out);
    kernel_of(loaded, body).run(launch, loaded.memory);
    return {out, out + 4};
  }
  Floats read(const std::string& instruction, const Texture& texture, float x, float y = 0, float z = 0) {
    const auto object = loaded.memory.add_texture(texture);
    Floats made;
    for (const auto bits : run(instruction + "\nst.global.v4.f32 [%p], {%f0, %f1, %f2, %f3};", object, x, y, z))
      made.push_back(std::bit_cast<float>(bits));
    return made;
  }
  Fault fault_of(const std::string& body, std::uint64_t object, float x = 0, float y = 0) {
    try {
      run(body, object, x, y);
    } catch (const Fault& fault) {
      return fault;
    }
    ADD_FAILURE() << "no fault";
    return {Fault::Kind::Launch, ""};
  }

  Loaded loaded;
  const std::string one = "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%o, {%x}];";
  const std::string two = "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%o, {%x, %y}];";
  const std::string three = "tex.3d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%o, {%x, %y, %z, %z}];";
};

TEST_F(Textures, LieBetweenTheirTexels) {
  const auto texture = sums_of({5, 3, 4});
  EXPECT_EQ(read(one, texture, 2.5F)[0], 2);
  EXPECT_EQ(read(one, texture, 3.0F)[0], 2.5F);
  EXPECT_EQ(read(two, texture, 1.75F, 2.0F)[0], 1.25F + 10 * 1.5F);
  EXPECT_EQ(read(three, texture, 1.75F, 2.0F, 3.25F)[0], 1.25F + 10 * 1.5F + 100 * 2.75F);
}

TEST_F(Textures, HaveWeightsOfEightBits) {
  // A way of 1/512 behind the middle of a texel is rounded to 0 or 1/256; of 3/1024 to 1/256.
  EXPECT_EQ(read(one, sums_of({5, 1, 1}), 2.5F + 1.0F / 1024)[0], 2);
  EXPECT_EQ(read(one, sums_of({5, 1, 1}), 2.5F + 3.0F / 1024)[0], 2 + 1.0F / 256);
}

TEST_F(Textures, TakeTheNearestTexelWhereTheyAreNotFiltered) {
  auto texture = sums_of({5, 3, 1});
  texture.interpolates = false;
  EXPECT_EQ(read(two, texture, 2.99F, 1.0F)[0], 2 + 10);
  EXPECT_EQ(read(two, texture, -7.0F, 99.0F)[0], 0 + 20);
}

TEST_F(Textures, GoOnBeyondTheirEdgesAsTheySay) {
  auto texture = sums_of({4, 1, 1});
  texture.border = {9, 0, 0, 0};
  const auto beyond = [&](Outside outside, bool normalised, float x) {
    texture.outside = {outside, outside, outside};
    texture.is_normalised = normalised;
    return read(one, texture, x)[0];
  };
  // At 0 halfway between texel 0 and its predecessor; at 4.5 texel 4; by coordinates up to 1 a quarter of these.
  EXPECT_EQ(beyond(Outside::Clamp, false, 0), 0);
  EXPECT_EQ(beyond(Outside::Clamp, false, 4.5F), 3);
  EXPECT_EQ(beyond(Outside::Border, false, 0), 4.5F);
  EXPECT_EQ(beyond(Outside::Border, false, 4.5F), 9);
  EXPECT_EQ(beyond(Outside::Wrap, true, 0), 1.5F);
  EXPECT_EQ(beyond(Outside::Wrap, true, 4.5F / 4), 0);
  EXPECT_EQ(beyond(Outside::Wrap, true, -1 + 1.5F / 4), 1);
  EXPECT_EQ(beyond(Outside::Mirror, true, 0), 0);
  EXPECT_EQ(beyond(Outside::Mirror, true, 5.5F / 4), 2);
  EXPECT_EQ(beyond(Outside::Mirror, true, 8.5F / 4), 0);
  // Without coordinates up to 1 there is no wrap.
  EXPECT_EQ(beyond(Outside::Wrap, false, 4.5F), 3);
}

TEST_F(Textures, HaveChannelsOfAllTypes) {
  const std::vector<std::uint8_t> bytes{255, 51, 0, 128};
  auto texture = texture_of(bytes, {1, 1, 1}, 4, {Kind::Unsigned, 8});
  texture.reads_fractions = true;
  EXPECT_THAT(read(one, texture, 0.5F), ElementsAre(1, 0.2F, 0, 128 / 255.0F));
  texture.channel = {Kind::Signed, 8};
  EXPECT_THAT(read(one, texture, 0.5F), ElementsAre(-1 / 127.0F, 51 / 127.0F, 0, -1));
  const std::vector<std::uint16_t> halves{0x3c00, 0xc200};
  EXPECT_THAT(read(one, texture_of(halves, {1, 1, 1}, 2, {Kind::Float, 16}), 0.5F), ElementsAre(1, -3, 0, 0));
  texture.reads_fractions = false;
  const auto whole =
      run("tex.1d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%o, {%i}]; st.global.v4.b32 [%p], {%r0, %r1, %r2, %r3};",
          loaded.memory.add_texture(texture), 0);
  EXPECT_THAT(whole, ElementsAre(0xffffffff, 51U, 0U, 0xffffff80));
}

TEST_F(Textures, AreZeroBeyondWholeCoordinates) {
  const std::string fetch = "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%o, {%i}];";
  EXPECT_EQ(read(fetch, sums_of({4, 1, 1}), 3)[0], 3);
  EXPECT_EQ(read(fetch, sums_of({4, 1, 1}), 4)[0], 0);
  EXPECT_EQ(read(fetch, sums_of({4, 1, 1}), -1)[0], 0);
}

TEST_F(Textures, HaveLayersThatAreNotMixed) {
  const std::string layered = "tex.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%o, {%k, %x, %y, %y}];";
  EXPECT_EQ(read(layered, sums_of({5, 3, 4}), 1.75F, 2.0F, 2)[0], 1.25F + 10 * 1.5F + 200);
  EXPECT_EQ(read(layered, sums_of({5, 3, 4}), 1.75F, 2.0F, 7)[0], 1.25F + 10 * 1.5F + 300);
}

TEST_F(Textures, GiveFourTexelsAround) {
  // Around (2, 1) lie the texels 1 and 2 of the rows 0 and 1.
  EXPECT_THAT(read("tld4.r.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%o, {%x, %y}];", sums_of({5, 3, 1}), 2.0F, 1.0F),
              ElementsAre(11, 12, 2, 1));
}

TEST_F(Textures, OfNoObjectAreErrors) {
  const auto fault = fault_of(two, 77);
  EXPECT_EQ(fault.kind, Fault::Kind::OutOfBounds);
  EXPECT_THAT(fault.what(), HasSubstr("no texture or surface object 0x4d"));
}

TEST_F(Textures, OfMemoryThatIsGoneAreErrors) {
  const auto texture = sums_of({5, 3, 1});
  const auto object = loaded.memory.add_texture(texture);
  loaded.memory.free(texture.data);
  EXPECT_THAT(fault_of(two, object).what(), HasSubstr("is not there any more"));
}

TEST_F(Textures, OfCubesAreRefused) {
  const auto object = loaded.memory.add_texture(sums_of({4, 4, 6}));
  const auto fault = fault_of("tex.cube.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%o, {%x, %y, %z, %z}];", object);
  EXPECT_EQ(fault.kind, Fault::Kind::NotSupported);
  EXPECT_THAT(fault.what(), HasSubstr("tex.cube"));
}

TEST_F(Textures, AsSurfacesAreWrittenByBytes) {
  const auto surface = sums_of({4, 3, 1});
  const auto object = loaded.memory.add_texture(surface);
  const auto* const texels = reinterpret_cast<const float*>(surface.data);
  run("mov.b32 %r0, 0x42280000; sust.b.2d.b32.trap [%o, {%i, %j}], {%r0};", object, 8, 1);
  EXPECT_EQ(texels[1 * 4 + 2], 42);
  const auto two_of_them =
      run("suld.b.2d.v2.b32.trap {%r0, %r1}, [%o, {%i, %j}]; st.global.v2.b32 [%p], {%r0, %r1};", object, 8, 1);
  EXPECT_EQ(std::bit_cast<float>(two_of_them[0]), 42);
  EXPECT_EQ(std::bit_cast<float>(two_of_them[1]), 13);
}

TEST_F(Textures, AsSurfacesEndAtTheirEdgesAsAnInstructionSays) {
  const auto surface = sums_of({4, 3, 1});
  const auto object = loaded.memory.add_texture(surface);
  const auto load = [&](const std::string& way) {
    const auto bits = run("suld.b.2d.b32." + way + " {%r0}, [%o, {%i, %j}]; st.global.b32 [%p], %r0;", object, 16, 5);
    return std::bit_cast<float>(bits[0]);
  };
  EXPECT_EQ(load("clamp"), 3 + 20);
  EXPECT_EQ(load("zero"), 0);
  const auto fault = fault_of("sust.b.2d.b32.trap [%o, {%i, %j}], {%r0};", object, 16, 2);
  EXPECT_EQ(fault.kind, Fault::Kind::OutOfBounds);
  EXPECT_THAT(fault.what(), HasSubstr("coordinate 0 of a surface is 16, where it may be 0 to 12"));
  EXPECT_EQ(fault_of("sust.b.2d.b32.trap [%o, {%i, %j}], {%r0};", object, 6, 2).kind, Fault::Kind::Misaligned);
}

}  // namespace
}  // namespace warpipe::test
