#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/ptx/module.hpp"

/// The entries of a module as people name them.

namespace warpipe::ptx {

/// A symbol as its source has it: "saxpy(int, float, float*)"; the symbol itself where it is not mangled.
std::string demangled(const std::string& symbol);

/// The same without return type and parameters: "blas::saxpy<float>".
std::string qualified_name(const std::string& symbol);

/// The bare name in a symbol, without return type, namespaces, template arguments and parameters: "saxpy" of
/// "void blas::saxpy<float>(int, float, float*)".
std::string bare_name(const std::string& symbol);

/// Finds an entry. The first of these that fits any entry decides: its symbol; the demangled name, or the same without
/// parameters and return type, blanks not counted; the bare name; a part of the symbol or of the demangled name.
/// @param name  empty: the only entry of the module
/// @throws InputError where none fits, or several do; lists those in question
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
