#pragma once

#include <optional>
#include <string>
#include <vector>

#include "file_context.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// Reads the kinds of groups; problems go to the context.
/// @param root        of the kernel file
/// @param parameters  of the kernel
/// @return            nothing where the file has no "kinds"
/// @source formats, "Kinds of groups"
std::optional<GroupKinds> read_kinds(const JsonNode& root, const FileContext& file,
                                     const std::vector<std::string>& parameters);

}  // namespace warpipe
