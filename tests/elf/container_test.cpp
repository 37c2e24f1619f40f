#include "warpipe/elf/container.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_object.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::test {
namespace {

using elf::Kind;
using Packing = elf::Piece::Packing;
using testing::ElementsAre;
using testing::FieldsAre;

const std::string kFat = fat_binary(fat_piece(2, 80, 0x11, "machine code") + fat_piece(1, 90, 0x2011, "packed"));

TEST(Container, IsKnownByHowItBegins) {
  EXPECT_EQ(elf::kind_of(small_object(190, 0, {})), Kind::Cubin);
  EXPECT_EQ(elf::kind_of(small_object(224, 0, {})), Kind::CodeObject);
  EXPECT_EQ(elf::kind_of(small_object(62, 0, {})), Kind::Other);
  EXPECT_EQ(elf::kind_of(kFat), Kind::FatBinary);
  EXPECT_EQ(elf::kind_of("__CLANG_OFFLOAD_BUNDLE__"), Kind::Bundle);
  EXPECT_EQ(elf::kind_of(".version 8.0"), Kind::None);
  EXPECT_EQ(elf::kind_of("\x7f"
                         "ELF"),
            Kind::Other);
}

// The layout as nvcc 13 writes it, with and without --no-compress.
TEST(Container, FatBinaryHasPieces) {
  const auto expected = ElementsAre(FieldsAre("sm_80", true, Packing::None, "machine code", 12U, 0U),
                                    FieldsAre("sm_90", false, Packing::Lz4, "packed", 6U, 0U));
  EXPECT_THAT(elf::read_pieces(kFat, "a.fatbin"), expected);
  const auto host = small_object(62, 0, {{".nv_fatbin", 1, 0, 0, kFat}});
  EXPECT_THAT(elf::read_pieces(host, "a.o"), expected) << "in an object of the host";
}

// The layout by the documentation of clang's offload bundler.
TEST(Container, BundleHasPieces) {
  const std::string host = "host-x86_64-unknown-linux-gnu-", gfx = "hipv4-amdgcn-amd-amdhsa--gfx942:xnack-";
  const std::uint64_t code_at = 24 + 8 + 2 * 24 + host.size() + gfx.size();
  ByteText text;
  text.add("__CLANG_OFFLOAD_BUNDLE__").add(std::uint64_t{2});
  text.add(code_at).add(std::uint64_t{0}).add(std::uint64_t{host.size()}).add(host);
  text.add(code_at).add(std::uint64_t{4}).add(std::uint64_t{gfx.size()}).add(gfx).add("code");
  EXPECT_THAT(elf::read_pieces(text.text, "a.hipfb"),
              ElementsAre(FieldsAre("gfx942", true, Packing::None, "code", 0U, 0U)));
}

TEST(Container, CodeOfNvidiaRunsOnLaterDevicesOfItsGeneration) {
  EXPECT_TRUE(elf::runs_on("sm_80", "sm_80"));
  EXPECT_TRUE(elf::runs_on("sm_80", "sm_86"));
  EXPECT_FALSE(elf::runs_on("sm_86", "sm_80"));
  EXPECT_FALSE(elf::runs_on("sm_75", "sm_80"));
  EXPECT_TRUE(elf::runs_on("gfx90a", "gfx90a"));
  EXPECT_FALSE(elf::runs_on("gfx90a", "gfx942"));
  EXPECT_FALSE(elf::runs_on("sm_80", "gfx942"));
  EXPECT_FALSE(elf::runs_on("sm_", "sm_80"));
}

TEST(Container, PieceOfADeviceIsTheLatestThatItRuns) {
  const std::vector<elf::Piece> pieces{{"gfx90a", true, {}, ""}, {"sm_75", true, {}, ""},  {"sm_86", true, {}, ""},
                                       {"sm_80", true, {}, ""},  {"sm_90", false, {}, ""}, {"gfx942", true, {}, ""}};
  const auto chosen = [&](const std::string& start, const std::string& device) {
    return elf::piece_for(pieces, start, device)->target;
  };
  EXPECT_EQ(chosen("sm_", "sm_75"), "sm_75");
  EXPECT_EQ(chosen("sm_", "sm_80"), "sm_80");
  EXPECT_EQ(chosen("sm_", "sm_86"), "sm_86");
  EXPECT_EQ(chosen("sm_", "sm_89"), "sm_86");
  EXPECT_EQ(chosen("sm_", "sm_90"), "sm_75") << "none runs there (its own is PTX): the first";
  EXPECT_EQ(chosen("sm_", ""), "sm_75");
  EXPECT_EQ(chosen("gfx", "gfx942"), "gfx942");
  EXPECT_EQ(chosen("gfx", "gfx1100"), "gfx90a");
  EXPECT_EQ(elf::piece_for({}, "sm_", "sm_80"), nullptr);
}

TEST(Container, CompressedBundleIsRefusedWithTheWayOut) {
  const std::string packed = "CCOB" + std::string(64, '\1');
  EXPECT_EQ(elf::kind_of(packed), Kind::Bundle);
  try {
    elf::read_pieces(small_object(62, 0, {{".hip_fatbin", 1, 0, 0, packed}}), "a.o");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("--no-offload-compress"));
  }
}

TEST(Container, WithoutCodeIsRefused) {
  const auto host = small_object(62, 0, {});
  EXPECT_THROW(elf::read_pieces(host, "ls"), InputError);
  EXPECT_THROW(elf::read_pieces("text", "a"), InputError);
  for (std::size_t size = 17; size < kFat.size(); ++size) {
    const auto cut = kFat.substr(0, size);
    EXPECT_THROW(elf::read_pieces(cut, "a.fatbin"), InputError) << size;
  }
}

}  // namespace
}  // namespace warpipe::test
