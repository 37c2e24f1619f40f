#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpipe::detail {
namespace {

constexpr std::int64_t kSectorBytes = 32;
constexpr std::int64_t kSectors = 4;  ///< of a coalesced access of 32 lanes x 4 bytes

Latency constant(double cycles) { return Latency{{{1, cycles}}}; }

/// @return index of the pipeline with this name, added if missing
std::size_t pipeline_of(Device& device, const std::string& name, Scope scope) {
  const auto found = std::ranges::find(device.pipelines, name, &Pipeline::name);
  if (found != device.pipelines.end()) return static_cast<std::size_t>(found - device.pipelines.begin());
  device.pipelines.push_back({name, scope, std::nullopt});
  return device.pipelines.size() - 1;
}

Source simulator(std::string reference, std::string method = {}) {
  return {SourceKind::Simulator, std::move(reference), "", std::move(method), ""};
}

/// As many units as schedulers make a pipeline per scheduler; any other number is one pipeline, taken in turns.
Op arithmetic_op(const OpPair& pair, const UnitCount& unit, Device& device) {
  const bool for_each_scheduler = device.schedulers == unit.count;
  const auto units = static_cast<double>(for_each_scheduler ? 1 : unit.count);
  Op op;
  op.name = pair.op;
  op.pipeline = pipeline_of(device, unit.pipeline, for_each_scheduler ? Scope::Scheduler : Scope::ComputeUnit);
  op.issue = constant(pair.initiation / units);
  op.completion = constant(pair.latency);
  op.source = simulator(pair.reference, units > 1 ? fmt::format("initiation interval / {} units", units) : "");
  return op;
}

/// The latencies of one path through the memories, added up.
struct Path {
  double cycles = 0;
  std::string reference;

  /// @param names  of the option, the current name first
  /// @return whether the files have it
  bool add(const ConfigOptions& options, std::initializer_list<const char*> names) {
    for (const std::string name : names) {
      const auto latency = options.whole(name, 0);
      if (!latency) continue;
      const auto* option = options.find(name);
      if (!reference.empty()) reference += "; ";
      reference += fmt::format("{}: {} {}", option->where, name, option->value);
      cycles += static_cast<double>(*latency);
      return true;
    }
    return false;
  }
};

Op access(const std::string& name, const Path& path, Device& device, std::string method) {
  Op op;
  op.name = name;
  op.pipeline = pipeline_of(device, "memory", Scope::ComputeUnit);
  op.issue = constant(1);
  op.completion = constant(path.cycles);
  op.source = simulator(path.reference, std::move(method));
  return op;
}

void add_local(const ConfigOptions& options, Device& device) {
  Path path;
  if (!path.add(options, {"-gpgpu_smem_latency", "-smem_latency"})) return;
  for (const auto* name : {"shared.load", "shared.store"}) {
    auto op = access(name, path, device, "one cycle a warp instruction, one more for each further way of a conflict");
    op.per_conflict = Increment{Cycles{1}, Cycles{1}};
    device.ops.push_back(std::move(op));
  }
}

constexpr auto kSum = "the sum of them; the interconnect and the queues of the simulator come on top";

/// The bus in front of DRAM.
Then dram_bus(Device& device, double bytes_per_second, double after) {
  const double sector = static_cast<double>(kSectorBytes) * device.clock.count / bytes_per_second;
  Then then;
  then.pipeline = pipeline_of(device, "dram", Scope::Device);
  then.issue = constant(static_cast<double>(kSectors) * sector);
  then.after = Cycles{after};
  then.per_transaction = Cycles{sector};
  return then;
}

/// The ways to the caches and to DRAM, as far as the files give their lengths.
struct Ways {
  std::optional<Path> l1, l2, dram;
};

Ways ways(const ConfigOptions& options) {
  Ways ways;
  Path path;
  if (!path.add(options, {"-gpgpu_l1_latency"})) return ways;
  ways.l1 = path;
  if (!path.add(options, {"-gpgpu_l2_rop_latency", "-rop_latency"})) return ways;
  ways.l2 = path;
  if (path.add(options, {"-dram_latency"})) ways.dram = path;
  return ways;
}

MemoryLevel cache_level(const std::string& name, const ConfigCache& cache, const Path& path) {
  MemoryLevel level;
  level.name = name;
  level.bytes = cache.bytes;
  level.line_bytes = cache.line_bytes;
  level.ways = cache.ways;
  level.source = simulator(fmt::format("{}; {}", path.reference, cache.reference), kSum);
  return level;
}

/// The caches of a device with all properties of a level in its files.
/// @param l2  of each of its slices
void add_levels(const ConfigOptions& options, const Ways& ways, const ConfigCache& l1, const ConfigCache& l2,
                Device& device) {
  const auto seconds = [&](const Path& path) { return Seconds{path.cycles / device.clock.count}; };
  Memory& memory = *device.memory;
  MemoryLevel first = cache_level("l1", l1, *ways.l1);
  first.scope = LevelScope::ComputeUnit;
  first.write = WritePolicy::Through;
  first.latency = Cycles{ways.l1->cycles};
  first.source->method = "a line a cycle";
  first.cycles_per_line = Cycles{1};
  if (const auto kilobytes = options.whole("-gpgpu_unified_l1d_size", 1)) {
    first.bytes = *kilobytes * 1024;
    first.holds_shared_memory = true;
  }
  MemoryLevel second = cache_level("l2", l2, *ways.l2);
  const auto channels = options.whole("-gpgpu_n_mem", 1).value_or(1);
  const auto slices = options.whole("-gpgpu_n_sub_partition_per_mchannel", 1).value_or(1);
  const double bytes = static_cast<double>(*second.bytes) * static_cast<double>(channels) * static_cast<double>(slices);
  second.bytes = static_cast<std::int64_t>(std::min(bytes, 9e18));  // more than a file may hold: reading reports it
  second.latency_s = seconds(*ways.l2);
  MemoryLevel last;
  last.name = "dram";
  last.latency_s = seconds(*ways.dram);
  last.read_rate = last.pin_rate = memory.bandwidth;
  last.source = simulator(ways.dram->reference, fmt::format("{}, and the timing of DRAM", kSum));
  memory.levels = {std::move(first), std::move(second), std::move(last)};
  memory.bandwidth.reset();
  const Path none{0, ways.l1->reference};
  device.ops.push_back(access("global.load", none, device, "what the levels add to it is theirs"));
  device.ops.push_back(access("global.store", none, device, "what the levels add to it is theirs"));
  device.ops.back().retires_at_issue = true;
}

/// All loads go to DRAM.
void add_way_to_dram(const Ways& ways, Device& device) {
  auto load = access("global.load", *ways.dram, device, fmt::format("{}, and the timing of DRAM", kSum));
  load.transactions = kSectors;
  load.then.push_back(dram_bus(device, device.memory->bandwidth->count, ways.l2->cycles));
  auto store = load;
  store.name = "global.store";
  store.completion = constant(1);
  store.retires_at_issue = true;
  store.source->method = "nobody waits for a store; the way to DRAM as of a load";
  device.ops.push_back(std::move(load));
  device.ops.push_back(std::move(store));
}

void add_global(const ConfigOptions& options, Device& device, std::vector<std::string>& notes) {
  const Ways found = ways(options);
  if (!found.dram || !device.memory || !device.memory->bandwidth) return;
  const auto l1 = options.cache("-gpgpu_cache:dl1"), l2 = options.cache("-gpgpu_cache:dl2");
  if (l1 && l2) return add_levels(options, found, *l1, *l2, device);
  notes.emplace_back(
      "the device has no caches: -gpgpu_cache:dl1 and -gpgpu_cache:dl2 are not both given as TYPE:SETS:BYTES:WAYS; "
      "every load of global memory goes to DRAM");
  add_way_to_dram(found, device);
}

}  // namespace

void add_arithmetic(const ConfigOptions& options, Device& device, std::vector<std::string>& notes) {
  for (const auto& pair : op_pairs(options, notes)) {
    const auto unit = unit_of(pair.unit, options);
    if (unit.count == 0)
      notes.push_back(
          fmt::format("{} is left out: the files have its latency, but no {} unit", pair.op, unit.pipeline));
    else
      device.ops.push_back(arithmetic_op(pair, unit, device));
  }
}

void add_memory(const ConfigOptions& options, Device& device, std::vector<std::string>& notes) {
  add_local(options, device);
  add_global(options, device, notes);
}

}  // namespace warpipe::detail
