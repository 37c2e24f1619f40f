#pragma once

#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/make_kernel.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// Makes the instruction dependence graph of a kernel of a cubin for one launch. What issues is the machine code as it
/// stands: nothing is removed or moved; instructions wait for the registers that they read and for scoreboards.
/// @throws UnknownData for what nobody says, an opcode that is not known among it; InputError for code that is damaged
///         or whose waits do not cover its registers ("decoder and file disagree"); UsageError for wrong options
isa::Import import_cubin(const Module& module, const isa::ImportOptions& options);

/// A kernel in the form of no language, with calls inlined: what an import works on.
/// @param symbol  as of isa::find_symbol
isa::Program read_program(const Module& module, const std::string& symbol);

}  // namespace warpipe::sass
