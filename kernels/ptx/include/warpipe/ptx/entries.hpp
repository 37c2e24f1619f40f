#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/ptx/module.hpp"

/// The entries of a module as people name them.

namespace warpipe::ptx {

/// The entries that have a body, each once, in the order of the text.
std::vector<const Function*> entries_of(const Module& module);

/// @param name  as of isa::find_symbol
/// @throws InputError where there is none, none fits, or several do; lists those in question
const Function& find_entry(const Module& module, std::string_view name);

/// The size of a group that an entry is compiled for.
struct CompiledBlock {
  std::array<std::int64_t, 3> sizes{1, 1, 1};
  std::string_view directive;  ///< ".reqntid", which must be kept to, or ".maxntid"
};

/// @return nothing where the entry says none, or `.maxntid` more threads than a group can have
std::optional<CompiledBlock> compiled_block(const Function& entry);

/// Where each parameter begins: bytes from the start of the parameters.
std::vector<std::int64_t> parameter_offsets(const std::vector<Variable>& parameters);

}  // namespace warpipe::ptx
