#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::test {

/// A kernel of kernels/cuda with a small launch, the initial content of its arrays and their content after the launch,
/// computed by the CPU.
struct WholeKernel {
  struct Argument {
    std::uint64_t number = 0;        ///< bits, for a scalar argument
    std::vector<std::byte> content;  ///< of an array; else empty
    std::vector<float> floats;       ///< expected in it afterwards; empty: nothing is
    std::vector<std::uint32_t> words;
    std::string typed = {};  ///< of a number: as a user types it, without a point where it is whole
  };
  std::string file, name;  ///< "mmul", "mmul16"
  isa::Launch launch;
  std::vector<Argument> arguments;  ///< in the order of the source
  double tolerance = 0;             ///< of floats, relative to the largest number expected
};

/// All kernels of kernels/cuda.
const std::vector<WholeKernel>& whole_kernels();

/// Executes a program for a case's launch and compares.
/// @return the first difference; empty where there is none
std::string run_whole_kernel(const isa::Program& program, const WholeKernel& kernel);

}  // namespace warpipe::test
