#pragma once

#include <string_view>
#include <vector>

#include "warpipe/isa/program.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe::ptx {

/// Makes the executable program of an entry, in the form shared by all languages, with calls inlined. Instructions hold
/// their whole computation, also the parts that the import of a kernel does not follow (halves, products of matrices,
/// effects of atomics); parameters are loaded from their places.
/// @param entry  as of find_entry
/// @throws InputError as find_entry and inline_calls
isa::Program executable_program(const Module& module, std::string_view entry);

/// The variables of a module, shared by its entries.
std::vector<isa::MemoryRegion> variables(const Module& module);

}  // namespace warpipe::ptx
