#include "warpipe/sass/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "called_code.hpp"
#include "program_reader.hpp"
#include "rows.hpp"
#include "scoreboards.hpp"
#include "warpipe/elf/container.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/float_parameters.hpp"
#include "warpipe/isa/import_texts.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/sass/least_distances.hpp"

namespace warpipe::sass {
namespace {

using isa::Assumption;

[[noreturn]] void refuse(std::string option, std::string rule, std::string found) {
  throw UsageError(Diagnostic{std::move(option), std::move(rule), std::move(found), ""});
}

void check_options(const Kernel& kernel, const isa::ImportOptions& options) {
  isa::check_block(kernel.symbol, {kernel.required_block, kernel.most_block, "", ""}, options.launch.block);
  if (!options.lowering.without.empty())
    refuse(fmt::format("`without {}`", *options.lowering.without.begin()),
           "machine code issues as it stands: no rule is applied to it", "leave it out");
}

/// Ops of unknown opcodes: as in the options, or left out.
class UnknownOpcodes {
 public:
  UnknownOpcodes(const Module& module, const Kernel& kernel, const isa::LoweringOptions& options)
      : module_(module), kernel_(kernel), options_(options) {}

  void settle(ReadKernel& read, isa::IssuePlan& plan, isa::ImportReport& report) {
    for (const auto index : read.unknown) {
      const auto& one = read.decoded[index];
      const auto* op = find(one.name);
      if (op == nullptr) note(one);
      if (op != nullptr && *op != isa::kSkip) {
        read.program.instructions[index].ops = {*op};
        continue;
      }
      plan.left_out[index] = true;
      plan.skipped.push_back(index);
      left_out_[one.name].insert(line_of(one.address));
    }
    for (const auto& [name, lines] : left_out_)
      report.skipped.push_back(fmt::format("{} ({} of it, line {} first)", name, lines.size(), *lines.begin()));
    if (!options_.assume && !assumed_.empty()) throw isa::questions_of(std::move(assumed_));
    report.assumptions.insert(report.assumptions.end(), assumed_.begin(), assumed_.end());
    for (const auto& [name, op] : options_.unknown)
      if (name != isa::kEveryClass && !used_.contains(name))
        throw UsageError(Diagnostic{fmt::format("`unknown {}:{}`", name, op),
                                    fmt::format("\"{}\" has no unknown opcode \"{}\"", kernel_.symbol, name), "",
                                    "leave it out"});
  }

 private:
  const std::string* find(const std::string& name) {
    for (const auto& key : {name, std::string(isa::kEveryClass)})
      if (const auto found = options_.unknown.find(key); found != options_.unknown.end()) {
        used_.insert(key);
        return &found->second;
      }
    return nullptr;
  }

  void note(const Decoded& one) {
    if (std::ranges::find(assumed_, one.name, &Assumption::name) != assumed_.end()) return;
    Assumption made;
    made.kind = Assumption::Kind::Opcode;
    made.name = one.name;
    made.value = isa::kSkip;
    made.why = "it is not known";
    made.line = line_of(one.address);
    made.question = question_about(one);
    assumed_.push_back(std::move(made));
  }

  Diagnostic question_about(const Decoded& one) const {
    const auto place = place_of(module_, kernel_, one.address);
    const auto advice = fmt::format("give an op that it counts as, `unknown {}:OP`, or leave it out, `unknown {}:skip`",
                                    one.name, one.name);
    if (!is_known(one) || (!is(one, "CALL.ABS") && !is(one, "CALL.REL")))
      return {place, fmt::format("the opcode {} of {} is not known", one.name, module_.target),
              fmt::format("found bits {:#018x} {:#018x}", one.word.high, one.word.low), advice};
    const std::string_view called = std::string_view(one.name).substr(std::string_view(one.row->name).size());
    if (called.empty())
      return {place, "a call says which function it calls", "found one through a pointer",
              advice + ", or import the PTX, where the functions that it may reach are in the same file"};
    return {place, "a function that is called has its code in the kernel",
            fmt::format("found a call of {}, which is not linked to it", isa::demangled(std::string(called.substr(1)))),
            "compile all of it as one file, without `-rdc=true`, or " + advice};
  }

  const Module& module_;
  const Kernel& kernel_;
  const isa::LoweringOptions& options_;
  std::vector<Assumption> assumed_;
  std::set<std::string, std::less<>> used_;
  std::map<std::string, std::set<std::uint32_t>> left_out_;
};

void add_notes(const ReadKernel& read, std::vector<std::string>& notes) {
  if (read.textures > 0) notes.push_back(isa::note_on_textures(read.textures));
  for (const auto& [name, calls] : read.left_out)
    notes.push_back(
        fmt::format("{}, which {} instructions call, is left out: its code is not in the file", name, calls));
  if (read.guesses_shapes)
    notes.emplace_back("the shape of a matrix product is guessed: its bits are none that are known");
}

/// Adds a note where the device's table has results later than the stall counts of the code allow.
void note_contradictions(const Module& module, const Kernel& kernel, const isa::Target& target,
                         std::vector<std::string>& notes) {
  if (!elf::runs_on(module.target, target.name)) return;
  std::map<std::string, LeastDistance> least;
  for (const auto& one : least_distances(module, kernel)) {
    const auto latency = target.latencies.find(one.op);
    if (latency == target.latencies.end() || latency->second <= static_cast<double>(one.cycles)) continue;
    auto& found = least.try_emplace(one.op, one).first->second;
    if (one.cycles < found.cycles) found = one;
  }
  std::vector<std::string> ops;
  for (const auto& [op, one] : least)
    ops.push_back(fmt::format("{} {:g} cycles, used after {} at {}", op, target.latencies.find(op)->second, one.cycles,
                              place_of(module, kernel, one.reader)));
  if (!ops.empty())
    notes.push_back(fmt::format("the table of \"{}\" contradicts the stall counts of the code: {}", target.device,
                                fmt::join(ops, "; ")));
}

/// Makes every wait for a part of a load of arguments, which issues nothing, a wait for the load itself, which stands
/// behind its parts. A load that raises a scoreboard is waited for by the scoreboard.
void wait_for_whole_loads(const ReadKernel& read, isa::IssuePlan& plan) {
  const auto& instructions = read.program.instructions;
  const auto is_part = [&](std::uint32_t i) {
    const auto& one = read.decoded[i];
    return instructions[i].ops.empty() && one.row != nullptr && one.row->layout == Layout::Constant &&
           i + 1 < instructions.size() && read.decoded[i + 1].address == one.address;
  };
  for (auto& after : plan.after) {
    for (auto& one : after) {
      auto whole = one.instruction;
      while (is_part(whole)) ++whole;
      if (instructions[whole].timing.raises.empty()) one.instruction = whole;
    }
    std::ranges::sort(after);
    after.erase(std::unique(after.begin(), after.end()), after.end());
  }
}

isa::Import import_once(const Module& module, const isa::ImportOptions& options) {
  const auto kernel = with_called_code(module, module.find(options.entry));
  check_options(kernel, options);
  auto read = read_kernel(module, kernel);
  const auto flow = isa::analyse_control_flow(read.program);
  require_agreement(module, kernel, read, flow);
  const isa::ReachingDefinitions definitions(read.program, flow);
  isa::mark_float_parameters(read.program, definitions);
  isa::ImportReport report;
  report.calls = read.calls;
  report.registers = options.registers.value_or(kernel.registers);
  report.assumptions = options.assumed;
  report.device = options.target.device;
  report.notes = isa::notes_of_launch(options);
  add_notes(read, report.notes);
  note_contradictions(module, kernel, options.target, report.notes);
  auto plan = isa::plan_as_written(read.program, flow, definitions);
  wait_for_whole_loads(read, plan);
  UnknownOpcodes(module, kernel, options.lowering).settle(read, plan, report);
  auto import =
      isa::make_kernel({read.program, flow, definitions, plan, isa::sizes_for(options.target, read.program.lanes)},
                       options.launch, options.parameter_names, std::move(report));
  import.kernel.description = fmt::format("Imported from machine code: {} in blocks of {}, grid of {}", kernel.symbol,
                                          isa::sizes_text(options.launch.block), isa::sizes_text(options.launch.grid));
  import.kernel.origin = isa::text_of(
      {module.file, kernel.symbol, "machine code of " + module.target, "as the file says", ""}, options, import.report);
  import.kernel.name = isa::qualified_name(import.kernel.name);
  // As launches on an H200 show: bench/validation/todays_kernels/README.md.
  const auto& target = options.target.name;
  if (target.empty() || elf::runs_on(module.target, target)) import.kernel.policy = Policy::GreedyOldest;
  return import;
}

}  // namespace

isa::Import import_cubin(const Module& module, const isa::ImportOptions& options) {
  return isa::import_or_ask(options.launch.assume, !options.assumed.empty(), [&](bool assume) {
    auto settled = options;
    settled.launch.assume = settled.lowering.assume = assume;
    return import_once(module, settled);
  });
}

isa::Program read_program(const Module& module, const std::string& symbol) {
  return read_kernel(module, with_called_code(module, module.find(symbol))).program;
}

}  // namespace warpipe::sass
