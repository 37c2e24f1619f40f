#include "warpipe/isa/make_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "arguments.hpp"
#include "kernel_builder.hpp"
#include "kind_clusters.hpp"
#include "report_on.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kMostKinds = 1024;
constexpr std::size_t kMostSteps = std::size_t{1} << 20;  // instructions x warps of a group x kinds
constexpr double kWorthANote = 0.01;                      // share of the work

std::vector<std::int64_t> issued_by_block(const ReadProgram& read) {
  std::vector<std::int64_t> issued(read.flow.blocks.size(), 0);
  for (std::size_t i = 0; i < read.program.instructions.size(); ++i)
    if (!read.plan.left_out[i])
      issued[read.flow.block_of[i]] += static_cast<std::int64_t>(read.program.instructions[i].ops.size());
  return issued;
}

Expression whole(std::int64_t number) { return Expression(static_cast<double>(number)); }

/// Up to the last axis along which there are several.
std::vector<Expression> sizes(const Dimensions& along) {
  std::vector<Expression> sizes;
  for (const auto size : along) sizes.push_back(whole(size));
  while (sizes.size() > 1 && sizes.back() == whole(1)) sizes.pop_back();
  return sizes;
}

/// A kernel in the making.
class Maker {
 public:
  Maker(const ReadProgram& read, const Launch& launch, ImportReport report)
      : read_(read), launch_(launch), result_{{}, std::move(report)} {}

  Import run(const std::vector<Argument>& arguments, const std::vector<std::string>& names) {
    const auto slice = find_slice(read_.program, read_.definitions);
    auto execution = execute({read_.program, read_.flow, read_.definitions, slice, read_.plan.branch_of, launch_,
                              arguments, names, issued_by_block(read_), read_.program.lanes});
    const auto all = tally(read_.flow, execution);
    report_on({read_.program, read_.flow, slice, read_.plan, execution}, all, result_.report);
    add_notes(execution);
    build(execution);
    if (result_.kernel.instructions.empty())
      throw InputError(Diagnostic{read_.program.file, fmt::format("\"{}\" issues nothing", read_.program.name), "",
                                  "check the arguments: no group has work"});
    describe(execution, all);
    return std::move(result_);
  }

 private:
  /// With as many kinds of groups as a kernel may have.
  void build(Execution& execution) {
    const auto warps = execution.kinds.front().warps.size();
    for (auto most = kMostKinds;; most /= 2) {
      const auto clusters = cluster_kinds(execution.kinds, most);
      auto kind_of = kinds_of(*execution.log, execution.kinds);
      for (auto& kind : kind_of)
        if (kind) kind = clusters.of[*kind];
      const AddressInput addresses{read_.program, *execution.log, launch_, clusters.kinds, std::move(kind_of)};
      KernelBuilder builder(read_.flow, read_.plan, execution, addresses);
      result_.kernel = builder.build();
      const auto steps = clusters.kinds.size() * warps * result_.kernel.instructions.size();
      if (steps > kMostSteps && clusters.kinds.size() > 1) continue;
      for (const auto& note : builder.notes()) result_.report.notes.push_back(note);
      for (auto& access : result_.report.accesses)
        if (const auto found = builder.addresses().find(access.instruction); found != builder.addresses().end())
          access.address = found->second;
      note_addresses();
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

  void note_addresses() {
    std::vector<AddressReport> found;
    for (const auto& access : result_.report.accesses)
      if (access.address.kind != AddressReport::Kind::None) found.push_back(access.address);
    auto& notes = result_.report.notes;
    const auto note = [&](const auto& is_one, const std::string& what) {
      if (const auto count = std::ranges::count_if(found, is_one); count > 0)
        notes.push_back(fmt::format("{} of {} accesses to memory that may be cached {}", count, found.size(), what));
    };
    const auto note_kind = [&](AddressReport::Kind kind, const char* what) {
      note([kind](const AddressReport& address) { return address.kind == kind; }, what);
    };
    note_kind(AddressReport::Kind::Nearly, "are elsewhere in a few lanes at the rims of the launch");
    note_kind(AddressReport::Kind::Sampled, "follow no rule that was found: samples stand for them");
    note_kind(AddressReport::Kind::NotFound, "are at addresses that are not known");
    std::int64_t not_kept = 0;
    for (const auto& address : found) not_kept += address.not_kept;
    if (not_kept > 0)
      notes.push_back(fmt::format(
          "the addresses of {} executions were not kept, more than {} numbers: no expression was held against them",
          not_kept, AddressLog::kMostNumbers));
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
    for (const auto& [label, share] : launch_.taken)
      if (share > 0 && share < 1)
        notes.push_back(fmt::format("the branch {} is taken by {} of the lanes, drawn evenly", label, share));
    for (const auto& name : result_.report.skipped) notes.push_back("left out: " + name);
  }

  void describe(const Execution& execution, const Tally& all) {
    auto& kernel = result_.kernel;
    kernel.name = read_.program.name;
    kernel.file = read_.program.file;
    kernel.launch.group_size = whole(launch_.block[0] * launch_.block[1] * launch_.block[2]);
    kernel.launch.groups = whole(launch_.grid[0] * launch_.grid[1] * launch_.grid[2]);
    kernel.launch.block = sizes(launch_.block);
    kernel.launch.grid = sizes(launch_.grid);
    kernel.resources.registers_per_thread = whole(result_.report.registers);
    kernel.resources.shared_memory_per_group = whole(execution.shared_memory);
    double flops = 0, bytes = 0;
    for (std::uint32_t i = 0; i < read_.program.instructions.size(); ++i) {
      const auto& instruction = read_.program.instructions[i];
      flops += all.lanes[read_.flow.block_of[i]] * instruction.flops;
      const auto reached = all.accesses.find(i);
      if (reached == all.accesses.end()) continue;
      const auto space = instruction.access->space;
      if (space == Space::Global || space == Space::Generic) bytes += 32 * reached->second.segments.sum;
    }
    if (flops > 0) kernel.work.flops = Expression(flops);
    if (bytes > 0) kernel.work.bytes = Expression(bytes);
    if (bytes > 0) kernel.work.compulsory_bytes = Expression(std::min(bytes, execution.compulsory_bytes));
  }

  const ReadProgram& read_;
  const Launch& launch_;
  Import result_;
};

}  // namespace

Import make_kernel(const ReadProgram& read, const Launch& launch, const std::vector<std::string>& names,
                   ImportReport report) {
  require_launch(launch, read.program.lanes);
  const auto arguments = bind_arguments(read.program, read.definitions, launch, names);
  return Maker(read, launch, std::move(report)).run(arguments, names);
}

}  // namespace warpipe::isa
