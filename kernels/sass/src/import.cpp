#include "warpipe/sass/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "program_reader.hpp"
#include "scoreboards.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::sass {
namespace {

using isa::Assumption;

[[noreturn]] void refuse(std::string option, std::string rule, std::string found) {
  throw UsageError(Diagnostic{std::move(option), std::move(rule), std::move(found), ""});
}

std::string to_string(const isa::Dimensions& sizes) { return fmt::format("{}x{}x{}", sizes[0], sizes[1], sizes[2]); }

void check_options(const Kernel& kernel, const isa::ImportOptions& options) {
  const auto& block = options.launch.block;
  const auto product = [](const isa::Dimensions& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies<>());
  };
  if (kernel.required_block && *kernel.required_block != block)
    refuse("`block`",
           fmt::format("\"{}\" is compiled for blocks of {}", kernel.symbol, to_string(*kernel.required_block)),
           "found " + to_string(block));
  if (kernel.most_block && product(block) > product(*kernel.most_block))
    refuse("`block`",
           fmt::format("\"{}\" is compiled for at most {} threads", kernel.symbol, product(*kernel.most_block)),
           fmt::format("found {}", product(block)));
  if (!options.lowering.without.empty())
    refuse(fmt::format("`without {}`", *options.lowering.without.begin()),
           "machine code issues as it stands: no rule is applied to it", "leave it out");
}

/// Ops of opcodes that are not known: as the options say, or left out.
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
    made.question = {place_of(module_, kernel_, one.address),
                     fmt::format("the opcode {} of {} is not known", one.name, module_.target),
                     fmt::format("found bits {:#018x} {:#018x}", one.word.high, one.word.low),
                     fmt::format("give an op that it counts as, `unknown {}:OP`, or leave it out, `unknown {}:skip`",
                                 one.name, one.name)};
    assumed_.push_back(std::move(made));
  }

  const Module& module_;
  const Kernel& kernel_;
  const isa::LoweringOptions& options_;
  std::vector<Assumption> assumed_;
  std::set<std::string, std::less<>> used_;
  std::map<std::string, std::set<std::uint32_t>> left_out_;
};

std::string origin(const Module& module, const Kernel& kernel, const isa::ImportOptions& options,
                   const isa::ImportReport& report) {
  auto text = fmt::format("imported from {}, entry {}, machine code of {}",
                          std::filesystem::path(module.file).filename().string(), kernel.symbol, module.target);
  for (const auto& [name, value] : options.launch.arguments) text += fmt::format(", {} = {}", name, value);
  for (const auto& one : report.assumptions)
    text += fmt::format("; assumed: {}{}{} = {}", isa::to_string(one.kind), one.name.empty() ? "" : " ", one.name,
                        one.value);
  text += fmt::format("; {} registers per thread, {}", report.registers,
                      options.registers ? options.registers_from : "as the file says");
  text += "; bytes of work are 32 for each segment that an access touches";
  for (const auto& note : report.notes) text += "; " + note;
  return text;
}

void add_notes(const ReadKernel& read, const isa::ImportOptions& options, isa::ImportReport& report) {
  auto& notes = report.notes;
  if (!options.block_from.empty())
    notes.push_back(fmt::format("the block is not given: {}, from {}, is taken", to_string(options.launch.block),
                                options.block_from));
  if (!options.shared_memory_from.empty())
    notes.push_back(fmt::format("the dynamic shared memory is not given: {} bytes, from {}, are taken",
                                options.launch.dynamic_shared_memory, options.shared_memory_from));
  if (read.takes_fast_divisions)
    notes.emplace_back(
        "divisions of floats take their fast path: slow ones, of very large and small numbers, do not occur");
  if (read.textures > 0)
    notes.push_back(
        fmt::format("textures and surfaces, which {} instructions reach, count as global memory, by 4 transactions "
                    "that L2 serves: a "
                    "guess",
                    read.textures));
  if (read.guesses_shapes)
    notes.emplace_back("the shape of a matrix product is guessed: its bits are none that are known");
}

isa::Import import_once(const Module& module, const isa::ImportOptions& options) {
  const auto& kernel = module.find(options.entry);
  check_options(kernel, options);
  auto read = read_kernel(module, kernel);
  const auto flow = isa::analyse_control_flow(read.program);
  require_agreement(module, kernel, read, flow);
  const isa::ReachingDefinitions definitions(read.program, flow);
  find_floats(read.program, definitions);
  isa::ImportReport report;
  report.calls = read.calls;
  report.registers = options.registers.value_or(kernel.registers);
  report.assumptions = options.assumed;
  add_notes(read, options, report);
  auto plan = isa::plan_as_written(read.program, flow, definitions);
  UnknownOpcodes(module, kernel, options.lowering).settle(read, plan, report);
  auto names = options.parameter_names;
  if (!names.empty()) names.resize(read.program.parameters.size());
  auto import = isa::make_kernel({read.program, flow, definitions, plan}, options.launch, names, std::move(report));
  import.kernel.description = fmt::format("Imported from machine code: {} in blocks of {}, grid of {}", kernel.symbol,
                                          to_string(options.launch.block), to_string(options.launch.grid));
  import.kernel.origin = origin(module, kernel, options, import.report);
  import.kernel.name = isa::qualified_name(import.kernel.name);
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
  return read_kernel(module, module.find(symbol)).program;
}

}  // namespace warpipe::sass
