#pragma once

#include <string>
#include <vector>

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"

namespace warpipe {
struct CompilerOptions;
struct Device;
}  // namespace warpipe

namespace warpipe::app {

/// Refuses the options for CUDA source, for a file that is not CUDA source.
/// @throws UsageError
void check_compiler_options(const Arguments& arguments, const std::string& other);

/// The path of a compiler, and its options.
/// @throws UsageError for flags whose words cannot be told apart
CompilerOptions read_compiler_options(const Arguments& arguments);

/// Compiles CUDA source to PTX, with source lines, and reports the compiler: --compiler, else nvcc of the PATH, of
/// CUDA_PATH or CUDA_HOME or /usr/local/cuda, else clang++ or clang of the PATH. The compiler is run without a shell
/// and is cut off after --compiler-timeout. Its messages go to standard error where it fails. --keep keeps the PTX.
/// @param device   its compute capability, or the nearest known to the compiler, with a warning, is compiled for; null,
///                 or a device without: 8.0
/// @param defines  of macros, beside the flags of the command line: "TILE=16"
/// @return         the PTX
/// @throws UsageError for a wrong option; InputError where there is no compiler, it fails, or makes no PTX
TextFile compile(const std::string& path, const Arguments& arguments, const Device* device,
                 const std::vector<std::string>& defines = {});

/// Reads the file of a KERNEL: JSON, PTX, or CUDA source, which is compiled.
/// @throws as read_kernel_input and compile
TextFile read_program(const std::string& path, const Arguments& arguments, const Device* device);

}  // namespace warpipe::app
