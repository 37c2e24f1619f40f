#pragma once

#include <filesystem>
#include <string>
#include <vector>

/// The programs of other people that this one runs.

namespace warpipe {

/// Whether a path is a file that may be executed.
bool is_program(const std::string& path);

/// @return the path of a program on the PATH; empty where there is none
std::string on_path(const std::string& name);

/// Where the CUDA toolkit is: CUDA_PATH, CUDA_HOME, else /usr/local/cuda.
std::filesystem::path cuda_toolkit();

/// The programs of these names that are on the PATH, and after each of them those that carry the version of LLVM, as
/// Debian names them: "clang++", "clang++-22", ... "clang++-14".
std::vector<std::string> llvm_programs(const std::vector<std::string>& names);

/// The path of a program that was asked for.
/// @param option  for messages: "compiler"
/// @throws UsageError where there is none
std::string given_program(const std::string& option, const std::string& given);

/// What a program printed, as far as a person may read it, without what would steer a terminal.
std::string printed(std::string text);

}  // namespace warpipe
