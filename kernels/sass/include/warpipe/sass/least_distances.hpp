#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// The least distance between an instruction of an op and a reader of its result, by the stall counts of the code.
struct LeastDistance {
  std::string op, next_op;               ///< of the vocabulary of graphs
  std::int64_t cycles = 0;               ///< the least found
  std::uint64_t writer = 0, reader = 0;  ///< their addresses, bytes from the start of the kernel
};

/// The least distance of each pair of ops, within blocks. Only results of fixed latency count: results without a
/// scoreboard, in registers of lanes. A compiler leaves at least the hardware's latency between the two, and mostly no
/// more: a table with a greater completion latency contradicts the code. The uniform datapath does not count: tables
/// have no rows for it.
std::vector<LeastDistance> least_distances(const Module& module, const Kernel& kernel);

}  // namespace warpipe::sass
