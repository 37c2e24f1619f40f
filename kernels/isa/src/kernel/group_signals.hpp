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

/// What became of an instruction that uses a barrier object.
struct WrittenBarrierUse {
  std::uint32_t instruction = 0;        ///< of the program
  std::size_t arrives = 0, awaits = 0;  ///< instructions of the kernel, where it does so
};

/// Makes signals of the barrier objects of a program, once the kernel's body is written.
///
/// Objects that one instruction comes to in turn are a ring, and one signal: the ring is filled and emptied in order,
/// so that the k-th wait of a warp is for the k-th phase of all. As many arrivals are a phase as there are for each
/// wait of the warp that waits most. A warp whose first wait is for the odd phase finds the whole ring free.
/// @param uses   in program order
/// @param seen   the objects that each instruction came to
/// @param warps  of a group; those of the first kind say how many arrivals there are
/// @param notes  gets what is a guess
void add_signals(const Program& program, const std::vector<WrittenBarrierUse>& uses,
                 const std::map<std::uint32_t, BarriersSeen>& seen, std::int64_t warps, Kernel& kernel,
                 std::set<std::string>& notes);

}  // namespace warpipe::isa
