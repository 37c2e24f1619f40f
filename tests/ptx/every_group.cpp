#include "every_group.hpp"

#include <numeric>

#include "balance_pipelines.hpp"
#include "decode.hpp"
#include "executions.hpp"
#include "simplify.hpp"
#include "straighten_branches.hpp"
#include "survey/sampler.hpp"
#include "unknown/questioner.hpp"
#include "wide_loads.hpp"

namespace warpipe::test {
namespace {

using Counts = std::map<std::string, double>;

/// Gathers the forms of an op: loads from shared memory (half as wide where lanes read the same in pairs), comparisons
/// (with a form for guards) and branches (by destination).
std::string counted(const std::string& op) {
  for (const char* common : {"shared.load", "compare", "branch"})
    if (op.starts_with(common)) return common;
  return op;
}

/// Adds the instructions issued by a pass through a list of regions.
class GroupWalk {
 public:
  GroupWalk(const isa::ControlFlow& flow, const ptx::Lowered& lowered, const isa::TracePool& pool)
      : flow_(flow), lowered_(lowered), pool_(pool) {}

  void add(const std::vector<isa::Region>& regions, std::uint32_t record, double times, Counts& counts) const {
    const auto& items = pool_.record(record).items;
    for (std::size_t place = 0; place < regions.size(); ++place) {
      if (const auto* block = std::get_if<std::uint32_t>(&regions[place].node)) {
        if (items[place] != 0) add_block(flow_.blocks[*block], times, counts);
      } else if (items[place] >= 0) {
        for (const auto& [pass, passes] : pool_.trace(items[place]))
          add(std::get<isa::NaturalLoop>(regions[place].node).body, pass, times * static_cast<double>(passes), counts);
      }
    }
  }

 private:
  void add_block(const isa::Block& block, double times, Counts& counts) const {
    for (auto i = block.first; i < block.last; ++i)
      if (!lowered_.instructions[i].gone)
        for (const auto& op : lowered_.instructions[i].ops) counts[counted(op)] += times;
  }

  const isa::ControlFlow& flow_;
  const ptx::Lowered& lowered_;
  const isa::TracePool& pool_;
};

double sum(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0,
                         [](double all, const auto& count) { return all + count.second; });
}

Counts of_kind(const Kernel& kernel, std::size_t kind, Values values) {
  values["kind"] = static_cast<double>(kind);
  Counts counts;
  for (double warp = 0; warp < values.at("warps"); ++warp) {
    values["warp"] = warp;
    if (kernel.kinds)
      for (const auto& [name, column] : kernel.kinds->values) {
        const auto& numbers = column.at(kind);
        values[name] = numbers.size() == 1 ? numbers.front() : numbers.at(static_cast<std::size_t>(warp));
      }
    walk(kernel, kernel.body, values, 1,
         [&](const Instruction& instruction, double times) { counts[counted(instruction.op)] += times; });
  }
  return counts;
}

}  // namespace

double IssuedByGroups::all() const { return std::accumulate(groups.begin(), groups.end(), 0.0); }

IssuedByGroups execute_every_group(const ptx::Module& module, const ptx::ImportOptions& options) {
  auto routine = ptx::inline_calls(module, options.entry);
  ptx::straighten_branches(routine);
  ptx::widen_loads(routine);
  const auto program = ptx::decode(routine, options.target.warp_size);
  const auto flow = isa::analyse_control_flow(program);
  const isa::ReachingDefinitions definitions(program, flow);
  const auto predication = ptx::find_predication(routine, flow);
  auto lowered = ptx::lower_routine(routine, flow, definitions, predication, options.lowering);
  ptx::balance_pipelines(routine, lowered);
  const auto arguments = isa::bind_arguments(program, definitions, options.launch, options.parameter_names);
  const auto slice = isa::find_slice(program, definitions);
  const isa::Prepared kernel({program,
                              flow,
                              definitions,
                              slice,
                              predication.branch_of,
                              options.launch,
                              arguments,
                              options.parameter_names,
                              {},
                              program.lanes});
  isa::Survey survey;
  isa::Questioner questions(options.launch);
  const GroupWalk walk(flow, lowered, survey.pool);
  const auto& grid = options.launch.grid;
  const auto warps = isa::warps_per_group(kernel.input);
  IssuedByGroups result;
  for (std::int64_t z = 0; z < grid[2]; ++z)
    for (std::int64_t y = 0; y < grid[1]; ++y)
      for (std::int64_t x = 0; x < grid[0]; ++x) {
        Counts counts;
        for (std::int64_t warp = 0; warp < warps; ++warp)
          walk.add(flow.regions, std::get<std::uint32_t>(run_warp(kernel, survey, questions, {x, y, z}, warp)), 1,
                   counts);
        survey.executed = 0;
        result.groups.push_back(sum(counts));
        for (const auto& [op, count] : counts) result.ops[op] += count;
      }
  return result;
}

IssuedByGroups issued_by(const Kernel& kernel) {
  const auto values = launch_values(kernel);
  const auto groups = static_cast<std::size_t>(values.at("groups"));
  IssuedByGroups result;
  std::vector<GroupKinds::Run> order{{0, 1}};
  if (kernel.kinds) order = std::get<std::vector<GroupKinds::Run>>(kernel.kinds->of_group);
  std::map<std::int64_t, Counts> kinds;
  std::map<std::int64_t, double> of_kind_groups;
  for (std::size_t run = 0; result.groups.size() < groups; run = (run + 1) % order.size()) {
    const auto [found, is_new] = kinds.try_emplace(order[run].kind);
    if (is_new) found->second = of_kind(kernel, static_cast<std::size_t>(order[run].kind), values);
    const auto count = std::min(groups - result.groups.size(), static_cast<std::size_t>(order[run].groups));
    result.groups.insert(result.groups.end(), count, sum(found->second));
    for (const auto& [op, times] : found->second) result.ops[op] += times * static_cast<double>(count);
  }
  return result;
}

}  // namespace warpipe::test
