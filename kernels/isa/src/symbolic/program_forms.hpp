#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "flow/slice.hpp"
#include "symbolic/forms.hpp"
#include "warpipe/isa/control_flow.hpp"
#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::isa {

/// The numbers of a launch, as a program reads them.
struct LaunchNumbers {
  Dimensions block{1, 1, 1}, grid{1, 1, 1};
  std::int64_t dynamic_shared_bytes = 0;
  std::int64_t lanes = 32;                               ///< of a warp
  std::vector<std::optional<std::uint64_t>> parameters;  ///< bits, by parameter; nothing: not given
  std::vector<std::uint64_t> regions;                    ///< addresses, by memory region
  std::uint64_t grid_workspace = 0;                      ///< address
};

/// An access, made by the threads and in the trips of the enclosing loops for which `made` is true.
struct AccessForm {
  std::uint32_t instruction = 0;
  Form address, made;
  std::vector<std::uint32_t> loops;  ///< around it, the outermost first: indices into ProgramForms::loops
};

/// A loop: a thread that enters it goes through its header `trips` times.
struct LoopForm {
  std::uint32_t header = 0;  ///< block
  Form entered, trips;       ///< of the threads, of the trips of the enclosing loops
  Form trip;                 ///< the variable, from 0
  std::vector<std::uint32_t> around;
};

/// A branch.
struct BranchForm {
  std::uint32_t instruction = 0;
  Form reached, taken;
  std::vector<std::uint32_t> loops;
  bool is_end = false;  ///< of the innermost loop, by its only exit: the number of trips tells it
};

/// The arithmetic of a program. All forms are of one arena.
struct ProgramForms {
  Forms forms;
  std::vector<AccessForm> accesses;  ///< in the order of the text; without accesses no thread gets to
  std::vector<LoopForm> loops;       ///< outer loops before inner loops; loops entered by no thread have no trips
  std::vector<BranchForm> branches;  ///< guarded jumps, tables and exits, in the order of the text
};

/// Follows the slice for control and addresses through the program, once with all its lanes: registers hold forms,
/// parting ways become choices where they meet again.
///
/// A loop's body is followed with a variable for each written register. The variables' forms at the end show how
/// registers move: by a constant step, around a ring, to and fro, by halves. The result is a guess, made without regard
/// to overflow. Then the body is followed again with the guessed forms of the trip's number. A guess is kept where it
/// proves right: a register's form at the end of a trip must be its form at the start of the next trip, and the
/// conditions must give the same number of trips once more.
/// @param slice  the followed instructions: find_slice
/// @complexity   instructions x 2^(depth of the loop nest)
ProgramForms find_forms(const Program& program, const ControlFlow& flow, const Slice& slice,
                        const LaunchNumbers& numbers);

}  // namespace warpipe::isa
