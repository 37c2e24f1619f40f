#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// How soon after an instruction of one op a reader of its result issues, by the stall counts of the code.
struct LeastDistance {
  std::string op, next_op;    ///< of the vocabulary of graphs
  std::int64_t cycles = 0;    ///< the least that was found
  std::uint64_t address = 0;  ///< of the reader, bytes from the start of the kernel
  std::string text;           ///< "IMAD R4, R4, c[0x0][0x0], R3 -> ISETP.GE.AND P0, PT, R4, c[0x0][0x160], PT"
};

/// The least distance of each pair of ops, within blocks. Only results of fixed latency count: those that no scoreboard
/// covers. A compiler leaves at least the hardware's latency between the two, mostly exactly that: a table with a
/// greater completion latency contradicts the code.
std::vector<LeastDistance> least_distances(const Module& module, const std::string& symbol);

}  // namespace warpipe::sass
