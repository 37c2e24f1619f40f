#include "warpipe/latency_tables/simulator_config.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "config.hpp"

namespace warpipe {
namespace {

using detail::ConfigOptions;

/// The common vocabulary of the device format.
constexpr std::array<std::string_view, 38> kVocabulary{
    "iadd",          "imul",        "imad",         "shift",         "logic",         "compare",
    "select",        "convert",     "index",        "fadd",          "fmul",          "ffma",
    "fdiv",          "dadd",        "dmul",         "dfma",          "ddiv",          "dsqrt",
    "hfma",          "rcp",         "rsqrt",        "sqrt",          "sin",           "cos",
    "exp2",          "log2",        "shuffle",      "vote",          "shared.load",   "shared.store",
    "shared.atomic", "global.load", "global.store", "global.atomic", "constant.load", "branch",
    "barrier",       "mma"};

void require_option(const ConfigOptions& options, const char* name, const std::string& file, Diagnostics& diagnostics) {
  if (options.find(name) != nullptr) return;
  diagnostics.add({file, fmt::format("the option {} is missing", name), "",
                   "give the simulator's gpgpusim.config, with others behind it"});
}

/// A rate, used as a divisor.
std::optional<double> positive(const ConfigOptions& options, const char* name, std::size_t place,
                               Diagnostics& diagnostics) {
  const auto clocks = options.numbers(name, ':', place + 1);
  if (!clocks) return std::nullopt;
  if (clocks->at(place) > 0) return clocks->at(place) * 1e6;
  diagnostics.add({options.find(name)->where, fmt::format("the clocks of {} must be above 0", name),
                   fmt::format("found \"{}\"", options.find(name)->value), ""});
  return std::nullopt;
}

constexpr const char* kClocks = "-gpgpu_clock_domains";        // core:interconnect:L2:DRAM in MHz
constexpr const char* kWidth = "-gpgpu_shader_core_pipeline";  // threads:warp size

void read_warps(const ConfigOptions& options, Device& device, Diagnostics& diagnostics) {
  const auto values = options.numbers(kWidth, ':', 2);
  if (!values) return;
  const auto is_whole = [](double value) { return std::floor(value) == value; };
  if (!is_whole(values->at(0)) || !is_whole(values->at(1)) || values->at(1) < 1) {
    diagnostics.add({options.find(kWidth)->where,
                     fmt::format("{} must be THREADS:WARP_SIZE, two whole numbers", kWidth),
                     fmt::format("found \"{}\"", options.find(kWidth)->value), ""});
    return;
  }
  device.warp_size = static_cast<std::int64_t>(values->at(1));
  device.limits.warps_per_unit = static_cast<std::int64_t>(values->at(0)) / device.warp_size;
}

void read_limits(const ConfigOptions& options, Limits& limits) {
  limits.groups_per_unit = options.whole("-gpgpu_shader_cta", 0);
  limits.registers_per_unit = options.whole("-gpgpu_shader_registers", 0);
  limits.shared_memory_per_unit = options.whole("-gpgpu_shmem_size", 0);
  limits.shared_memory_per_group = options.whole("-gpgpu_shmem_per_block", 0);
}

void read_issue(const ConfigOptions& options, Device& device, std::vector<std::string>& notes) {
  device.schedulers = options.whole("-gpgpu_num_sched_per_core", 1);
  device.warp_interval = Cycles{1};
  if (options.whole("-gpgpu_max_insn_issue_per_warp", 1).value_or(1) > 1)
    notes.emplace_back("two instructions of a warp in one cycle are not modelled: a scheduler issues one per cycle");
  const auto* policy = options.find("-gpgpu_scheduler");
  if (policy == nullptr) return;
  if (policy->value == "gto")
    device.policy = Policy::GreedyOldest;
  else if (policy->value == "lrr")
    device.policy = Policy::RoundRobin;
  else
    notes.push_back(fmt::format("{}: the scheduler \"{}\" is not a known policy, {} takes its place", policy->where,
                                policy->value.substr(0, 40), to_string(device.policy)));
}

/// Channels x chips x bytes a beat x beats a clock x clock.
void read_memory_of_units(const ConfigOptions& options, Device& device, Diagnostics& diagnostics) {
  const auto channels = options.whole("-gpgpu_n_mem", 1);
  const auto chips = options.whole("-gpgpu_n_mem_per_ctrlr", 1);
  const auto bytes = options.whole("-gpgpu_dram_buswidth", 1);
  const auto beats = options.whole("-dram_data_command_freq_ratio", 1);
  const auto banks = options.whole("-gpgpu_shmem_num_banks", 1);
  const auto clock = options.find(kClocks) != nullptr ? positive(options, kClocks, 3, diagnostics) : std::nullopt;
  if (banks) device.memory.emplace().banks = *banks;
  if (!channels || !chips || !bytes || !beats || !clock) return;
  if (!device.memory) device.memory.emplace();
  device.memory->bandwidth =
      BytesPerSecond{static_cast<double>(*channels * *chips) * static_cast<double>(*bytes * *beats) * *clock};
}

void read_machine(const ConfigOptions& options, Device& device, Diagnostics& diagnostics) {
  const auto clusters = options.whole("-gpgpu_n_clusters", 1);
  const auto cores = options.whole("-gpgpu_n_cores_per_cluster", 1);
  if (clusters && cores) device.compute_units = *clusters * *cores;
  if (const auto clock = positive(options, kClocks, 0, diagnostics)) device.clock = Hertz{*clock};
  const auto major = options.whole("-gpgpu_compute_capability_major", 0);
  const auto minor = options.whole("-gpgpu_compute_capability_minor", 0);
  if (major && minor) device.architecture = fmt::format("compute capability {}.{}", *major, *minor);
  if (const auto cycles = options.whole("-gpgpu_TB_launch_latency", 0))
    device.group_launch_latency = Cycles{static_cast<double>(*cycles)};
  if (const auto cycles = options.whole("-gpgpu_kernel_launch_latency", 0))
    device.launch_overhead = Seconds{static_cast<double>(*cycles) / device.clock.count};
}

/// Numbers valid by themselves may combine to an impossible number: units without end, a bus at a standstill.
/// @return the device as read from its own file
Device readable(const Device& device, const std::string& file) {
  Device read = read_device_json(write_device_json(device), fmt::format("the device of {}", file));
  read.file.clear();
  return read;
}

std::vector<std::string> missing_ops(const Device& device) {
  std::vector<std::string> missing;
  for (const auto op : kVocabulary)
    if (device.find_op(op) == nullptr) missing.emplace_back(op);
  return missing;
}

}  // namespace

ImportedConfig import_simulator_config(const std::vector<ConfigFile>& files, const std::string& name) {
  Diagnostics diagnostics;
  const ConfigOptions options(files, diagnostics);
  for (const auto* needed : {"-gpgpu_n_clusters", "-gpgpu_n_cores_per_cluster", kClocks, kWidth})
    require_option(options, needed, files.front().name, diagnostics);
  ImportedConfig imported;
  auto& device = imported.device;
  device.name = name;
  device.title = fmt::format("simulator configuration, {}", files.front().name);
  read_machine(options, device, diagnostics);
  read_warps(options, device, diagnostics);
  read_limits(options, device.limits);
  read_issue(options, device, imported.notes);
  read_memory_of_units(options, device, diagnostics);
  detail::add_arithmetic(options, device, imported.notes);
  detail::add_memory(options, device, imported.notes);
  if (device.ops.empty())
    diagnostics.add({files.front().name, "no option gives the latency of an op", "",
                     "give the file with the -ptx_opcode_... or -trace_opcode_... options too"});
  diagnostics.throw_if_any();
  device = readable(device, files.front().name);
  imported.missing = missing_ops(device);
  return imported;
}

}  // namespace warpipe
