#include "command_line/foreign_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

template <class Words>
bool is_among(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

/// "CUDA source"; empty for what is no source.
std::string_view source_kind(std::string_view ending) {
  constexpr std::array<std::string_view, 2> kCuda{".cu", ".cuh"};
  constexpr std::array<std::string_view, 5> kCpp{".cpp", ".cc", ".cxx", ".hpp", ".h"};
  if (is_among(ending, kCuda)) return "CUDA source";
  if (ending == ".hip") return "HIP source";
  return is_among(ending, kCpp) ? "C++ source" : "";
}

/// "a fat binary"; empty for what is no binary of a compiler.
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
  if (const auto kind = source_kind(ending); !kind.empty())
    throw InputError(Diagnostic{file.name, fmt::format("this is {}, not PTX", kind), "",
                                fmt::format("compile it with `nvcc -ptx -lineinfo -o {1} {0}`, or `clang++ -x cuda "
                                            "--cuda-device-only --cuda-gpu-arch=sm_80 -O3 -S -o {1} {0}`, and give {1}",
                                            file.name, ptx)});
  if (const auto kind = binary_kind(file.text); !kind.empty())
    throw InputError(Diagnostic{file.name, fmt::format("this is {}, not PTX", kind), "",
                                fmt::format("take the PTX out with `cuobjdump -ptx {} > {}` where it has any, else "
                                            "compile the source with `nvcc -ptx -lineinfo`",
                                            file.name, ptx)});
}

}  // namespace warpipe::app
