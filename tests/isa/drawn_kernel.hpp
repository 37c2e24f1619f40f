#pragma once

#include <cstdint>
#include <string>

namespace warpipe::test {

/// A small kernel in PTX: nested loops, triangles, tails, strides, rings, halving, modulo and swizzles. Its registers
/// are made of the places of threads and groups and of its parameter n alone; the same seed gives the same kernel. It
/// stores to its parameter p, and is launched with groups of 40 or 48 threads.
struct DrawnKernel {
  std::string text;
  std::int64_t block_x = 8, block_y = 5, grid_x = 3, grid_y = 2, n = 100;
};
DrawnKernel drawn_kernel(std::uint64_t seed);

}  // namespace warpipe::test
