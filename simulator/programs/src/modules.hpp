#pragma once

#include <optional>
#include <string_view>

#include "session.hpp"

/// Modules: code that a program loads by itself, with functions and variables looked up by name.

namespace warpipe::programs {

/// The bytes of a module in memory: text of PTX until its zero, machine code, or a fat binary, to which a wrapper may
/// lead.
/// @return nothing where no memory is there
std::optional<std::string_view> module_in_memory(const void* image);

/// Reads a module, and gives its variables their memory.
/// @param bytes  are copied
/// @param made   gets it
cuda::Error load_module(Session& session, std::string_view bytes, Image** made);

/// The program's handle of a module's function from now on.
/// @return null where the module has no function of this name
const void* function_of(Session& session, Image& module, const std::string& name);

/// @return null where the module has no variable of this name
Variable* variable_of(Session& session, Image& module, const std::string& name);

}  // namespace warpipe::programs
