#pragma once

#include <string>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/make_kernel.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::amdgcn {

/// Makes the instruction dependence graph of a kernel for one launch.
/// @throws InputError, with the line, for an unknown opcode or operand, and where a register is used while a load into
///         it may be under way: decoder and file disagree;
///         isa::UnknownData with a list of all missing data, unless `launch.assume` is set
isa::Import import_assembly(const Module& module, const isa::ImportOptions& options);

/// A kernel in the form for analyses.
/// @param lowering  ops of unknown opcodes
/// @throws InputError as import_assembly
isa::Program decode(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering = {});

}  // namespace warpipe::amdgcn
