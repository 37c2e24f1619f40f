#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/child_process.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

struct Device;

/// How CUDA source is compiled.
struct CompilerOptions {
  std::string compiler;  ///< a path, or a name on the PATH; empty: nvcc of the PATH, of CUDA_PATH or CUDA_HOME or
                         ///< /usr/local/cuda, else clang++ or clang of the PATH
  std::vector<std::string> flags;   ///< more, one word each: no shell reads them
  std::chrono::seconds limit{600};  ///< after which the compiler is cut off
  Guard guard = {};                 ///< of the compiler and its intermediate files
};

/// What a compiler made.
struct CompiledPtx {
  TextFile ptx;          ///< `source` is the path that was compiled
  std::string compiler;  ///< its path
  std::string target;    ///< "sm_80"; empty where the flags say it
  std::string warning;   ///< that it was compiled for another target than the device's; empty where it was not
};

/// A compiler failed.
class CompilerFailed : public InputError {
 public:
  CompilerFailed(Diagnostic diagnostic, std::string text)
      : InputError(std::move(diagnostic)), printed(std::move(text)) {}

  std::string printed;  ///< what the compiler printed, without what would steer a terminal
};

/// Compiles CUDA source to PTX, with source lines.
/// @param device  whose compute capability is compiled for, or the nearest that the compiler knows; null, or one
/// without:
///                8.0
/// @throws UsageError for a compiler that is not there; InputError where none is found, or it makes no PTX;
///         CompilerFailed
CompiledPtx compile_cuda(const std::string& path, const Device* device, const CompilerOptions& options = {});

}  // namespace warpipe
