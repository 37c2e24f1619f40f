#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/child_process.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

struct Device;

/// How the source of kernels is compiled.
struct CompilerOptions {
  /// A path, or a name on the PATH; empty: of CUDA, nvcc of the PATH, of CUDA_PATH or CUDA_HOME or /usr/local/cuda,
  /// else clang++ or clang of the PATH; of HIP, the first clang of the PATH that compiles for the target.
  std::string compiler;
  std::vector<std::string> flags;   ///< more, one word each: no shell reads them
  std::chrono::seconds limit{600};  ///< after which the compiler is cut off
  Guard guard = {};                 ///< of the compiler and its intermediate files
};

/// What a compiler made: PTX, or the assembly of an AMD GPU.
struct CompiledCode {
  TextFile code;         ///< `source` is the path that was compiled
  std::string compiler;  ///< its path
  std::string target;    ///< "sm_80", "gfx942"; empty where the flags say it
  std::string warning;   ///< that it was compiled for another target than the device's; empty where it was not
};

/// A compiler failed.
class CompilerFailed : public InputError {
 public:
  CompilerFailed(Diagnostic diagnostic, std::string text)
      : InputError(std::move(diagnostic)), printed(std::move(text)) {}

  std::string printed;  ///< what the compiler printed, without what would steer a terminal
};

/// Compiles CUDA or HIP source, with source lines: for an AMD device to its assembly, as HIP, else to PTX, as CUDA.
/// HIP is compiled with a small `hip/hip_runtime.h` of warpipe's own, unless flags name that of ROCm.
/// @param device  whose compute capability is compiled for, or the nearest that the compiler knows, or whose gfx
///                target; null, or one of neither: CUDA for 8.0, HIP for gfx942
/// @throws UsageError for a compiler that is not there; InputError where none is found, or it makes no code, or for
///                    HIP source where the device is not AMD's; CompilerFailed
CompiledCode compile_source(const std::string& path, const Device* device, const CompilerOptions& options = {});

}  // namespace warpipe
