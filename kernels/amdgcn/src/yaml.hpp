#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace warpipe::amdgcn {

/// Reads the parts of YAML used in metadata: mappings and sequences by indentation, plain and quoted scalars, `[]`.
/// Scalars are whole numbers, truths or strings.
/// @param file, first_line  for messages
/// @throws InputError, with the line, for text that is not understood, or nested deeper than 32
nlohmann::json read_yaml(std::string_view text, const std::string& file, std::uint32_t first_line);

}  // namespace warpipe::amdgcn
