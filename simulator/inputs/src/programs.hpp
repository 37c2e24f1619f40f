#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// Programs of other authors, run by this program.

namespace warpipe {

/// Whether a path is a file that may be executed.
bool is_program(const std::string& path);

/// @return the path of a program on the PATH; empty where there is none
std::string on_path(const std::string& name);

/// The folder of the CUDA toolkit: CUDA_PATH, CUDA_HOME, else /usr/local/cuda.
std::filesystem::path cuda_toolkit();

/// The programs of these names on the PATH, each followed by its versions for LLVM, as Debian names them: "clang++",
/// "clang++-22", ... "clang++-14".
std::vector<std::string> llvm_programs(const std::vector<std::string>& names);

/// The path of a requested program.
/// @param option  for messages: "compiler"
/// @throws UsageError where there is none
std::string given_program(const std::string& option, const std::string& given);

/// The output of a program, as far as a person may read it, without control characters of terminals.
std::string printed(std::string text);

}  // namespace warpipe
