#pragma once

#include <functional>
#include <string>

namespace warpipe {

/// A file and its text.
struct TextFile {
  std::string name;  ///< for messages: its path, or "standard input"
  std::string text;
  std::string source = {};  ///< the source from which the text was compiled; empty where it was not
};

/// Called with the path of a file before it is read; its exceptions go on to the caller. Empty: nothing is done.
using BeforeReading = std::function<void(const std::string& path)>;

/// @param path  `-` for standard input
/// @throws InputError if it cannot be read, UsageError for an empty path
TextFile read_file(const std::string& path, const BeforeReading& before = {});

/// Reads the file of a kernel: JSON or code. Code objects of AMD become listings, and so does assembly of AMD with
/// macros, which a clang of the PATH assembles first.
/// @param device  the compilers' name for it, "gfx942": of several code objects, the object for it counts, else the
///                first
/// @throws as read_file; InputError for source, with the command that compiles it
TextFile read_kernel_file(const std::string& path, const BeforeReading& before = {}, const std::string& device = {});

/// Refuses source.
/// @throws InputError with the command that compiles it
void refuse_foreign(const TextFile& file);

/// Whether a path has the ending of a source compiled by warpipe: .cu or .cuh of CUDA, .hip of HIP.
bool is_source(const std::string& path);
bool is_hip_source(const std::string& path);

/// @return whether a KERNEL is code, by its ending or, for standard input and pipes, by its text
bool is_code(const TextFile& kernel);

/// @return whether the name of a kernel or device is a path, or `-`, and not the name of a shipped file
bool is_path(const std::string& name);

}  // namespace warpipe
