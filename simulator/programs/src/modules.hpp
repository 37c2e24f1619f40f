#pragma once

#include <optional>
#include <string_view>

#include "session.hpp"

/// Modules: code that a program loads by itself, and whose functions and variables it asks for by their names.

namespace warpipe::programs {

/// The bytes of a module that lies in memory: text of PTX until its zero, machine code, or a fat binary, which a
/// wrapper may lead to.
/// @return nothing where no memory is there
std::optional<std::string_view> module_in_memory(const void* image);

/// Reads a module, and gives its variables their memory.
/// @param bytes  are copied
/// @param made   gets it
cuda::Error load_module(Session& session, std::string_view bytes, Image** made);

/// What the program calls a function of a module by from now on.
/// @return null where the module has none of that name
const void* function_of(Session& session, Image& module, const std::string& name);

/// @return null where the module has none of that name
Variable* variable_of(Session& session, Image& module, const std::string& name);

}  // namespace warpipe::programs
