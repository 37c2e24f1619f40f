#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "warpipe/amdgcn/module.hpp"

namespace warpipe::amdgcn {

/// Adds metadata to kernels: the note of a code object, or the text between `.amdgpu_metadata` and
/// `.end_amdgpu_metadata`.
/// @source LLVM, User Guide for AMDGPU Backend: code object V3 to V5 metadata
/// @throws InputError for a value of another kind than it has there
void add_metadata(std::vector<KernelText>& kernels, const nlohmann::json& metadata, const std::string& file);

/// "gfx942" of "amdgcn-amd-amdhsa--gfx942:sramecc+"; empty for any other text.
std::string target_of_triple(const std::string& triple);

/// "gfx942" of the metadata's "amdhsa.target"; empty without it.
std::string target_of(const nlohmann::json& metadata);

}  // namespace warpipe::amdgcn
