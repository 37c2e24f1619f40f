#pragma once

#include "program_reader.hpp"
#include "warpipe/isa/control_flow.hpp"

namespace warpipe::sass {

/// Holds decoded instructions against the rest of the file: every use of a result of variable latency comes behind a
/// wait for its scoreboard, and no register lies beyond the registers of a thread. A wrongly decoded field would show.
/// @throws InputError "decoder and file disagree" where they do not agree
void require_agreement(const Module& module, const Kernel& kernel, const ReadKernel& read,
                       const isa::ControlFlow& flow);

}  // namespace warpipe::sass
