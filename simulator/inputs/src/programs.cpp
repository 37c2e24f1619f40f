#include "programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/places.hpp"

namespace warpipe {
namespace {

namespace fs = std::filesystem;

constexpr int kNewestLlvm = 30, kOldestLlvm = 14;

}  // namespace

bool is_program(const std::string& path) { return !program_at(path).empty(); }

std::string on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto program = (fs::path(folder.empty() ? "." : folder) / name).string(); is_program(program))
      return program;
  return {};
}

fs::path cuda_toolkit() {
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char* given = std::getenv(name); given != nullptr && *given != '\0') return given;
  return "/usr/local/cuda";
}

std::vector<std::string> llvm_programs(const std::vector<std::string>& names) {
  std::vector<std::string> programs;
  const auto add = [&](const std::string& name) {
    if (const auto path = on_path(name); !path.empty()) programs.push_back(path);
  };
  for (const auto& name : names) {
    add(name);
    for (int version = kNewestLlvm; version >= kOldestLlvm; --version) add(fmt::format("{}-{}", name, version));
  }
  return programs;
}

std::string given_program(const std::string& option, const std::string& given) {
  auto path = given.find('/') == std::string::npos ? on_path(given) : given;
  if (path.empty() || !is_program(path))
    throw UsageError(
        Diagnostic{fmt::format("`{}`", option), fmt::format("there is no program \"{}\"", given), "", "give its path"});
  return path;
}

std::string printed(std::string text) {
  constexpr std::size_t kMostShown = std::size_t{1} << 16;
  const auto size = text.size();
  if (size > kMostShown) text.resize(kMostShown);
  const auto steers = [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0 && c != '\n' && c != '\t'; };
  std::ranges::replace_if(text, steers, ' ');
  if (size > kMostShown) text += fmt::format("\n... and {} bytes more", size - kMostShown);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace warpipe
