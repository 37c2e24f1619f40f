// Slow paths of roots and angles of unknown numbers, as nvcc writes them into PTX: no lane takes them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "small_ptx.hpp"

namespace warpipe::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

ptx::Import import_text(const std::string& before, const std::string& body) {
  auto text = entry_with(body);
  text.insert(text.find(".visible"), before);
  return ptx::import_ptx(ptx::read_ptx(text, "k.ptx"), one_warp());
}

const std::string kLoaded = "ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1]; abs.f32 %f2, %f1;";
const std::string kEnd = "END: st.global.f32 [%rd1], %f1; ret;";

// A sine: beyond 105,615 a table is read in a loop, unless the angle is infinite.
TEST(SlowPathsOfPtx, OfASineAreTakenByNoLane) {
  const auto made = import_text(
      ".global .align 4 .b32 __cudart_i2opi_f[6] = {1, 2, 3, 4, 5, 6};\n",
      kLoaded +
          "setp.ltu.f32 %p1, %f2, 0f47CE4780; @%p1 bra END; setp.eq.f32 %p2, %f2, 0f7F800000; @%p2 bra INFINITE;" +
          "bra.uni HUGE; INFINITE: mul.rn.f32 %f1, %f1, 0f00000000; bra.uni END;" +
          "HUGE: mov.u32 %r1, 0; mov.u64 %rd2, __cudart_i2opi_f; LOOP: ld.global.nc.u32 %r2, [%rd2];" +
          "add.s64 %rd2, %rd2, 4; xor.b32 %r3, %r3, %r2; add.s32 %r1, %r1, 1; setp.ne.s32 %p3, %r1, 6; @%p3 bra LOOP;" +
          "mov.b32 %f1, %r3;" + kEnd);
  EXPECT_EQ(executed(made, "global.load"), 1);
  EXPECT_THAT(made.report.assumptions, testing::IsEmpty());
  EXPECT_THAT(made.report.notes, Contains(HasSubstr("no lane goes to the slow path")));
}

TEST(SlowPathsOfPtx, AreFunctionsByTheirNames) {
  const auto with_call_of = [](const std::string& name) {
    return import_text(".func (.param .b32 out) " + name +
                           "(.param .b32 in) { .reg .f32 %f<3>; ld.param.f32 %f1, [in]; rcp.approx.f32 %f2, %f1;"
                           " rcp.approx.f32 %f1, %f2; st.param.f32 [out], %f1; ret; }\n",
                       kLoaded + "setp.ltu.f32 %p1, %f2, 0f4F000000; @%p1 bra END; { .param .b32 a; .param .b32 b;" +
                           "st.param.f32 [a], %f1; call.uni (b), " + name + ", (a); ld.param.f32 %f1, [b]; }" + kEnd);
  };
  const auto made = with_call_of("__internal_trig_reduction_slowpathd");
  EXPECT_EQ(executed(made, "rcp"), 0);
  EXPECT_THAT(message_of([&] { with_call_of("__internal_trig_reduction"); }), HasSubstr("a branch depends on data"));
}

// Numbers are taken to be finite: an infinite number alone decides.
TEST(SlowPathsOfPtx, AreOfInfiniteNumbers) {
  const auto with = [](const std::string& number) {
    return import_text("", kLoaded + "setp.eq.f32 %p1, %f2, " + number + "; @!%p1 bra END;" +
                               "rcp.approx.f32 %f1, %f1; bar.sync 0; rcp.approx.f32 %f1, %f1;" + kEnd);
  };
  EXPECT_EQ(executed(with("0f7F800000"), "barrier"), 0);
  EXPECT_THAT(message_of([&] { with("0f3F800000"); }), HasSubstr("a branch depends on data"));
}

}  // namespace
}  // namespace warpipe::test
