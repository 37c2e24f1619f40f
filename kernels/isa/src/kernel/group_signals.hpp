#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "survey/survey.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// A use of a barrier object, by an instruction of the program and instructions of the kernel.
struct WrittenBarrierUse {
  std::uint32_t instruction = 0;        ///< of the program
  std::size_t arrives = 0, awaits = 0;  ///< instructions of the kernel, where it does so
};

/// Makes signals of the barrier objects of a program, once the kernel's body is written.
///
/// Objects that an instruction comes to in turn are a ring, with a single signal: the ring is filled and emptied in
/// order, so that the k-th wait of a warp is for the k-th phase of all. A phase has as many arrivals as there are for
/// each wait of the warp with the most waits. A warp whose first wait is for the odd phase finds the whole ring free.
/// @param uses   in program order
/// @param seen   the objects of each instruction
/// @param warps  of a group; in groups of the first kind they give the number of arrivals
/// @param notes  gets the guesses
void add_signals(const Program& program, const std::vector<WrittenBarrierUse>& uses,
                 const std::map<std::uint32_t, BarriersSeen>& seen, std::int64_t warps, Kernel& kernel,
                 std::set<std::string>& notes);

}  // namespace warpipe::isa
