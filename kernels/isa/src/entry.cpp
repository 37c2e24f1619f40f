#include "warpipe/isa/entry.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace warpipe::isa {

std::optional<Dimensions> compiled_block(const Entry& entry) {
  constexpr std::int64_t kMostThreads = 1024;
  if (entry.required_block) return entry.required_block;
  if (!entry.most_block) return std::nullopt;
  const auto [x, y, z] = *entry.most_block;
  return x * y * z > kMostThreads ? std::nullopt : entry.most_block;
}

std::string source_place(const Entry& entry) {
  if (entry.source_line == 0) return {};
  return fmt::format("{}:{}", std::filesystem::path(entry.source).filename().string(), entry.source_line);
}

}  // namespace warpipe::isa
