#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/child_process.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe {

struct Device;

/// The compiler of kernel sources and its options.
struct CompilerOptions {
  /// A path, or a name on the PATH; empty: of CUDA, nvcc of the PATH, of CUDA_PATH or CUDA_HOME or /usr/local/cuda,
  /// else clang++ or clang of the PATH; of HIP, the first clang of the PATH with support for the target.
  std::string compiler;
  std::vector<std::string> flags;   ///< further flags, one word each: no shell reads them
  std::chrono::seconds limit{600};  ///< after which the compiler is cut off
  Guard guard = {};                 ///< of the compiler and its intermediate files
};

/// The output of a compiler: PTX, or the assembly of an AMD GPU.
struct CompiledCode {
  TextFile code;         ///< `source` is the compiled path
  std::string compiler;  ///< its path
  std::string target;    ///< "sm_80", "gfx942"; empty where the flags give it
  std::string warning;   ///< of a target other than the device's; empty where they agree
};

/// A compiler failed.
class CompilerFailed : public InputError {
 public:
  CompilerFailed(Diagnostic diagnostic, std::string text)
      : InputError(std::move(diagnostic)), printed(std::move(text)) {}

  std::string printed;  ///< the output of the compiler, without control characters of terminals
};

/// Compiles CUDA or HIP source, with source lines: for an AMD device to its assembly, as HIP, else to PTX, as CUDA. HIP
/// is compiled with a small `hip/hip_runtime.h` of warpipe's own, unless flags name the header of ROCm.
/// @param device  its compute capability, or the nearest known to the compiler, is compiled for, or its gfx target;
///                null, or a device of neither: CUDA for 8.0, HIP for gfx942
/// @throws UsageError for a missing compiler; InputError where none is found, or it makes no code, or for HIP source
///                    where the device is not AMD's; CompilerFailed
CompiledCode compile_source(const std::string& path, const Device* device, const CompilerOptions& options = {});

}  // namespace warpipe
