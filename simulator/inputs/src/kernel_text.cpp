#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "warpipe/code/module.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/text_file.hpp"

/// Tells the form of a kernel's text, from any input.

namespace warpipe {
namespace {

namespace fs = std::filesystem;

template <class Words>
bool is_among(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 3> kSources{".cu", ".cuh", ".hip"};
constexpr std::array<std::string_view, 5> kCpp{".cpp", ".cc", ".cxx", ".hpp", ".h"};
constexpr std::array<std::string_view, 11> kFiles{".json",  ".ptx", ".cubin", ".fatbin", ".s",   ".S",
                                                  ".hsaco", ".co",  ".o",     ".lst",    ".sass"};

std::string ending_of(const std::string& path) { return fs::path(path).extension().string(); }

/// Whether a text is source, without an ending to tell, as from standard input.
bool looks_like_source(std::string_view text) {
  return text.find("__global__") != std::string_view::npos && text.find('\0') == std::string_view::npos &&
         text.find(".version") == std::string_view::npos && text.find(".amdgcn_target") == std::string_view::npos &&
         text[text.find_first_not_of(" \t\r\n")] != '{';
}

/// Whether a text is machine code of NVIDIA GPUs as printed by nvdisasm, cuobjdump, CuAssembler and Triton.
bool looks_like_sass(const TextFile& file) {
  constexpr std::size_t kLooked = std::size_t{1} << 16;
  const auto start = std::string_view(file.text).substr(0, kLooked);
  const auto has = [&](std::string_view what) { return start.find(what) != std::string_view::npos; };
  if (start.find('\0') != std::string_view::npos) return false;
  return ending_of(file.name) == ".sass" || has(".headerflags") || has("code for sm_") ||
         (has("/*0000*/") && !has(".version"));
}

}  // namespace

void refuse_foreign(const TextFile& file) {
  const auto ptx = fs::path(file.name).filename().replace_extension(".ptx").string();
  const auto compiling = fmt::format(
      "compile it with `nvcc -ptx -lineinfo -o {1} {0}`, or `clang++ -x cuda --cuda-device-only "
      "--cuda-gpu-arch=sm_80 -O3 -S -o {1} {0}`, and give {1}",
      file.name, ptx);
  if (is_source(file.name))
    throw InputError(Diagnostic{file.name, "this is source, not PTX or machine code", "", compiling});
  if (is_among(ending_of(file.name), kCpp))
    throw InputError(Diagnostic{file.name, "this is C++ source, not PTX or machine code", "",
                                "end the name of CUDA source in .cu, that of HIP source in .hip, or " + compiling});
  if (looks_like_sass(file))
    throw InputError(Diagnostic{file.name, "this is a listing of machine code of an NVIDIA GPU, which is not read", "",
                                "give the cubin that it is of, or the kernel's PTX"});
  if (looks_like_source(file.text))
    throw InputError(Diagnostic{file.name, "this is source, not PTX or machine code", "",
                                "give a file whose name ends in .cu or .hip"});
  if (const auto ending = ending_of(file.name); is_among(ending, kFiles) && ending != ".json" && !is_code(file))
    throw InputError(Diagnostic{
        file.name, file.text.empty() ? "the file is empty" : "its name is that of code, but what it holds is not known",
        "", "give PTX, a cubin, or assembly or a code object of AMD"});
}

bool is_path(const std::string& name) {
  return name == "-" || name.find('/') != std::string::npos || is_among(ending_of(name), kFiles) || is_source(name);
}

bool is_source(const std::string& path) { return is_among(ending_of(path), kSources); }

bool is_hip_source(const std::string& path) { return path.ends_with(".hip"); }

bool is_code(const TextFile& kernel) { return !kernel.source.empty() || code::is_code(kernel.name, kernel.text); }

}  // namespace warpipe
