#pragma once

#include <string>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/make_kernel.hpp"
#include "warpipe/isa/program.hpp"

namespace warpipe::amdgcn {

/// Makes the instruction dependence graph of a kernel for one launch.
/// @throws InputError, with the line, for an opcode or an operand that is not known, and where a register is used while
///                    a load that writes it may be under way: decoder and file disagree;
///         isa::UnknownData with all that it has to be told, where `launch.assume` is not set
isa::Import import_assembly(const Module& module, const isa::ImportOptions& options);

/// A kernel in the form that analyses work on.
/// @param lowering  ops of opcodes that are not known
/// @throws InputError as import_assembly
isa::Program decode(const Module& module, const KernelText& kernel, const isa::LoweringOptions& lowering = {});

}  // namespace warpipe::amdgcn
