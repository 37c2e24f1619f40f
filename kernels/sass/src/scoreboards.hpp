#pragma once

#include "program_reader.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::sass {

/// Holds what was decoded against what the file says elsewhere: every use of a result whose latency varies comes behind
/// a wait for its scoreboard, and no register lies beyond those that a thread has. A field that is decoded wrongly
/// would show.
/// @throws InputError "decoder and file disagree" where that is not so
void require_agreement(const Module& module, const Kernel& kernel, const ReadKernel& read,
                       const isa::ControlFlow& flow);

}  // namespace warpipe::sass
