#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The names of a file's kernels as people give them.

namespace warpipe::isa {

/// A symbol as its source has it: "saxpy(int, float, float*)"; the symbol itself where it is not mangled.
std::string demangled(const std::string& symbol);

/// The same without return type and parameters: "blas::saxpy<float>".
std::string qualified_name(const std::string& symbol);

/// The bare name in a symbol, without return type, namespaces, template arguments and parameters: "saxpy" of
/// "void blas::saxpy<float>(int, float, float*)".
std::string bare_name(const std::string& symbol);

/// Finds the symbol for a name. The first rule that fits any symbol decides: the symbol; the demangled name, or the
/// same without parameters and return type, blanks not counted; the bare name; a part of the symbol or of the demangled
/// name.
/// @param symbols  of the kernels of a file, at least one
/// @param name     empty: the only kernel
/// @param file     for messages
/// @return         its place in `symbols`
/// @throws InputError where none fits, or several do; lists the candidates
std::size_t find_symbol(const std::vector<std::string>& symbols, std::string_view name, const std::string& file);

/// Whether a function or a table of CUDA's mathematics serves extraordinary numbers alone: very large and very small
/// ones in a division or a root, huge angles.
bool serves_rare_numbers(std::string_view symbol);

}  // namespace warpipe::isa
