#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "read_values.hpp"
#include "warpipe/idg/expression.hpp"

namespace warpipe::detail {
namespace {

constexpr std::array<std::string_view, 4> kOfTheUnit{"latency", "cycles_per_line", "bytes_per_cycle",
                                                     "holds_shared_memory"};
constexpr std::array<std::string_view, 8> kBeyondTheUnit{
    "latency_s", "read_bytes_per_s", "write_bytes_per_s", "mixed_bytes_per_s", "pin_bytes_per_s", "lines_per_s",
    "parts",     "joined_units"};

constexpr std::int64_t kMostJoinedUnits = 32;

/// What a unit has counts the unit's cycles; what is beyond it has a clock of its own.
void refuse_keys_of_other_scopes(const JsonNode& node, LevelScope scope) {
  std::span<const std::string_view> own = kBeyondTheUnit, others = kOfTheUnit;
  if (scope == LevelScope::ComputeUnit) std::swap(own, others);
  for (const std::string_view key : others)
    if (const auto other = node.find(key))
      other->fail(fmt::format("a level of scope {} cannot have \"{}\"", to_string(scope), key),
                  fmt::format("remove it; such a level has {}", fmt::join(own, ", ")));
}

void read_times(const JsonNode& node, MemoryLevel& level) {
  node.require(level.scope == LevelScope::ComputeUnit ? "latency" : "latency_s");
  set_cycles(node, "latency", level.latency);
  set_cycles(node, "cycles_per_line", level.cycles_per_line);
  set_rate<double>(node, "bytes_per_cycle", level.bytes_per_cycle);
  set_seconds(node, "latency_s", kMostSeconds, level.latency_s);
  set_rate<BytesPerSecond>(node, "read_bytes_per_s", level.read_rate);
  set_rate<BytesPerSecond>(node, "write_bytes_per_s", level.write_rate);
  set_rate<BytesPerSecond>(node, "mixed_bytes_per_s", level.mixed_rate);
  set_rate<BytesPerSecond>(node, "pin_bytes_per_s", level.pin_rate);
  set_rate<Hertz>(node, "lines_per_s", level.line_rate);
  for (const char* key : {"write_bytes_per_s", "mixed_bytes_per_s", "lines_per_s"})
    if (const auto other = node.find(key); other && !node.find("read_bytes_per_s"))
      other->fail("a level with another rate must have one of reads", "add \"read_bytes_per_s\"");
}

void read_size(const JsonNode& node, bool is_last, MemoryLevel& level) {
  set_whole(node, "bytes", 1, level.bytes);
  set_whole(node, "line_bytes", 1, level.line_bytes);
  set_whole(node, "sector_bytes", 1, level.sector_bytes);
  set_whole(node, "ways", 1, level.ways);
  set_whole(node, "parts", 1, level.parts);
  set_whole(node, "joined_units", 1, level.joined_units);
  if (level.joined_units > kMostJoinedUnits)
    node.fail(fmt::format("{} units load together", level.joined_units),
              fmt::format("write at most {} \"joined_units\"", kMostJoinedUnits));
  set_whole(node, "dirty_bytes", 1, level.dirty_bytes);
  if (level.line_bytes % level.sector_bytes != 0)
    node.fail(fmt::format("a line of {} bytes cannot be made of sectors of {}", level.line_bytes, level.sector_bytes),
              "write a \"line_bytes\" that is a multiple of \"sector_bytes\"");
  const auto masked = node.find("masked_writes");
  if (masked) level.masked_writes = masked->boolean().value_or(false);
  if (masked && !is_last)
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

void read_name(const JsonNode& node, const std::vector<MemoryLevel>& nearer, std::string& name) {
  const auto member = node.require("name");
  const auto text = member ? member->string() : std::nullopt;
  if (!text) return;
  if (!is_name(*text)) member->fail("the name of a level must be letters, digits and _, with no digit at the start");
  if (std::ranges::find(nearer, *text, &MemoryLevel::name) != nearer.end())
    member->fail(fmt::format("two levels cannot both be \"{}\"", *text), "rename one");
  name = *text;
}

void read_scope(const JsonNode& node, const std::vector<MemoryLevel>& nearer, bool is_last, LevelScope& scope) {
  set_choice(node, "scope", {named(LevelScope::ComputeUnit), named(LevelScope::Die), named(LevelScope::Device)}, scope);
  if (is_last && scope == LevelScope::ComputeUnit)
    node.fail("the memory behind the caches cannot be of a unit", "add it as a further level");
  if (!nearer.empty() && scope < nearer.back().scope)
    node.fail(fmt::format("a level of scope {} cannot stand behind one of scope {}", to_string(scope),
                          to_string(nearer.back().scope)),
              "write the levels in order, the nearest first");
}

/// @param nearer        the levels before it
/// @param sector_bytes  where it has none of its own
MemoryLevel read_level(const JsonNode& node, const std::vector<MemoryLevel>& nearer, bool is_last,
                       std::int64_t sector_bytes) {
  MemoryLevel level;
  level.sector_bytes = sector_bytes;
  if (!node.allow_keys({"name",
                        "scope",
                        "bytes",
                        "holds_shared_memory",
                        "line_bytes",
                        "sector_bytes",
                        "ways",
                        "parts",
                        "joined_units",
                        "write",
                        "dirty_bytes",
                        "masked_writes",
                        "latency",
                        "cycles_per_line",
                        "bytes_per_cycle",
                        "latency_s",
                        "read_bytes_per_s",
                        "write_bytes_per_s",
                        "mixed_bytes_per_s",
                        "pin_bytes_per_s",
                        "lines_per_s",
                        "source"}))
    return level;
  read_name(node, nearer, level.name);
  read_scope(node, nearer, is_last, level.scope);
  refuse_keys_of_other_scopes(node, level.scope);
  read_size(node, is_last, level);
  if (const auto flag = node.find("holds_shared_memory")) level.holds_shared_memory = flag->boolean().value_or(false);
  set_choice(node, "write", {named(WritePolicy::Through), named(WritePolicy::Back)}, level.write);
  read_times(node, level);
  set_source(node, level.source);
  return level;
}

/// @param transaction_bytes  the sectors of the nearest level, where that does not say it itself
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
  if (!node.allow_keys(
          {"bandwidth_bytes_per_s", "transaction_bytes", "banks", "bank_bytes", "store_latency_s", "levels"}))
    return;
  Memory& memory = target.emplace();
  set_rate<BytesPerSecond>(node, "bandwidth_bytes_per_s", memory.bandwidth);
  set_whole(node, "transaction_bytes", 1, memory.transaction_bytes);
  set_whole(node, "banks", 1, memory.banks);
  set_whole(node, "bank_bytes", 1, memory.bank_bytes);
  set_seconds(node, "store_latency_s", kMostSeconds, memory.store_latency);
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
