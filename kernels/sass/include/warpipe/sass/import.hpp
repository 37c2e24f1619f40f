#pragma once

#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/make_kernel.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// Makes the instruction dependence graph of a kernel of a cubin for one launch. The machine code issues as it stands:
/// nothing is removed or moved; instructions wait for the registers they read and for scoreboards.
/// @throws UnknownData for missing data, including unknown opcodes; InputError for damaged code, or for waits that do
///                     not cover its registers ("decoder and file disagree"); UsageError for wrong options
isa::Import import_cubin(const Module& module, const isa::ImportOptions& options);

/// A kernel in the neutral form, with calls inlined: the input of an import.
/// @param symbol  as of isa::find_symbol
isa::Program read_program(const Module& module, const std::string& symbol);

}  // namespace warpipe::sass
