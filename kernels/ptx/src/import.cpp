#include "warpipe/ptx/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "import_report.hpp"
#include "kernel_builder.hpp"
#include "kind_clusters.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/ptx/opcodes.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::int64_t kMostThreads = 1024;  // of a group, in CUDA
constexpr std::int64_t kMostGroups = std::int64_t{1} << 40;
constexpr std::int64_t kSpareRegisters = 2;  // that compilers keep beside the live values
constexpr std::size_t kMostKinds = 1024;
constexpr std::size_t kMostSteps = std::size_t{1} << 20;  // instructions x warps of a group x kinds
constexpr double kWorthANote = 0.01;                      // share of the work
constexpr std::size_t kLongestSide = 7;
constexpr std::size_t kMostWaiting = 8;  // registers loaded ahead of their first use

[[noreturn]] void refuse(std::string option, std::string rule, std::string found) {
  throw UsageError(Diagnostic{std::move(option), std::move(rule), std::move(found), ""});
}

std::string to_string(const Dimensions& sizes) { return fmt::format("{}x{}x{}", sizes[0], sizes[1], sizes[2]); }

void check_launch(const Function& entry, const ImportOptions& options) {
  const auto& launch = options.launch;
  std::int64_t threads = 1, groups = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (launch.block[axis] < 1 || launch.block[axis] > kMostThreads)
      refuse("--block", "a block has 1 to 1024 threads along each dimension", "found " + to_string(launch.block));
    if (launch.grid[axis] < 1 || launch.grid[axis] > kMostGroups / groups)
      refuse("--grid", "a grid has 1 to 2^40 groups", "found " + to_string(launch.grid));
    threads *= launch.block[axis];
    groups *= launch.grid[axis];
  }
  if (threads > kMostThreads) refuse("--block", "a block has at most 1024 threads", fmt::format("found {}", threads));
  if (launch.warp_size < 1 || launch.warp_size > 64)
    refuse("device", "a warp of an imported kernel has at most 64 lanes", fmt::format("found {}", launch.warp_size));
  if (launch.dynamic_shared_memory < 0 || launch.dynamic_shared_memory > (1 << 30))
    refuse("--dynamic-shared-memory", "it is at most 2^30 bytes",
           fmt::format("found {}", launch.dynamic_shared_memory));
  if (entry.required_block && *entry.required_block != launch.block)
    refuse("--block",
           fmt::format("\"{}\" is compiled for blocks of {} (.reqntid)", entry.name, to_string(*entry.required_block)),
           "found " + to_string(launch.block));
  if (entry.most_threads && threads > *entry.most_threads)
    refuse("--block",
           fmt::format("\"{}\" is compiled for at most {} threads (.maxntid)", entry.name, *entry.most_threads),
           fmt::format("found {}", threads));
  std::vector<std::string> rules;
  for (const auto& rule : kRules) rules.emplace_back(rule.name);
  for (const auto& name : options.lowering.without)
    if (std::ranges::find(rules, name) == rules.end())
      throw UsageError(Diagnostic{"--without " + name, "there is no such rule", "",
                                  fmt::format("{}; one of: {}", suggest(name, rules), fmt::join(rules, ", "))});
}

/// An import in the making: the stages, one after the other.
class Importer {
 public:
  Importer(const Module& module, const ImportOptions& options)
      : module_(module),
        options_(options),
        routine_(inline_calls(module, options.entry)),
        flow_(analyse_control_flow(routine_)),
        slice_(find_slice(routine_)),
        predication_(
            find_predication(routine_, flow_, options.lowering.without.contains("predication") ? 0 : kLongestSide)),
        definitions_(routine_, flow_),
        lowered_(lower_routine(routine_, flow_, definitions_, predication_, options.lowering)),
        schedule_(
            schedule_loads(routine_, flow_, options.lowering.without.contains("early-loads") ? 0 : kMostWaiting)) {}

  Import run() {
    check_launch(*module_.find(routine_.name), options_);
    const auto arguments = bind_arguments(routine_, options_.launch, options_.parameter_names);
    Execution execution = execute({routine_, flow_, slice_, predication_, options_.launch, arguments,
                                   options_.parameter_names, issued_by_block()});
    const auto all = tally(flow_, execution);
    result_.report = report_on({routine_, flow_, slice_, lowered_, schedule_, execution}, all);
    result_.report.registers_estimated = !options_.registers;
    result_.report.registers = options_.registers ? *options_.registers : estimated_registers();
    add_notes(execution);
    build(execution);
    if (result_.kernel.instructions.empty())
      throw InputError(Diagnostic{module_.file, fmt::format("\"{}\" does something", routine_.name),
                                  "found a kernel that issues nothing", "check the arguments: no group has work"});
    describe(execution, all);
    return std::move(result_);
  }

 private:
  std::int64_t estimated_registers() const {
    std::vector<bool> free(routine_.registers.size(), false), written(routine_.registers.size(), false);
    for (std::size_t i = 0; i < routine_.instructions.size(); ++i) {
      const auto& rule = lowered_.instructions[i].rule;
      for (const auto reg : written_registers(routine_.instructions[i])) {
        const bool operand = rule == "arguments" || rule == "constants";
        free[reg] = operand && (!written[reg] || free[reg]);
        written[reg] = true;
      }
    }
    return most_live_registers(routine_, flow_, schedule_, free) + kSpareRegisters;
  }

  std::vector<std::int64_t> issued_by_block() const {
    std::vector<std::int64_t> issued(flow_.blocks.size(), 0);
    for (std::size_t i = 0; i < routine_.instructions.size(); ++i)
      if (!lowered_.instructions[i].gone)
        issued[flow_.block_of[i]] += static_cast<std::int64_t>(lowered_.instructions[i].ops.size());
    return issued;
  }

  /// With as many kinds of groups as a kernel may have.
  void build(Execution& execution) {
    const auto warps = execution.kinds.front().warps.size();
    for (auto most = kMostKinds;; most /= 2) {
      const auto clusters = cluster_kinds(execution.kinds, most);
      KernelBuilder builder(routine_, flow_, lowered_, schedule_, execution, clusters.kinds);
      result_.kernel = builder.build();
      const auto steps = clusters.kinds.size() * warps * result_.kernel.instructions.size();
      if (steps > kMostSteps && clusters.kinds.size() > 1) continue;
      for (const auto& note : builder.notes()) result_.report.notes.push_back(note);
      if (clusters.kinds.size() < execution.kinds.size() && clusters.within > kWorthANote)
        result_.report.notes.push_back(
            fmt::format("{} kinds of groups were put together to {}, by the instructions they issue: within one they "
                        "differ by at most "
                        "{:.1f} %, in sum by {:.2f} %",
                        execution.kinds.size(), clusters.kinds.size(), 100 * clusters.within, 100 * clusters.total));
      if (!result_.kernel.kinds) return;
      result_.kernel.kinds->of_group = renamed(execution.order, clusters.of);
      merge_equal_kinds(*result_.kernel.kinds);
      return;
    }
  }

  void add_notes(const Execution& execution) {
    auto& notes = result_.report.notes;
    const auto& survey = execution.survey;
    if (survey.sampled && survey.uncertain > kWorthANote)
      notes.push_back(
          fmt::format("groups behave in no order that was found: {} of {} were looked at, the others are taken to be "
                      "like those nearest "
                      "to them; by {} further ones, what they issue in all is known to about {:.1f} %",
                      survey.looked_at, survey.groups, survey.checked, 100 * survey.uncertain));
    for (const auto& [label, share] : options_.launch.taken)
      if (share > 0 && share < 1)
        notes.push_back(fmt::format("the branch {} is taken by {} of the lanes, drawn evenly", label, share));
    for (const auto& name : lowered_.skipped) notes.push_back("left out: " + name);
  }

  void describe(const Execution& execution, const Tally& all) {
    auto& kernel = result_.kernel;
    const auto& launch = options_.launch;
    kernel.name = routine_.name;
    kernel.file = module_.file;
    kernel.description = fmt::format("Imported from PTX: {} in blocks of {}, grid of {}", routine_.name,
                                     to_string(launch.block), to_string(launch.grid));
    kernel.launch.group_size = Expression(static_cast<double>(launch.block[0] * launch.block[1] * launch.block[2]));
    kernel.launch.groups = Expression(static_cast<double>(launch.grid[0] * launch.grid[1] * launch.grid[2]));
    kernel.resources.registers_per_thread = Expression(static_cast<double>(result_.report.registers));
    kernel.resources.shared_memory_per_group = Expression(static_cast<double>(execution.shared_memory));
    double flops = 0, bytes = 0;
    for (std::uint32_t i = 0; i < routine_.instructions.size(); ++i) {
      const auto& instruction = routine_.instructions[i];
      flops += all.lanes[flow_.block_of[i]] * flops_of(instruction);
      const auto reached = all.accesses.find(i);
      const auto space = instruction.space();
      if (reached != all.accesses.end() && (space == StateSpace::Global || space == StateSpace::Generic))
        bytes += 32 * reached->second.segments.sum;
    }
    if (flops > 0) kernel.work.flops = Expression(flops);
    if (bytes > 0) kernel.work.bytes = Expression(bytes);
    if (bytes > 0) kernel.work.compulsory_bytes = Expression(std::min(bytes, execution.compulsory_bytes));
    kernel.origin = origin();
  }

  std::string origin() const {
    std::string text = fmt::format("imported from {}, entry {}, PTX {} for {}",
                                   std::filesystem::path(module_.file).filename().string(), routine_.name,
                                   module_.version, module_.target);
    for (const auto& [name, value] : options_.launch.arguments) text += fmt::format(", {} = {}", name, value);
    text += fmt::format(
        "; {} registers a thread, {}", result_.report.registers,
        options_.registers ? options_.registers_from : "estimated from the values that are alive at a time");
    text += "; removed as ptxas would:";
    for (const auto& [rule, count] : lowered_.removed) text += fmt::format(" {} ({})", rule, count);
    text += "; bytes of work are 32 for each segment that an access touches";
    for (const auto& note : result_.report.notes) text += "; " + note;
    return text;
  }

  const Module& module_;
  const ImportOptions& options_;
  Routine routine_;
  ControlFlow flow_;
  Slice slice_;
  Predication predication_;
  ReachingDefinitions definitions_;
  Lowered lowered_;
  Schedule schedule_;
  Import result_;
};

}  // namespace

Import import_ptx(const Module& module, const ImportOptions& options) { return Importer(module, options).run(); }

}  // namespace warpipe::ptx
