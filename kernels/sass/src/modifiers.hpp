#pragma once

#include <string>

#include "decode.hpp"

/// What bits beside the operands say of an instruction.

namespace warpipe::sass {

/// "LDG.E.128", "ISETP.GE.U32.AND".
std::string name_with_modifiers(const Decoded& decoded, int architecture);
/// Of an access, a lane.
int bytes_of_access(const Decoded& decoded, int architecture);

/// Number of a special register as people write it: "SR_TID.X".
std::string special_register_name(unsigned number);

}  // namespace warpipe::sass
