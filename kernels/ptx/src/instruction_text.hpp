#pragma once

#include <string>
#include <string_view>

#include "warpipe/ptx/routine.hpp"

namespace warpipe::ptx {

/// An instruction as PTX writes it: "ld.global.f32 %f2, [%rd6]".
std::string to_string(const Routine& routine, const Instruction& instruction);

/// What a name of a kernel may have of a text: "L__BB0_2" of "$L__BB0_2".
std::string as_name(std::string_view text);

}  // namespace warpipe::ptx
