#include "command_line/data_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>

#include "command_line/output_files.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/kernels/read_kernel.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

const char* folder_of(DataFiles::Kind kind) { return kind == DataFiles::Kind::Kernels ? "kernels" : "devices"; }
const char* noun_of(DataFiles::Kind kind) { return kind == DataFiles::Kind::Kernels ? "kernel" : "device"; }

/// The data beside the program, both in a build tree and in an installation.
std::optional<fs::path> own_data() {
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  return (program.parent_path() / ".." / "share" / "warpipe").lexically_normal();
}

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

/// Refuses source and binaries.
/// @throws InputError with the command that makes PTX of the file
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

}  // namespace

bool is_path(const std::string& name) {
  return name == "-" || name.find('/') != std::string::npos || name.ends_with(".json") || name.ends_with(".ptx") ||
         is_cuda_source(name);
}

bool is_cuda_source(const std::string& path) { return path.ends_with(".cu") || path.ends_with(".cuh"); }

TextFile read_input(const std::string& path) {
  if (path.empty()) throw UsageError(Diagnostic{"\"\"", "the name is empty", "", "give a shipped name or a file"});
  check_not_overwritten(path);
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(Diagnostic{path, "this is a directory", "", "give a file in it"});
  return {path == "-" ? "standard input" : path, read_text_file(path)};
}

TextFile read_kernel_input(const std::string& path) {
  auto file = read_input(path);
  refuse_foreign(file);
  return file;
}

DataFiles::DataFiles(const std::optional<std::string>& data) {
  const auto add = [&](const std::string& said_by, const std::string& directory) {
    std::error_code error;
    if (!fs::is_directory(directory, error))
      throw InputError(Diagnostic{fmt::format("{}{}", said_by, directory), "no such directory", "",
                                  "give a directory with the folders kernels and devices"});
    directories_.emplace_back(directory);
  };
  if (data) add("--data ", *data);
  if (const char* given = std::getenv("WARPIPE_DATA"); given && *given != '\0') add("WARPIPE_DATA=", given);
  if (const auto own = own_data()) directories_.push_back(*own);
}

std::string DataFiles::kernel_path(const std::string& name) const { return path_of(Kind::Kernels, name); }

Kernel DataFiles::kernel(const std::string& name) const {
  const auto file = read_kernel_input(kernel_path(name));
  return read_kernel_json(file.text, file.name);
}

Device DataFiles::device(const std::string& name) const {
  const auto file = read_input(path_of(Kind::Devices, name));
  return read_device_json(file.text, file.name);
}

std::vector<std::string> DataFiles::names(Kind kind) const {
  std::set<std::string> names;
  for (const auto& directory : directories_) {
    std::error_code error;
    for (fs::directory_iterator entry(directory / folder_of(kind), error), end; entry != end; entry.increment(error)) {
      if (entry->path().extension() == ".json") names.insert(entry->path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

std::optional<std::string> DataFiles::shipped_path(Kind kind, const std::string& name) const {
  for (const auto& directory : directories_) {
    const auto path = directory / folder_of(kind) / (name + ".json");
    std::error_code error;
    if (fs::exists(path, error)) return path.string();
  }
  return std::nullopt;
}

std::string DataFiles::path_of(Kind kind, const std::string& name) const {
  if (is_path(name) || name.empty()) return name;
  if (const auto path = shipped_path(kind, name)) return *path;
  for (const auto& shipped : names(kind))
    if (lower_case(shipped) == lower_case(name)) return *shipped_path(kind, shipped);
  refuse_unknown(kind, name);
}

void DataFiles::refuse_unknown(Kind kind, const std::string& name) const {
  std::error_code error;
  const bool is_here = fs::exists(name, error);
  if (is_here && kind == Kind::Kernels) read_kernel_input(name);  // refuses a directory, source or a binary
  std::vector<std::string> looked_in;
  for (const auto& directory : directories_) looked_in.push_back((directory / folder_of(kind)).string());
  const auto advice = suggest(name, names(kind));
  const auto own = is_here ? fmt::format("for the file here, write ./{}", name)
                           : fmt::format("for a file of your own, write ./{}.json", name);
  throw InputError(Diagnostic{fmt::format("{} \"{}\"", noun_of(kind), name),
                              fmt::format("no shipped {} has this name", noun_of(kind)),
                              fmt::format("looked in {}", fmt::join(looked_in, ", ")),
                              fmt::format("{}{}{}", advice,
                                          advice.empty()          ? ""
                                          : advice.ends_with("?") ? " "
                                                                  : "; ",
                                          own)});
}

}  // namespace warpipe::app
