#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "warpipe/elf/object.hpp"

namespace warpipe::elf {

/// What the compiler says of the kernels of a code object of AMD: the note NT_AMDGPU_METADATA of its ABI (User Guide
/// for AMDGPU Backend, LLVM), with keys such as "amdhsa.kernels".
/// @return null where there is none
/// @throws InputError where it is damaged
nlohmann::json read_amd_metadata(const Object& object);

/// "gfx942", as the metadata or the flags say it; empty where both do not.
std::string amd_target(const Object& object);

}  // namespace warpipe::elf
