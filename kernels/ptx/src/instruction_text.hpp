#pragma once

#include <string>

#include "routine.hpp"

namespace warpipe::ptx {

/// An instruction as PTX writes it: "ld.global.f32 %f2, [%rd6]".
std::string to_string(const Routine& routine, const Instruction& instruction);

}  // namespace warpipe::ptx
