#include "warpipe/latency_tables/compile_target.hpp"

#include <gtest/gtest.h>

namespace warpipe::test {
namespace {

std::optional<int> capability_of(const std::string& architecture) {
  Device device;
  device.architecture = architecture;
  return compute_capability(device);
}

TEST(ComputeCapability, IsWhatTheArchitectureSays) {
  EXPECT_EQ(capability_of("Hopper GH100, compute capability 9.0"), 90);
  EXPECT_EQ(capability_of("Pascal, Compute Capability 6.1, mobile"), 61);
  EXPECT_EQ(capability_of("Blackwell GB202, compute capability 12.0"), 120);
}

TEST(ComputeCapability, IsNotGuessed) {
  for (const char* architecture :
       {"", "CDNA2 (gfx90a), wavefronts of 64", "compute capability ", "compute capability 9", "compute capability 9.",
        "compute capability -9.0", "compute capability 9.-1", "compute capability 99999999999.0",
        "compute capability 9.10"})
    EXPECT_EQ(capability_of(architecture), std::nullopt) << architecture;
}

std::string gfx_of(const std::string& architecture) {
  Device device;
  device.architecture = architecture;
  return gfx_target(device);
}

TEST(GfxTarget, IsWhatTheArchitectureSays) {
  EXPECT_EQ(gfx_of("CDNA2 (gfx90a), wavefronts of 64"), "gfx90a");
  EXPECT_EQ(gfx_of("RDNA2 (GFX1030), wave32"), "gfx1030");
  for (const char* architecture : {"", "Hopper GH100, compute capability 9.0", "gfx", "a GFX-like unit"})
    EXPECT_EQ(gfx_of(architecture), "") << architecture;
}

TEST(CompileTarget, IsThatOfEitherMaker) {
  Device device;
  device.architecture = "Hopper GH100, compute capability 9.0";
  EXPECT_EQ(compile_target(device), "sm_90");
  device.architecture = "CDNA3 (gfx942), wavefronts of 64";
  EXPECT_EQ(compile_target(device), "gfx942");
  device.architecture = "an accelerator";
  EXPECT_EQ(compile_target(device), "");
}

}  // namespace
}  // namespace warpipe::test
