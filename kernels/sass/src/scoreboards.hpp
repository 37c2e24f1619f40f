#pragma once

#include "program_reader.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::sass {

/// What was held against the code's own waits.
struct Coverage {
  std::size_t uses = 0;       ///< of results that a scoreboard covers
  std::size_t uncovered = 0;  ///< without a wait on some way
  std::string first;          ///< of these
};

/// Whether every use of a result whose latency varies comes behind a wait for its scoreboard: a register or a scoreboard
/// that is decoded wrongly would show.
Coverage check_waits(const Module& module, const Kernel& kernel, const ReadKernel& read, const isa::ControlFlow& flow);

/// @throws InputError "decoder and file disagree" where that is not so, or where a register is beyond those that the
///         file says a thread has
void require_agreement(const Module& module, const Kernel& kernel, const ReadKernel& read,
                       const isa::ControlFlow& flow);

}  // namespace warpipe::sass
