#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "read_values.hpp"
#include "warpipe/idg/expression.hpp"

namespace warpipe::detail {
namespace {

constexpr std::int64_t kMostJoinedUnits = 32;

/// Keys restricted to levels of a unit, or to levels beyond it, like the scope's; times and rates first.
std::vector<std::string_view> own_keys(LevelScope scope) {
  std::vector<Key<MemoryLevel>> own;
  std::ranges::copy_if(kKeysOfLevel, std::back_inserter(own), [&](const auto& key) {
    return key.traits.where != Where::Anywhere && belongs(key.traits.where, scope);
  });
  std::stable_partition(own.begin(), own.end(), is_quantity);
  return names_of(own);
}

/// Levels of a unit count the unit's cycles; levels beyond it have a clock of their own.
void refuse_keys_of_other_scopes(const JsonNode& node, LevelScope scope) {
  const bool of_unit = scope == LevelScope::ComputeUnit;
  for (const std::string_view key : own_keys(of_unit ? LevelScope::Device : LevelScope::ComputeUnit))
    if (const auto other = node.find(key))
      other->fail(fmt::format("a level of scope {} cannot have \"{}\"", to_string(scope), key),
                  fmt::format("remove it; such a level has {}", fmt::join(own_keys(scope), ", ")));
}

void check_times(const JsonNode& node, const MemoryLevel& level) {
  for (const auto& key : kKeysOfLevel)
    if (key.traits.presence == Presence::Required && key.traits.where != Where::Anywhere &&
        belongs(key.traits.where, level.scope))
      node.require(key.name);
  for (const char* key : {"write_bytes_per_s", "mixed_bytes_per_s", "lines_per_s", "store_lines_per_s"})
    if (const auto other = node.find(key); other && !node.find("read_bytes_per_s"))
      other->fail("a level with another rate must have one of reads", "add \"read_bytes_per_s\"");
}

void check_size(const JsonNode& node, bool is_last, const MemoryLevel& level) {
  if (level.joined_units > kMostJoinedUnits)
    node.fail(fmt::format("{} units load together", level.joined_units),
              fmt::format("write at most {} \"joined_units\"", kMostJoinedUnits));
  if (level.line_bytes % level.sector_bytes != 0)
    node.fail(fmt::format("a line of {} bytes cannot be made of sectors of {}", level.line_bytes, level.sector_bytes),
              "write a \"line_bytes\" that is a multiple of \"sector_bytes\"");
  if (const auto masked = node.find("masked_writes"); masked && !is_last)
    masked->fail("only the memory behind the caches reads sectors to write them, or need not",
                 "move it to the last level");
  if (is_last) {
    if (const auto bytes = node.find("bytes"))
      bytes->fail("the last level is the memory behind the caches, which has no \"bytes\"",
                  "remove it, or add the memory as a further level");
  } else if (node.require("bytes") && level.bytes && *level.bytes / level.line_bytes / level.ways / level.parts < 1) {
    node.fail(fmt::format("{} bytes cannot hold {} ways of {} bytes in each of {} parts", *level.bytes, level.ways,
                          level.line_bytes, level.parts),
              "write fewer ways or more bytes");
  }
  if (level.dirty_bytes && *level.dirty_bytes > level.bytes.value_or(0))
    node.fail(
        fmt::format("{} bytes that are not written yet cannot lie in {}", *level.dirty_bytes, level.bytes.value_or(0)),
        "write fewer \"dirty_bytes\"");
}

void check_name(const JsonNode& node, const std::vector<MemoryLevel>& nearer, const std::string& name) {
  const auto member = node.find("name");
  if (!member || !member->is_string()) return;
  if (!is_name(name)) member->fail("the name of a level must be letters, digits and _, with no digit at the start");
  if (std::ranges::find(nearer, name, &MemoryLevel::name) != nearer.end())
    member->fail(fmt::format("two levels cannot both be \"{}\"", name), "rename one");
}

void check_scope(const JsonNode& node, const std::vector<MemoryLevel>& nearer, bool is_last, LevelScope scope) {
  if (is_last && scope == LevelScope::ComputeUnit)
    node.fail("the memory behind the caches cannot be of a unit", "add it as a further level");
  if (!nearer.empty() && scope < nearer.back().scope)
    node.fail(fmt::format("a level of scope {} cannot stand behind one of scope {}", to_string(scope),
                          to_string(nearer.back().scope)),
              "write the levels in order, the nearest first");
}

/// @param nearer        the levels before it
/// @param sector_bytes  the default for the level
MemoryLevel read_level(const JsonNode& node, const std::vector<MemoryLevel>& nearer, bool is_last,
                       std::int64_t sector_bytes) {
  MemoryLevel level;
  level.sector_bytes = sector_bytes;
  if (!node.allow_keys(names_of(kKeysOfLevel))) return level;
  read_keys(node, kKeysOfLevel, level);
  check_name(node, nearer, level.name);
  check_scope(node, nearer, is_last, level.scope);
  refuse_keys_of_other_scopes(node, level.scope);
  check_size(node, is_last, level);
  check_times(node, level);
  return level;
}

/// @param transaction_bytes  the default for sectors of the nearest level
void read_levels(const JsonNode& node, std::int64_t transaction_bytes, std::vector<MemoryLevel>& levels) {
  const auto elements = node.elements();
  if (node.is_array() && elements.empty()) node.fail("there must be at least one level", "remove \"levels\"");
  for (std::size_t i = 0; i < elements.size(); ++i)
    levels.push_back(read_level(elements[i], levels, i + 1 == elements.size(),
                                i == 0 ? transaction_bytes : MemoryLevel().sector_bytes));
}

/// A transaction is a sector of the nearest level.
void use_sectors(const JsonNode& node, Memory& memory) {
  const std::int64_t sector = memory.levels.front().sector_bytes;
  if (const auto given = node.find("transaction_bytes"); given && memory.transaction_bytes != sector)
    given->fail(fmt::format("a transaction must be a sector of the nearest level, {} bytes", sector),
                "remove one of \"transaction_bytes\" here and \"sector_bytes\" there");
  memory.transaction_bytes = sector;
}

}  // namespace

void read_memory(const JsonNode& node, std::optional<Memory>& target) {
  if (!node.allow_keys(names_of(kKeysOfMemory))) return;
  Memory& memory = target.emplace();
  read_keys(node, kKeysOfMemory, memory);
  const auto levels = node.find("levels");
  if (levels) read_levels(*levels, memory.transaction_bytes, memory.levels);
  if (!memory.levels.empty()) use_sectors(node, memory);
  if (const auto bandwidth = node.find("bandwidth_bytes_per_s"); bandwidth && levels)
    bandwidth->fail("a memory with levels cannot have a bandwidth of its own",
                    "move it to the last level, as its \"pin_bytes_per_s\"");
  if (const auto latency = node.find("store_latency_s"); latency && !levels)
    latency->fail("only a memory with levels acknowledges stores", "add \"levels\", or remove it");
}

}  // namespace warpipe::detail
