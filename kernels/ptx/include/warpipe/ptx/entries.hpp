#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/entry.hpp"
#include "warpipe/ptx/module.hpp"

/// The entries of a module, by the names that people use.

namespace warpipe::ptx {

/// The entries with a body, each once, in the order of the text.
std::vector<const Function*> entries_of(const Module& module);

/// @param name  as of isa::find_symbol
/// @throws InputError where the module has no entry, no entry fits the name, or several do; lists the candidates
const Function& find_entry(const Module& module, std::string_view name);

/// The same entries for users. The names of parameters in the source are not known here.
std::vector<isa::Entry> entries(const Module& module);

/// Where each parameter begins: bytes from the start of the parameters.
std::vector<std::int64_t> parameter_offsets(const std::vector<Variable>& parameters);

}  // namespace warpipe::ptx
