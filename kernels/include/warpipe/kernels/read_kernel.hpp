#pragma once

#include <string>
#include <string_view>

#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// Reads a kernel (an IDG) from the text of a JSON file.
/// @param text  the file's content, UTF-8
/// @param file  its name, for messages
/// @return      the kernel; every id in `after` resolved, every expression parsed, none evaluated
/// @throws InputError with all problems of the file: broken JSON, unknown or duplicate keys, wrong types, names without
///                    a declaration, duplicate ids or loops, expressions that do not parse or use a name not visible
///                    there, loops nested deeper than 64
/// @source formats, "Kernel (an IDG)"
Kernel read_kernel_json(std::string_view text, const std::string& file);

}  // namespace warpipe
