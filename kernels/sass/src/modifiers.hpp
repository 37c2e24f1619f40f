#pragma once

#include <string>

#include "decode.hpp"

/// The meaning of an instruction's bits beside its operands.

namespace warpipe::sass {

/// "LDG.E.128", "ISETP.GE.U32.AND".
std::string name_with_modifiers(const Decoded& decoded, int architecture);
/// Of an access, a lane.
int bytes_of_access(const Decoded& decoded, int architecture);
/// Whether an access is an atomic of global memory that adds floats.
bool is_float_atomic(const Decoded& decoded, int architecture);

/// The name of a special register: "SR_TID.X".
std::string special_register_name(unsigned number);

}  // namespace warpipe::sass
