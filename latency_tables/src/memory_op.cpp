#include "warpipe/latency_tables/memory_op.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace warpipe {
namespace {

constexpr std::array<std::string_view, 5> kRows{"global.load", "global.store", "global.atomic", "global.atomic.float",
                                                "global.copy"};

std::optional<std::int64_t> width_of(std::string_view part) {
  std::int64_t bits = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), bits);
  if (error != std::errc() || end != part.data() + part.size() || bits < 1) return std::nullopt;
  return bits;
}

std::optional<std::size_t> level_of(std::string_view part, const std::vector<MemoryLevel>& levels) {
  const auto level = std::ranges::find(levels, part, &MemoryLevel::name);
  if (level == levels.end()) return std::nullopt;
  return static_cast<std::size_t>(level - levels.begin());
}

/// @param parts  the text behind the name of the row: ".l1.64"
bool read_parts(std::string_view parts, const std::vector<MemoryLevel>& levels, MemoryOp& op) {
  while (!parts.empty()) {
    if (parts.front() != '.') return false;
    parts.remove_prefix(1);
    const std::string_view part = parts.substr(0, parts.find('.'));
    parts.remove_prefix(part.size());
    if (const auto width = width_of(part); width && !op.width_bits)
      op.width_bits = width;
    else if (const auto level = level_of(part, levels); level && !op.level)
      op.level = level;
    else
      return false;
  }
  return true;
}

}  // namespace

std::optional<MemoryOp> memory_op(std::string_view name, const Device& device) {
  if (!has_levels(device)) return std::nullopt;
  for (const std::string_view row : kRows) {
    if (!name.starts_with(row)) continue;
    MemoryOp op{access_kind(row), row, {}, {}};
    if (read_parts(name.substr(row.size()), device.memory->levels, op)) return op;
  }
  return std::nullopt;
}

std::size_t level_of_the_unknown(const MemoryOp& access, const std::vector<MemoryLevel>& levels) {
  if (access.level) return *access.level;
  return access.kind == AccessKind::Atomic ? first_shared_level(levels) : levels.size() - 1;
}

}  // namespace warpipe
