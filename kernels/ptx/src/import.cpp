#include "warpipe/ptx/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "balance_pipelines.hpp"
#include "decode.hpp"
#include "hoist_loads.hpp"
#include "merge_stores.hpp"
#include "parameter_places.hpp"
#include "predicate_accesses.hpp"
#include "predication.hpp"
#include "reducible.hpp"
#include "register_estimate.hpp"
#include "schedule.hpp"
#include "simplify.hpp"
#include "spill.hpp"
#include "straighten_branches.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/isa/import_texts.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/isa/wait_counters.hpp"
#include "wide_loads.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::int64_t kRegistersOfAThread = 255;  // of a thread, since compute capability 3.5
constexpr std::int64_t kRegistersOfAUnit = 65536;  // since compute capability 3.0, but for 3.7
constexpr int kSpillRounds = 16;
constexpr std::size_t kLongestSide = 7;
constexpr std::size_t kLongestWithAccesses = 15;
constexpr std::size_t kMostWaiting = 8;    // registers loaded ahead of their first use
constexpr std::int64_t kMostHoisted = 16;  // the same, from global memory, ahead of where the text loads them

/// Checks the launch against the limits of the entry, and the names of rules.
void check_options(const Function& entry, const ImportOptions& options) {
  isa::check_block(entry.name, {entry.required_block, entry.most_block, " (.reqntid)", " (.maxntid)"},
                   options.launch.block);
  std::vector<std::string> rules;
  for (const auto& rule : kRules) rules.emplace_back(rule.name);
  for (const auto& name : options.lowering.without)
    if (std::ranges::find(rules, name) == rules.end())
      throw UsageError(Diagnostic{fmt::format("`without {}`", name), "unknown rule", "",
                                  fmt::format("{}; one of: {}", suggest(name, rules), fmt::join(rules, ", "))});
}

/// Whether whole numbers have a pipeline beside the pipeline of multiply-adds, and neither does sums at twice the rate
/// of the other: from compute capability 7.0 to 10.x.
bool has_two_pipelines(int capability) { return capability >= 70 && capability < 120; }

/// "call vprintf (lines 12, 30, 41 and 2 more): what it prints is not counted": each instruction once, by its name.
std::vector<std::string> texts_of(const std::vector<SkippedInstruction>& skipped) {
  constexpr std::size_t kMostLines = 3;
  std::vector<std::pair<const SkippedInstruction*, std::vector<std::uint32_t>>> all;
  for (const auto& one : skipped) {
    auto found = std::ranges::find(all, one.name, [](const auto& known) { return known.first->name; });
    if (found == all.end()) found = all.insert(found, {&one, {}});
    found->second.push_back(one.line);
  }
  std::vector<std::string> texts;
  for (auto& [one, lines] : all) {
    const auto more = lines.size() > kMostLines ? lines.size() - kMostLines : 0;
    lines.resize(lines.size() - more);
    texts.push_back(fmt::format("{} (line{} {}{}){}{}", one->name, lines.size() > 1 ? "s" : "", fmt::join(lines, ", "),
                                more > 0 ? fmt::format(" and {} more", more) : "", one->why.empty() ? "" : ": ",
                                one->why));
  }
  return texts;
}

/// An import in the making: the stages, one after the other.
class Importer {
 public:
  Importer(const Module& module, const ImportOptions& options, Routine routine)
      : module_(module),
        options_(options),
        routine_(std::move(routine)),
        program_(decode(routine_, options.target.warp_size)),
        flow_(isa::analyse_control_flow(program_)),
        predication_(find_predication(routine_, flow_, is_on("predication") ? kLongestSide : 0)),
        definitions_(program_, flow_),
        lowered_(lower_routine(routine_, flow_, definitions_, predication_, options.lowering)),
        schedule_(schedule_loads(routine_, flow_, is_on("early-loads") ? kMostWaiting : 0)) {
    if (is_on("balanced-sums") && has_two_pipelines(options_.lowering.capability))
      balance_pipelines(routine_, lowered_);
    if (!options_.registers)
      estimate_ =
          estimate_registers(routine_, program_, flow_, lowered_, schedule_.blocks, options_.lowering.capability);
  }

  /// Moves values to memory where a thread has too few registers for them.
  /// @return the moved values; no words where all values fit, or none can go
  Spills spill_into(Routine& routine) const {
    if (estimate_.least <= kRegistersOfAThread) return {};
    return spill(routine, program_, flow_, estimate_.peak.registers, estimate_.least - kRegistersOfAThread);
  }

  const Routine& routine() const { return routine_; }
  /// The fewest registers per thread without a spill; 0 where they were given.
  std::int64_t least_registers() const { return estimate_.least; }

  Import run(std::int64_t first_estimate, const Spills& spills) {
    check_options(*module_.find(routine_.name), options_);
    isa::ImportReport report;
    report.device = options_.target.device;
    report.notes = isa::notes_of_launch(options_);
    report.calls = routine_.calls;
    report.removed = lowered_.removed;
    report.removed.insert(routine_.removed.begin(), routine_.removed.end());
    report.moved_loads = schedule_.moved + routine_.hoisted;
    report.skipped = texts_of(lowered_.skipped);
    report.assumptions = options_.assumed;
    report.assumptions.insert(report.assumptions.end(), lowered_.assumed.begin(), lowered_.assumed.end());
    report.registers_estimated = !options_.registers;
    report.registers = options_.registers ? *options_.registers : std::min(estimate_.registers, most_registers());
    note_spills(first_estimate, spills, report);
    if (std::ranges::any_of(routine_.instructions, ends_in_error))
      report.notes.emplace_back("checks that end the kernel in an error hold, where nobody knows what they check");
    if (const auto textures = std::ranges::count_if(routine_.instructions, reaches_texture); textures > 0)
      report.notes.push_back(isa::note_on_textures(static_cast<std::size_t>(textures)));
    if (routine_.duplicated > 0)
      report.notes.push_back(
          fmt::format("a loop is entered at several places: {} instructions stand there twice", routine_.duplicated));
    const auto plan = take_plan();
    auto import =
        isa::make_kernel({program_, flow_, definitions_, plan, isa::sizes_for(options_.target, program_.lanes)},
                         options_.launch, options_.parameter_names, std::move(report));
    // Instructions removed before the program was made count as well, so that the rest is what the rules leave.
    for (const auto& [rule, count] : routine_.removed) import.report.instructions += count;
    import.kernel.description =
        fmt::format("Imported from PTX: {} in blocks of {}, grid of {}", routine_.name,
                    isa::sizes_text(options_.launch.block), isa::sizes_text(options_.launch.grid));
    import.kernel.origin = origin(import.report);
    return import;
  }

 private:
  bool is_on(std::string_view rule) const { return !options_.lowering.without.contains(rule); }

  void note_spills(std::int64_t first_estimate, const Spills& spills, isa::ImportReport& report) const {
    if (options_.registers || first_estimate <= kRegistersOfAThread) return;
    const auto left = estimate_.least - kRegistersOfAThread;
    report.notes.push_back(fmt::format(
        "the estimate is {} registers, a thread has at most {}: {} spill to thread-private memory, by {} loads and {} "
        "stores that were added{}",
        first_estimate, kRegistersOfAThread, spills.words, spills.loads, spills.stores,
        left > 0 ? fmt::format("; the traffic of {} more is not counted", left) : ""));
  }

  /// The most registers per thread, by the entry's own limits for launches.
  std::int64_t most_registers() const {
    const auto& entry = *module_.find(routine_.name);
    auto most = std::min(kRegistersOfAThread, entry.most_registers.value_or(kRegistersOfAThread));
    if (const auto block = entry.required_block ? entry.required_block : entry.most_block) {
      const auto warps = ((*block)[0] * (*block)[1] * (*block)[2] + 31) / 32 * entry.least_groups.value_or(1);
      most = std::min(most, kRegistersOfAUnit / (32 * std::max<std::int64_t>(1, warps)) / 8 * 8);
    }
    return most;
  }

  /// The result of the rules for the routine.
  isa::IssuePlan take_plan() {
    isa::IssuePlan plan;
    plan.order = schedule_.blocks;
    plan.branch_of = predication_.branch_of;
    for (const auto& skipped : lowered_.skipped) plan.skipped.push_back(skipped.instruction);
    for (std::size_t i = 0; i < program_.instructions.size(); ++i) {
      auto& lowered = lowered_.instructions[i];
      program_.instructions[i].ops = std::move(lowered.ops);
      plan.left_out.push_back(lowered.gone);
      auto& after = plan.after.emplace_back();
      for (const auto producer : lowered.after) after.push_back({producer});
    }
    add_group_waits(plan);
    return plan;
  }

  /// Waits for groups of asynchronous copies and products.
  void add_group_waits(isa::IssuePlan& plan) const {
    const auto waited = isa::waited_for(program_, flow_);
    for (std::size_t i = 0; i < waited.size(); ++i)
      for (const auto& awaited : waited[i])
        if (!plan.left_out[awaited.instruction]) plan.after[i].push_back(awaited);
  }

  std::string origin(const isa::ImportReport& report) const {
    std::string rules = "; removed as ptxas would:";
    for (const auto& [rule, count] : lowered_.removed) rules += fmt::format(" {} ({})", rule, count);
    return isa::text_of({module_.file, routine_.name, fmt::format("PTX {} for {}", module_.version, module_.target),
                         "estimated from the values that are alive at a time", std::move(rules)},
                        options_, report);
  }

  const Module& module_;
  const ImportOptions& options_;
  Routine routine_;
  isa::Program program_;
  isa::ControlFlow flow_;
  Predication predication_;
  isa::ReachingDefinitions definitions_;
  Lowered lowered_;
  Schedule schedule_;
  RegisterEstimate estimate_;
};

}  // namespace

namespace {

Import import_once(const Module& module, const ImportOptions& options) {
  auto routine = inline_calls(module, options.entry);
  make_reducible(routine);
  read_indexed_parameters(routine);
  straighten_branches(routine);
  const auto on = [&](const char* rule) { return !options.lowering.without.contains(rule); };
  const auto count = [&](const char* rule, std::size_t gone) {
    if (gone > 0) routine.removed[rule] = gone;
  };
  if (on("stores")) count("stores", merge_stores(routine));
  const auto with_branches = routine.instructions.size();
  if (on("guarded-accesses")) predicate_accesses(routine, kLongestWithAccesses);
  count("guarded-accesses", with_branches - routine.instructions.size());
  if (on("early-loads")) routine.hoisted = hoist_loads(routine, kMostHoisted);
  if (on("wide-loads")) count("wide-loads", widen_loads(routine));
  auto importer = std::make_unique<Importer>(module, options, std::move(routine));
  const auto first_estimate = importer->least_registers();
  Spills spills;
  for (int round = 0; round < kSpillRounds; ++round) {
    auto smaller = importer->routine();
    const auto more = importer->spill_into(smaller);
    if (more.words == 0) break;
    spills.words += more.words;
    spills.loads += more.loads;
    spills.stores += more.stores;
    importer = std::make_unique<Importer>(module, options, std::move(smaller));
  }
  auto made = importer->run(first_estimate, spills);
  made.kernel.name = isa::qualified_name(made.kernel.name);
  return made;
}

}  // namespace

Import import_ptx(const Module& module, const ImportOptions& options) {
  return isa::import_or_ask(options.launch.assume, !options.assumed.empty(), [&](bool assume) {
    auto settled = options;
    settled.launch.assume = settled.lowering.assume = assume;
    settled.lowering.capability = capability(options.target.name.empty() ? module.target : options.target.name);
    return import_once(module, settled);
  });
}

}  // namespace warpipe::ptx
