#include "program_builder.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "at_place.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/idg/place.hpp"

namespace warpipe {
namespace {

using Kind = WarpProgram::Node::Kind;

const std::string kNoName;  // of a coordinate not visible to an address

/// Whether a part of a warp's program has a node of this kind.
bool has(const std::vector<WarpProgram::Node>& nodes, std::size_t first, Kind kind) {
  return std::ranges::find(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(), kind,
                           &WarpProgram::Node::kind) != nodes.end();
}

/// The awaited results in a part of a warp's program.
std::vector<WarpProgram::Awaited> awaited_from(const WarpProgram& program, std::size_t first) {
  std::vector<WarpProgram::Awaited> awaited;
  for (std::size_t i = first; i < program.nodes.size(); ++i) {
    if (program.nodes[i].kind != Kind::Wait) continue;
    const auto& some = program.waits[program.nodes[i].index];
    awaited.insert(awaited.end(), some.begin(), some.end());
  }
  return awaited;
}

}  // namespace

ProgramBuilder::ProgramBuilder(AddressStreams& streams, std::int64_t kind, std::int64_t warp)
    : streams_(streams),
      values_(body_values(streams.kernel_, streams.launch_.values, kind, warp)),
      coordinates_{"group", "group_x", "group_y", "group_z"} {
  set_names(warp);
}

void ProgramBuilder::set_names(std::int64_t warp) {
  LaneNames& names = program_->names;
  for (const auto& [name, value] : values_) names.names.push_back({name, {value}});
  const std::int64_t warp_size = streams_.warp_size_, first = warp * warp_size;
  const auto threads = static_cast<std::int64_t>(values_.at("group_size"));
  names.lanes = static_cast<std::size_t>(std::min(warp_size, threads - first));
  const std::size_t of_lanes = names.names.size();
  Values place;
  for (std::size_t lane = 0; lane < names.lanes; ++lane) {
    const auto index = static_cast<std::int64_t>(lane);
    set_thread(place, streams_.shape_, first + index, index);
    if (lane == 0)
      for (const auto& [name, value] : place) names.names.push_back({name, {}});
    for (std::size_t i = of_lanes; i < names.names.size(); ++i)
      names.names[i].numbers.push_back(place.at(names.names[i].name));
  }
}

std::shared_ptr<WarpProgram> ProgramBuilder::build() {
  walk(streams_.kernel_.body);
  program_->nodes.push_back({Kind::End, 0});
  return std::move(program_);
}

void ProgramBuilder::walk(const std::vector<Item>& items) {
  for (const Item& item : items) {
    if (const auto* instruction = std::get_if<std::size_t>(&item.node)) {
      add_instruction(*instruction);
    } else if (const auto* loop = std::get_if<Loop>(&item.node)) {
      add_loop(*loop);
    } else {
      const When& when = std::get<When>(item.node);
      if (at_place(when.where + "/when", [&] { return when.condition.evaluate(values_); }) != 0) walk(when.body);
    }
  }
}

/// A loop without accesses shrinks to its waits and a single barrier, if it has any.
void ProgramBuilder::add_loop(const Loop& loop) {
  const std::int64_t trips =
      at_place(loop.where + "/trip_count", [&] { return loop.trip_count.evaluate_whole(values_, 0); });
  if (trips == 0) return;
  const std::size_t node = program_->nodes.size(), index = program_->loops.size();
  program_->nodes.push_back({Kind::LoopBegin, index});
  program_->loops.push_back({trips, node + 1});
  coordinates_.push_back(loop.name);
  around_.push_back(index);
  walk(loop.body);
  around_.pop_back();
  coordinates_[kFirstCounter + index] = kNoName;
  if (has(program_->nodes, node, Kind::Access)) {
    program_->nodes.push_back({Kind::LoopEnd, index});
  } else {
    leave_out_loop(node, index);
  }
}

void ProgramBuilder::leave_out_loop(std::size_t node, std::size_t index) {
  const bool waits_for_others = has(program_->nodes, node, Kind::Barrier);
  std::vector<WarpProgram::Awaited> awaited = awaited_from(*program_, node);
  program_->nodes.resize(node);
  program_->loops.resize(index);
  coordinates_.resize(kFirstCounter + index);
  if (!awaited.empty()) {
    program_->nodes.push_back({Kind::Wait, program_->waits.size()});
    program_->waits.push_back(std::move(awaited));
  }
  if (waits_for_others) program_->nodes.push_back({Kind::Barrier, 0});
}

void ProgramBuilder::add_instruction(std::size_t index) {
  add_waits(streams_.kernel_.instructions[index]);
  if (streams_.barriers_[index]) program_->nodes.push_back({Kind::Barrier, 0});
  const auto number = std::ranges::lower_bound(streams_.instructions_, index);
  if (number != streams_.instructions_.end() && *number == index)
    add_access(index, static_cast<std::size_t>(number - streams_.instructions_.begin()));
}

void ProgramBuilder::add_waits(const Instruction& instruction) {
  if (instruction.awaits) add_wait({streams_.instructions_.size(), 1});
  for (const Dependence& dependence : instruction.after) {
    const auto number = std::ranges::lower_bound(streams_.instructions_, dependence.producer);
    if (dependence.latency || number == streams_.instructions_.end() || *number != dependence.producer) continue;
    if (access_kind(streams_.kernel_.instructions[dependence.producer].op) == AccessKind::Store) continue;
    add_wait({static_cast<std::size_t>(number - streams_.instructions_.begin()),
              dependence.back.evaluate_whole(values_, 1)});
  }
}

/// Waits without an access between them are merged.
void ProgramBuilder::add_wait(const WarpProgram::Awaited& awaited) {
  if (program_->nodes.empty() || program_->nodes.back().kind != Kind::Wait) {
    program_->nodes.push_back({Kind::Wait, program_->waits.size()});
    program_->waits.emplace_back();
  }
  program_->waits.back().push_back(awaited);
}

void ProgramBuilder::add_access(std::size_t index, std::size_t number) {
  const Instruction& instruction = streams_.kernel_.instructions[index];
  const AccessPattern& pattern = *instruction.access;
  WarpAccess access;
  access.number = number;
  access.kind = access_kind(instruction.op);
  access.past_unit = pattern.past_unit;
  access.loops = around_;
  access.array.placement = streams_.placements_[array_of(pattern)];
  access.array.width = at_place(instruction.where + "/access/width_bytes",
                                [&] { return pattern.width_bytes.evaluate_whole(values_, 1); });
  access.array.warp_size = streams_.warp_size_;
  access.array.line_bytes = streams_.line_bytes_;
  if (streams_.transactions_vary(number))
    access.transactions =
        at_place(instruction.where + "/transactions", [&] { return instruction.transactions->evaluate(values_); });
  if (const auto* sampled = std::get_if<AccessPattern::Sampled>(&pattern.lanes)) {
    const std::size_t lanes = program_->names.lanes;
    access.sampled = &streams_.sampled_.try_emplace({number, access.array.width, lanes}, *sampled, access.array, lanes)
                          .first->second;
  } else {
    access.addresses = std::make_unique<LaneAddresses>(access.array, streams_.sources_[number], program_->names,
                                                       coordinates_, streams_.room_);
    access.boxes = std::make_unique<Boxes>(*access.addresses, everywhere());
  }
  program_->nodes.push_back({Kind::Access, program_->accesses.size()});
  program_->accesses.push_back(std::move(access));
}

/// The ranges of all groups and trips.
std::vector<Range> ProgramBuilder::everywhere() const {
  const auto to = [](std::int64_t most) { return Range{0, static_cast<double>(most)}; };
  const LaunchShape& shape = streams_.shape_;
  const std::int64_t last = streams_.launch_.groups - 1;
  std::vector<Range> ranges{to(last), to(std::min(last, shape.grid_x - 1)),
                            to(std::min(last / shape.grid_x, shape.grid_y - 1)),
                            to(last / shape.grid_x / shape.grid_y)};
  for (const WarpProgram::Loop& loop : program_->loops) ranges.push_back(to(loop.trips - 1));
  return ranges;
}

}  // namespace warpipe
