#pragma once

#include <optional>
#include <string>
#include <vector>

#include "file_context.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// Reads which groups differ and how; problems go to the context.
/// @param root        of the kernel file
/// @param parameters  of the kernel
/// @return            nothing where the file has no "kinds"
/// @source formats, "Kinds of groups"
std::optional<GroupKinds> read_kinds(const JsonNode& root, const FileContext& file,
                                     const std::vector<std::string>& parameters);

/// What the body sees besides the parameters: `kind` and the names of its values.
std::vector<std::string> names_of_kinds(const std::optional<GroupKinds>& kinds);

}  // namespace warpipe
