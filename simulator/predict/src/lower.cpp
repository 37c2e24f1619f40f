#include "warpipe/predict/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "kernel_values.hpp"
#include "lower_stream.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel_numbers.hpp"
#include "warpipe/predict/group_kinds.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kMostCells = std::int64_t{1} << 27;  // 1 GiB of completion times
constexpr std::size_t kMostSteps = std::size_t{1} << 22;    // of all streams: 256 MiB

FairShare fair_share(const Launch& launch, Units units) {
  if (units == Units::All) return {};
  return {launch.groups.value, launch.groups_per_unit};
}

Ticks ticks_of(Seconds time, const Device& device) { return round_to_ticks(Cycles{time.count * device.clock.count}); }

/// *idle* of rule 4, where a pipeline stands for a level.
std::optional<Ticks> level_latency(const Device& device, const Pipeline& pipeline) {
  if (!pipeline.level) return std::nullopt;
  return ticks_of(device.memory->levels[*pipeline.level].latency_s, device);
}

Machine machine_of(const Kernel& kernel, const Device& device, const Launch& launch, Units units) {
  Machine machine;
  for (const Pipeline& pipeline : device.pipelines) {
    std::optional<Ticks> backlog;
    if (pipeline.backlog) backlog = round_to_ticks(*pipeline.backlog);
    machine.pipelines.push_back({pipeline.scope, backlog, level_latency(device, pipeline)});
  }
  const bool one = units == Units::One;
  machine.units = one ? 1 : device.compute_units;
  machine.schedulers = device.schedulers.value_or(0);
  machine.group_slots = launch.slots;
  machine.groups = one ? launch.groups_per_unit : launch.groups.value;
  machine.policy = policy_of(kernel, device);
  machine.warp_interval = round_to_ticks(device.warp_interval);
  machine.group_launch_latency = round_to_ticks(device.group_launch_latency);
  machine.group_dispatch_interval = fair_share(launch, units).of(round_to_ticks(device.group_dispatch_interval));
  machine.launch_begin = ticks_of(device.launch_begin, device);
  return machine;
}

void check_size(const Program& program, const Launch& launch) {
  std::int64_t cells = 1;
  for (const InstructionStream& stream : program.streams) cells = std::max<std::int64_t>(cells, stream.cells);
  if (program.machine.units > kMostCells / launch.resident_warps / cells)
    throw ModelError(Diagnostic{
        "launch", fmt::format("a simulation can keep at most {} completion times", kMostCells),
        fmt::format("found {} units x {} warps x {} cells", program.machine.units, launch.resident_warps, cells),
        "use `units = one`, fewer resident warps, or smaller distances in \"back\""});
  if (program.machine.groups > INT64_MAX / 2 / launch.warps_per_group)
    throw ModelError(
        Diagnostic{"launch", "there are more than 2^62 warps",
                   fmt::format("found {} groups of {} warps", program.machine.groups, launch.warps_per_group),
                   "use fewer groups"});
}

/// The names used by the kernel's body that differ from warp to warp or from kind to kind.
std::vector<std::string> names_that_matter(const Kernel& kernel, const LaunchShape& shape) {
  std::set<std::string> used;
  const NameSet names = names_that_vary(kernel);
  const auto note = [&](const KernelNumber& number) {
    if (!number.expression.uses_any(names)) return;
    for (const std::string& name : number.expression.names())
      if (names.contains(name)) used.insert(name);
  };
  for_each_number(kernel.body, note);
  for (const Instruction& instruction : kernel.instructions) for_each_number(instruction, note);
  if (!shape.first_groups.empty()) used.insert("kind");  // each kind has a first group of its own
  return {used.begin(), used.end()};
}

/// Lowers the kinds of groups of a launch. Equal streams and equal kinds become one.
class KindLowering {
 public:
  KindLowering(const KernelValues& expressions, const Device& device, const Launch& launch, FairShare share,
               Program& program)
      : kernel_(expressions.kernel()),
        launch_(launch),
        streams_(expressions, device, launch, share),
        names_(names_that_matter(kernel_, launch.shape)),
        program_(program) {}

  /// Adds the kind with a number of the kernel, unless the program has an equal kind.
  /// @return index into Program::kinds
  std::uint32_t add(std::int64_t number) {
    GroupKind kind;
    for (std::int64_t warp = 0; warp < launch_.warps_per_group; ++warp) kind.push_back(stream_of(number, warp));
    const auto [known, is_new] = kinds_.emplace(kind, static_cast<std::uint32_t>(program_.kinds.size()));
    if (is_new) program_.kinds.push_back(std::move(kind));
    return known->second;
  }

 private:
  std::uint32_t stream_of(std::int64_t kind, std::int64_t warp) {
    const Values values = body_values(kernel_, launch_.values, kind, warp);
    std::vector<double> key;
    for (const std::string& name : names_) key.push_back(values.at(name));
    const auto [known, is_new] = by_values_.emplace(std::move(key), 0);
    if (is_new) known->second = add_stream(values, kind, warp);
    return known->second;
  }

  std::uint32_t add_stream(const Values& values, std::int64_t kind, std::int64_t warp) {
    InstructionStream stream = streams_.lower(values);
    std::vector<std::uint32_t>& alike = by_runs_[stream.runs];
    for (const std::uint32_t known : alike)
      if (is_same(program_.streams[known], stream)) return known;
    steps_ += stream.steps.size();
    if (steps_ > kMostSteps)
      throw ModelError(Diagnostic{"launch",
                                  fmt::format("warps that differ can have at most {} instructions in all, loops "
                                              "counted once",
                                              kMostSteps),
                                  fmt::format("found more for {} different warps", program_.streams.size() + 1),
                                  "use fewer kinds of groups, or smaller groups"});
    stream.first_kind = kind;
    stream.first_warp = warp;
    alike.push_back(static_cast<std::uint32_t>(program_.streams.size()));
    program_.streams.push_back(std::move(stream));
    return alike.back();
  }

  /// Compares without the first kind and warp of the stream.
  static bool is_same(const InstructionStream& known, InstructionStream& stream) {
    stream.first_kind = known.first_kind;
    stream.first_warp = known.first_warp;
    return stream == known;
  }

  const Kernel& kernel_;
  const Launch& launch_;
  StreamLowering streams_;
  std::vector<std::string> names_;
  Program& program_;
  std::size_t steps_ = 0;
  std::map<std::vector<double>, std::uint32_t> by_values_;
  std::map<std::vector<std::int64_t>, std::vector<std::uint32_t>> by_runs_;
  std::map<GroupKind, std::uint32_t> kinds_;
};

/// A saturating sum.
void add_at_most(std::int64_t& sum, std::int64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = INT64_MAX;
}

/// Instructions issued by a group of each kind.
std::vector<std::int64_t> work_of_kinds(const Program& program) {
  std::vector<std::int64_t> of_stream, of_kind;
  for (const InstructionStream& stream : program.streams) {
    std::int64_t& issued = of_stream.emplace_back(0);
    for (const std::int64_t runs : stream.runs) add_at_most(issued, runs);
  }
  for (const GroupKind& kind : program.kinds) {
    std::int64_t& issued = of_kind.emplace_back(0);
    for (const std::uint32_t stream : kind) add_at_most(issued, of_stream[stream]);
  }
  return of_kind;
}

/// Removes kinds and streams of no group in the program's order.
void forget_unused(Program& program) {
  constexpr std::uint32_t kUnused = UINT32_MAX;
  std::vector<std::uint32_t> kind_of(program.kinds.size(), kUnused), stream_of(program.streams.size(), kUnused);
  std::vector<GroupKind> kinds;
  std::vector<InstructionStream> streams;
  std::vector<GroupOrder::Run> runs = program.order.runs();
  for (GroupOrder::Run& run : runs) {
    if (kind_of[run.kind] == kUnused) {
      kind_of[run.kind] = static_cast<std::uint32_t>(kinds.size());
      kinds.push_back(program.kinds[run.kind]);
      for (std::uint32_t& stream : kinds.back()) {
        if (stream_of[stream] == kUnused) {
          stream_of[stream] = static_cast<std::uint32_t>(streams.size());
          streams.push_back(std::move(program.streams[stream]));
        }
        stream = stream_of[stream];
      }
    }
    run.kind = kind_of[run.kind];
  }
  program.kinds = std::move(kinds);
  program.streams = std::move(streams);
  program.order = GroupOrder(runs);
}

/// How well the simulated groups stand for all groups of the launch.
GroupSample sample_of(const GroupOrder& all, std::int64_t total, const Program& program,
                      const std::vector<std::int64_t>& work) {
  const auto mean_work = [&](const GroupOrder& order, std::int64_t groups) {
    double sum = 0;
    const std::vector<std::int64_t> counts = order.counts(work.size(), groups);
    for (std::size_t kind = 0; kind < work.size(); ++kind)
      sum += static_cast<double>(counts[kind]) * static_cast<double>(work[kind]);
    return sum / static_cast<double>(groups);
  };
  const auto kinds_in = [&](const GroupOrder& order, std::int64_t groups) {
    return std::ranges::count_if(order.counts(work.size(), groups), [](std::int64_t count) { return count > 0; });
  };
  GroupSample sample{kinds_in(all, total), kinds_in(program.order, program.machine.groups)};
  const double of_all = mean_work(all, total), of_simulated = mean_work(program.order, program.machine.groups);
  if (of_all == 0) return sample;
  sample.excess = of_simulated / of_all - 1;
  sample.largest = static_cast<double>(std::ranges::max(work)) / of_all;
  return sample;
}

/// Finds the kinds of groups, and the groups to simulate.
void lower_kinds(Program& program, const KernelValues& expressions, const Device& device, const Launch& launch,
                 FairShare share) {
  const LaunchKinds kinds =
      expressions.in_file([&] { return launch_kinds(expressions.kernel(), launch.values, launch.groups.value); });
  KindLowering lowering(expressions, device, launch, share, program);
  std::vector<std::uint32_t> lowered;
  for (const std::int64_t number : kinds.numbers)
    lowered.push_back(expressions.in_file([&] { return lowering.add(number); }));
  std::vector<GroupOrder::Run> runs = kinds.order.runs();
  for (GroupOrder::Run& run : runs) run.kind = lowered[run.kind];
  const GroupOrder all(runs);
  const std::vector<std::int64_t> work = work_of_kinds(program);
  program.order =
      expressions.in_file([&] { return sample_groups(all, launch.groups.value, work, program.machine.groups); });
  program.sample = sample_of(all, launch.groups.value, program, work);
  forget_unused(program);
}

/// Whether a warp stores to global memory, or has an atomic do so (rule 8).
bool writes(const Program& program, const Kernel& kernel) {
  const auto writes_to_memory = [&](std::uint32_t instruction) {
    const std::string& op = kernel.instructions[instruction].op;
    return op.starts_with("global.store") || op.starts_with("global.atomic");
  };
  return std::ranges::any_of(program.streams, [&](const InstructionStream& stream) {
    return std::ranges::any_of(stream.instructions, writes_to_memory);
  });
}

std::vector<BoundSignal> bind_signals(const KernelValues& expressions, const Launch& launch) {
  std::vector<BoundSignal> bound;
  for (const Signal& signal : expressions.kernel().signals)
    bound.push_back({signal.name,
                     expressions.evaluate_whole(signal.arrivals, launch.values, 1, signal.where + "/arrivals"),
                     expressions.evaluate_whole(signal.open, launch.values, 0, signal.where + "/open")});
  return bound;
}

}  // namespace

Program lower(const Kernel& kernel, const Device& device, const Launch& launch, const LaunchOptions& options) {
  Program program;
  program.machine = machine_of(kernel, device, launch, options.units);
  const KernelValues expressions(kernel, options);
  lower_kinds(program, expressions, device, launch, fair_share(launch, options.units));
  program.signals = bind_signals(expressions, launch);
  if (writes(program, kernel)) program.machine.launch_end = ticks_of(device.launch_end, device);
  assign_issue_ports(program);
  check_size(program, launch);
  return program;
}

Program lower(const SettledLaunch& settled) {
  return lower(settled.kernel, settled.device, settled.launch, settled.options);
}

}  // namespace warpipe
