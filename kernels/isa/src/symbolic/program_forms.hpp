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
};

/// An access. It is made by the threads for which `made` is true, in trips of the loops around for which it is.
struct AccessForm {
  std::uint32_t instruction = 0;
  Form address, made;
  std::vector<std::uint32_t> loops;  ///< around it, the outermost first: indices into ProgramForms::loops
};

/// A loop. A thread that enters it goes through its header so many times.
struct LoopForm {
  std::uint32_t header = 0;  ///< block
  Form entered, trips;       ///< of the threads, of the trips of the loops around
  Form trip;                 ///< the variable, from 0
  std::vector<std::uint32_t> around;
};

/// A branch.
struct BranchForm {
  std::uint32_t instruction = 0;
  Form reached, taken;
  std::vector<std::uint32_t> loops;
  bool is_end = false;  ///< of the innermost loop, by the only way out of it: the number of trips tells it
};

/// What is known of a program by arithmetic. All forms are of one arena.
struct ProgramForms {
  Forms forms;
  std::vector<AccessForm> accesses;  ///< in the order of the text; those that no thread gets to are left out
  std::vector<LoopForm> loops;       ///< the outer ones before those within; those that no thread enters have no trips
  std::vector<BranchForm> branches;  ///< guarded jumps, tables and exits, in the order of the text
};

/// Follows what control and addresses need through the program, once with all its lanes: registers hold forms, ways
/// that part and meet again are choices.
///
/// A loop's body is followed with a variable for each register that it writes. What those are at the end tells how they
/// move: by a constant step, around a ring, to and fro, by halves. That is a guess, made without regard to overflow.
/// Then the body is followed again with the guessed forms of the trip's number, and kept is what proves right: a
/// register whose form at the end of a trip is that of the next trip's beginning, and a number of trips that the
/// conditions give once more.
/// @param slice  what is followed: find_slice
/// @complexity   instructions x 2^(depth of the loop nest)
ProgramForms find_forms(const Program& program, const ControlFlow& flow, const Slice& slice,
                        const LaunchNumbers& numbers);

}  // namespace warpipe::isa
