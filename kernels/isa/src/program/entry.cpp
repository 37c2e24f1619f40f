#include "warpipe/isa/entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace warpipe::isa {

std::optional<Dimensions> compiled_block(const Entry& entry) {
  constexpr std::int64_t kMostThreads = 1024;
  if (entry.required_block) return entry.required_block;
  if (!entry.most_block) return std::nullopt;
  const auto [x, y, z] = *entry.most_block;
  return x * y * z > kMostThreads ? std::nullopt : entry.most_block;
}

bool is_of_header(const Entry& entry) {
  constexpr std::array<std::string_view, 6> kSources{".cu", ".hip", ".cpp", ".cc", ".cxx", ".c"};
  const auto is_header = [&](const std::string& file) {
    return std::ranges::find(kSources, std::filesystem::path(file).extension().string()) == kSources.end();
  };
  return !entry.sources.empty() && std::ranges::all_of(entry.sources, is_header);
}

std::vector<std::string> names_of_files(const std::map<std::uint32_t, std::size_t>& instructions,
                                        const std::map<std::uint32_t, std::string>& names) {
  std::vector<std::string> files;
  for (const auto& [number, count] : instructions)
    if (const auto name = names.find(number); name != names.end()) files.push_back(name->second);
  return files;
}

std::string source_place(const Entry& entry) {
  if (entry.source_line == 0) return {};
  return fmt::format("{}:{}", std::filesystem::path(entry.source).filename().string(), entry.source_line);
}

}  // namespace warpipe::isa
