#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpipe::detail {
namespace {

constexpr std::int64_t kSectorBytes = 32;
constexpr std::int64_t kSectors = 4;  ///< of a coalesced access of 32 lanes x 4 bytes

Latency constant(double cycles) { return Latency{{{1, cycles}}}; }

/// @return index of the pipeline of that name, which is added where it is missing
std::size_t pipeline_of(Device& device, const std::string& name, Scope scope) {
  const auto found = std::ranges::find(device.pipelines, name, &Pipeline::name);
  if (found != device.pipelines.end()) return static_cast<std::size_t>(found - device.pipelines.begin());
  device.pipelines.push_back({name, scope, std::nullopt});
  return device.pipelines.size() - 1;
}

Source simulator(std::string reference, std::string method = {}) {
  return {SourceKind::Simulator, std::move(reference), "", std::move(method), ""};
}

/// As many units as schedulers are one for each; any other number is one pipeline that takes turns.
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

  /// @param names  of the option, today's first
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

void add_global(const ConfigOptions& options, Device& device) {
  Path path;
  if (!path.add(options, {"-gpgpu_l1_latency"})) return;
  device.ops.push_back(access("global.load.l1", path, device, ""));
  if (!path.add(options, {"-gpgpu_l2_rop_latency", "-rop_latency"})) return;
  const auto method = "the sum of them; the interconnect and the queues of the simulator come on top";
  device.ops.push_back(access("global.load.l2", path, device, method));
  const auto to_dram = path.cycles;
  const bool has_latency = path.add(options, {"-dram_latency"});
  const bool has_bandwidth = device.memory && device.memory->bandwidth;
  if (!has_latency || !has_bandwidth) return;
  auto load = access("global.load", path, device, fmt::format("{}, and the timing of DRAM", method));
  load.transactions = kSectors;
  load.then.push_back(dram_bus(device, device.memory->bandwidth->count, to_dram));
  auto store = load;
  store.name = "global.store";
  store.completion = constant(1);
  store.retires_at_issue = true;
  store.source->method = "nobody waits for a store; the way to DRAM as of a load";
  device.ops.push_back(std::move(load));
  device.ops.push_back(std::move(store));
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

void add_memory(const ConfigOptions& options, Device& device) {
  add_local(options, device);
  add_global(options, device);
}

}  // namespace warpipe::detail
