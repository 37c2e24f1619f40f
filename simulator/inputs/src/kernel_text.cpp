#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "warpipe/code/module.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/text_file.hpp"

/// What the text of a kernel is, whichever way it came in.

namespace warpipe {
namespace {

namespace fs = std::filesystem;

template <class Words>
bool is_among(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

/// "HIP source"; empty if the ending is not that of a source file.
std::string_view source_kind(std::string_view ending) {
  constexpr std::array<std::string_view, 5> kCpp{".cpp", ".cc", ".cxx", ".hpp", ".h"};
  if (ending == ".hip") return "HIP source";
  return is_among(ending, kCpp) ? "C++ source" : "";
}

/// CUDA source that comes without its ending, as from standard input.
bool looks_like_cuda(std::string_view text) {
  return text.find("__global__") != std::string_view::npos && text.find(".version") == std::string_view::npos &&
         text[text.find_first_not_of(" \t\r\n")] != '{';
}

/// "a fat binary"; empty if the text is not the binary of a compiler.
std::string_view binary_kind(std::string_view text) {
  constexpr std::string_view kElf =
      "\x7f"
      "ELF";
  constexpr std::string_view kFatBinary = "\x50\xed\x55\xba";
  if (text.starts_with(kElf)) return "machine code (an ELF file)";
  return text.starts_with(kFatBinary) ? "a fat binary" : "";
}

}  // namespace

void refuse_foreign(const TextFile& file) {
  const fs::path path(file.name);
  const auto ending = path.extension().string();
  const auto ptx = path.filename().replace_extension(".ptx").string();
  const auto compiling = fmt::format(
      "compile it with `nvcc -ptx -lineinfo -o {1} {0}`, or `clang++ -x cuda --cuda-device-only "
      "--cuda-gpu-arch=sm_80 -O3 -S -o {1} {0}`, and give {1}",
      file.name, ptx);
  if (is_cuda_source(file.name)) throw InputError(Diagnostic{file.name, "this is CUDA source, not PTX", "", compiling});
  if (const auto kind = source_kind(ending); !kind.empty())
    throw InputError(Diagnostic{file.name, fmt::format("this is {}, not PTX", kind), "",
                                ending == ".hip" ? compiling : "for CUDA, end its name in .cu, or " + compiling});
  if (looks_like_cuda(file.text))
    throw InputError(Diagnostic{file.name, "this is CUDA source, not PTX", "", "give a file whose name ends in .cu"});
  if (const auto kind = binary_kind(file.text); !kind.empty())
    throw InputError(Diagnostic{file.name, fmt::format("this is {}, not PTX", kind), "",
                                fmt::format("take the PTX out with `cuobjdump -ptx {} > {}` where it has any, else "
                                            "compile the source with `nvcc -ptx -lineinfo`",
                                            file.name, ptx)});
}

bool is_path(const std::string& name) {
  return name == "-" || name.find('/') != std::string::npos || name.ends_with(".json") || name.ends_with(".ptx") ||
         is_cuda_source(name);
}

bool is_cuda_source(const std::string& path) { return path.ends_with(".cu") || path.ends_with(".cuh"); }

bool is_code(const TextFile& kernel) { return !kernel.source.empty() || code::is_code(kernel.name, kernel.text); }

}  // namespace warpipe
