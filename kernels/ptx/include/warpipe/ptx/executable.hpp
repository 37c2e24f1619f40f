#pragma once

#include <string_view>
#include <vector>

#include "warpipe/isa/program.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe::ptx {

/// An entry in the form of no language, with its calls inlined, as a machine executes it: instructions have all that
/// they compute, also what the import of a kernel does not follow (halves, products of matrices, what atomics do), and
/// parameters are loaded from where they lie.
/// @param entry  as of find_entry
/// @throws InputError as find_entry and inline_calls
isa::Program executable_program(const Module& module, std::string_view entry);

/// The variables of a module, which its entries share.
std::vector<isa::MemoryRegion> variables(const Module& module);

}  // namespace warpipe::ptx
