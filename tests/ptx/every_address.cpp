#include "every_address.hpp"

#include <charconv>
#include <memory>

#include "decode.hpp"
#include "executions.hpp"
#include "survey/address_form.hpp"
#include "survey/address_log.hpp"
#include "survey/group_recorder.hpp"
#include "survey/sampler.hpp"
#include "unknown/questioner.hpp"
#include "warpipe/idg/place.hpp"

namespace warpipe::test {
namespace {

constexpr std::int64_t kLanes = 32;

LaneAddresses lanes_at(const isa::AddressLog& log, const isa::LoggedAccess& access) {
  LaneAddresses lanes(kLanes, AccessPattern::kNotActive);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    if (((access.mask >> lane) & 1) != 0) lanes[lane] = isa::address_at(log, access, 0, lane);
  return lanes;
}

/// The line in the id of an imported instruction: 12 of "global_load_128_12" and of "global_load_12_2".
std::uint32_t line_of(const Instruction& instruction) {
  auto op = instruction.op;
  for (char& c : op) c = c == '.' ? '_' : c;
  std::uint32_t line = 0;
  std::from_chars(instruction.id.data() + op.size() + 1, instruction.id.data() + instruction.id.size(), line);
  return line;
}

class Walk {
 public:
  Walk(const Kernel& kernel, std::int64_t group, std::int64_t warp)
      : kernel_(kernel),
        shape_(launch_shape(kernel, launch_values(kernel))),
        values_(body_values(kernel, launch_values(kernel), kind_of(group), warp)),
        warp_(warp) {
    set_group(values_, shape_, group);
  }

  WarpAddresses run() {
    items(kernel_.body);
    return std::move(addresses_);
  }

 private:
  std::int64_t kind_of(std::int64_t group) const {
    if (!kernel_.kinds) return 0;
    const auto& runs = std::get<std::vector<GroupKinds::Run>>(kernel_.kinds->of_group);
    for (std::size_t i = 0;; i = (i + 1) % runs.size()) {
      if (group < runs[i].groups) return runs[i].kind;
      group -= runs[i].groups;
    }
  }

  void items(const std::vector<Item>& body) {
    for (const Item& item : body) {
      if (const auto* index = std::get_if<std::size_t>(&item.node)) {
        access(kernel_.instructions[*index]);
      } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
        const auto trips = loop->trip_count.evaluate_whole(values_, 0);
        for (std::int64_t trip = 0; trip < trips; ++trip) {
          values_[loop->name] = static_cast<double>(trip);
          items(loop->body);
        }
        values_.erase(loop->name);
      } else {
        const auto& when = std::get<When>(item.node);
        if (when.condition.evaluate(values_) != 0) items(when.body);
      }
    }
  }

  void access(const Instruction& instruction) {
    const auto* addressed =
        instruction.access ? std::get_if<AccessPattern::Addressed>(&instruction.access->lanes) : nullptr;
    if (addressed == nullptr) return;
    auto& lanes = addresses_[line_of(instruction)].emplace_back(kLanes, AccessPattern::kNotActive);
    const auto threads = static_cast<std::int64_t>(values_.at("group_size"));
    for (std::int64_t lane = 0; lane < kLanes && warp_ * kLanes + lane < threads; ++lane) {
      set_thread(values_, shape_, warp_ * kLanes + lane, lane);
      const auto address = addressed->address.evaluate_whole(values_, -kLargestWhole);
      if (is_inside(shape_.arrays[addressed->array], address)) lanes[static_cast<std::size_t>(lane)] = address;
    }
  }

  const Kernel& kernel_;
  LaunchShape shape_;
  Values values_;
  std::int64_t warp_;
  WarpAddresses addresses_;
};

}  // namespace

std::vector<std::vector<WarpAddresses>> executed_addresses(const ptx::Module& module, const ptx::ImportOptions& options,
                                                           const std::vector<std::int64_t>& groups) {
  auto launch = options.launch;
  launch.close_loops = false;
  const auto routine = ptx::inline_calls(module, options.entry);
  const auto program = ptx::decode(routine, options.target.warp_size);
  const auto flow = isa::analyse_control_flow(program);
  const isa::ReachingDefinitions definitions(program, flow);
  const auto arguments = isa::bind_arguments(program, definitions, launch, options.parameter_names);
  const auto slice = isa::find_slice(program, definitions);
  const std::vector<std::uint32_t> branch_of(flow.blocks.size(), isa::kNoBlock);
  const isa::Prepared kernel(
      {program, flow, definitions, slice, branch_of, launch, arguments, options.parameter_names, {}, program.lanes});
  std::vector<std::vector<WarpAddresses>> result;
  for (const auto index : groups) {
    isa::Survey survey;
    isa::Questioner questions(launch);
    isa::GroupRecorder recorder(survey, 0);
    survey.log = std::make_shared<isa::AddressLog>(kernel);
    const isa::Dimensions group{index % launch.grid[0], index / launch.grid[0] % launch.grid[1],
                                index / launch.grid[0] / launch.grid[1]};
    survey.log->begin(group);
    const auto warps = isa::warps_per_group(kernel.input);
    for (std::int64_t warp = 0; warp < warps; ++warp) {
      run_warp(kernel, survey, questions, group, warp, {.recorder = &recorder});
    }
    auto& of_warps = result.emplace_back(static_cast<std::size_t>(warps));
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
      for (const auto& access : survey.log->of(i))
        of_warps[access.warp][program.instructions[i].line].push_back(lanes_at(*survey.log, access));
  }
  return result;
}

WarpAddresses stated_addresses(const Kernel& kernel, std::int64_t group, std::int64_t warp) {
  return Walk(kernel, group, warp).run();
}

}  // namespace warpipe::test
