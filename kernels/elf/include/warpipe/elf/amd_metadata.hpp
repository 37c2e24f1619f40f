#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "warpipe/elf/object.hpp"

namespace warpipe::elf {

/// The compiler's metadata of the kernels of a code object of AMD: the note NT_AMDGPU_METADATA of its ABI (User Guide
/// for AMDGPU Backend, LLVM), with keys such as "amdhsa.kernels".
/// @return null without a note
/// @throws InputError for a damaged note
nlohmann::json read_amd_metadata(const Object& object);

/// "gfx942", from the metadata or the flags; empty where both lack it.
std::string amd_target(const Object& object);

}  // namespace warpipe::elf
