#include "warpipe/isa/issue_plan.hpp"

#include <algorithm>

#include "warpipe/isa/wait_counters.hpp"

namespace warpipe::isa {
IssuePlan plan_as_written(const Program& program, const ControlFlow& flow, const ReachingDefinitions& definitions) {
  const auto count = static_cast<std::uint32_t>(program.instructions.size());
  IssuePlan plan;
  for (const auto& block : flow.blocks) {
    auto& order = plan.order.emplace_back();
    for (auto i = block.first; i < block.last; ++i) order.push_back(i);
  }
  plan.left_out.assign(count, false);
  plan.branch_of.assign(flow.blocks.size(), kNoBlock);
  plan.after = waited_for(program, flow);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const auto writer : definitions.sources(i))
      if (const auto& timing = program.instructions[writer].timing; timing.raises.empty() && timing.joins.empty())
        plan.after[i].push_back({writer});
    std::ranges::sort(plan.after[i]);
  }
  return plan;
}

}  // namespace warpipe::isa
