#include "group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "cells.hpp"

namespace warpipe::machine {
namespace {

constexpr std::int64_t kUnits = 108;             // the number told to programs
constexpr std::uint64_t kTurnOfAWarp = 1 << 14;  // instructions

/// Fills the registers of a warp with the hardware's numbers of threads, equal in all groups.
void fill_specials(Warp& warp) {
  using Name = isa::Special::Name;
  const auto& execution = warp.worker->execution;
  const auto& block = execution.launch.block;
  const auto lanes = execution.code.program.lanes;
  for (const auto& [special, offset] : execution.code.specials) {
    auto* const out = reinterpret_cast<std::uint32_t*>(warp.registers + offset);
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const auto linear = warp.number * lanes + lane;
      const isa::Dimensions thread{linear % block[0], linear / block[0] % block[1], linear / block[0] / block[1]};
      const auto own = std::uint64_t{1} << lane;
      const auto all = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
      std::uint64_t number = 0;
      switch (special.name) {
        case Name::ThreadIndex:
          number = static_cast<std::uint64_t>(thread[special.axis]);
          break;
        case Name::LaneIndex:
          number = static_cast<std::uint64_t>(lane);
          break;
        case Name::LaneBit:
          number = own;
          break;
        case Name::LanesBelow:
          number = own - 1;
          break;
        case Name::LanesUpTo:
          number = own | (own - 1);
          break;
        case Name::LanesAbove:
          number = all & ~(own | (own - 1));
          break;
        case Name::LanesFrom:
          number = all & ~(own - 1);
          break;
        case Name::WarpIndex:
          number = static_cast<std::uint64_t>(warp.number);
          break;
        case Name::WarpCount:
          number = warp.group->warps.size();
          break;
        default:
          break;
      }
      out[lane] = static_cast<std::uint32_t>(number);
    }
  }
}

/// Fills the hardware's numbers of the group.
void fill_group(Warp& warp) {
  using Name = isa::Special::Name;
  const auto& program = warp.worker->execution.code;
  for (const auto& [special, offset] : program.specials) {
    if (special.name != Name::GroupIndex && special.name != Name::UnitIndex) continue;
    const auto number =
        special.name == Name::GroupIndex ? warp.group->index[special.axis] : warp.group->number % kUnits;
    std::fill_n(reinterpret_cast<std::uint32_t*>(warp.registers + offset), program.program.lanes,
                static_cast<std::uint32_t>(number));
  }
}

std::size_t warps_of(const Execution& execution) {
  const auto& block = execution.launch.block;
  const auto lanes = execution.code.program.lanes;
  return static_cast<std::size_t>((block[0] * block[1] * block[2] + lanes - 1) / lanes);
}

std::size_t local_bytes(const Execution& execution) {
  return static_cast<std::size_t>(execution.code.program.lanes) * execution.code.local_bytes;
}

}  // namespace

AlignedBytes::AlignedBytes(std::size_t bytes) : size_(bytes) {
  // The host fills pages with zeros once they are touched: most of a stack never is.
  auto room = bytes + kAlignment;
  void* begin = std::calloc(room, 1);  // NOLINT
  if (begin == nullptr) throw std::bad_alloc();
  owned_.reset(begin);
  data_ = static_cast<std::byte*>(std::align(kAlignment, bytes, begin, room));
}
void AlignedBytes::Deleter::operator()(void* bytes) const { std::free(bytes); }  // NOLINT

Group::Group(Worker& owner, std::int64_t first)
    : worker(&owner),
      shared(owner.execution.shared_bytes),
      registers(warps_of(owner.execution) * owner.execution.code.register_bytes),
      local(warps_of(owner.execution) * local_bytes(owner.execution)),
      warps(warps_of(owner.execution)) {
  const auto& execution = owner.execution;
  for (std::size_t i = 0; i < warps.size(); ++i) {
    auto& warp = warps[i];
    warp.group = this;
    warp.worker = &owner;
    warp.number = static_cast<std::int64_t>(i);
    warp.registers = registers.data() + i * execution.code.register_bytes;
    warp.local = local.data() + i * local_bytes(execution);
    warp.reached = owner.reached.data();
    warp.shared = shared.data();
    warp.shared_bytes = execution.shared_bytes;
    warp.base[0] = warp.registers;
    warp.base[1] = execution.shared_numbers.data();
    warp.mask = warp.words;
    fill_specials(warp);
    warp.waiting.resize(execution.code.blocks.size());
    warp.pending.resize((execution.code.blocks.size() + 63) / 64);
  }
  start(first);
}

void Group::start(std::int64_t linear) {
  const auto& execution = worker->execution;
  const auto& launch = execution.launch;
  number = linear;
  index = {linear % launch.grid[0], linear / launch.grid[0] % launch.grid[1], linear / launch.grid[0] / launch.grid[1]};
  std::memset(shared.data(), 0, shared.size());
  arrived = {};
  recording = execution.recorder == nullptr ? nullptr : execution.recorder->begin(linear, warps.size());
  const auto lanes = execution.code.program.lanes;
  const auto threads = launch.block[0] * launch.block[1] * launch.block[2];
  for (auto& warp : warps) {
    const auto left = std::min<std::int64_t>(lanes, threads - warp.number * lanes);
    warp.recorded = recording == nullptr ? nullptr : execution.recorded.data();
    warp.alive = left >= 64 ? ~Mask{0} : (Mask{1} << left) - 1;
    warp.instructions = warp.lane_instructions = warp.writes = 0;
    warp.jumps_until_look = 64;
    warp.detour = warp.detour_to = warp.phase = 0;
    warp.turns = 0;
    warp.registers_before.clear();
    warp.parked.clear();
    for (const auto& [offset, bytes] : execution.code.zeroed) std::memset(warp.registers + offset, 0, bytes);
    fill_group(warp);
    put(warp, 0, warp.alive);
  }
}

std::uint64_t Group::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& warp : warps) sum += warp.instructions;
  return sum;
}
std::uint64_t Group::lane_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& warp : warps) sum += warp.lane_instructions;
  return sum;
}

Stop Group::go_on(std::uint64_t turn) {
  const auto until = instructions() + turn;
  while (true) {
    bool any = false, all_wait = true, all_ended = true;
    for (auto& warp : warps) {
      if (!can_go_on(warp)) continue;
      any = true;
      if (machine::go_on(warp, kTurnOfAWarp) != Stop::Waits) all_wait = false;
    }
    const bool released = release_barriers();
    for (const auto& warp : warps) all_ended = all_ended && warp.alive == 0;
    if (all_ended) return Stop::Ended;
    if (released) continue;
    if (!any) report_deadlock();
    if (worker->execution.stops) return Stop::Turn;
    if (all_wait) return Stop::Waits;
    if (instructions() >= until) return Stop::Turn;
  }
}

bool Group::is_complete(std::uint32_t barrier) const {
  const auto lanes = static_cast<std::uint32_t>(worker->execution.code.program.lanes);
  std::uint32_t threads = arrived[barrier], wanted = 0;
  bool all = true;
  for (const auto& warp : warps) {
    Mask here = 0;
    for (const auto& parked : warp.parked) {
      if (parked.number != barrier) continue;
      here |= parked.lanes;
      wanted = std::max(wanted, parked.threads);
    }
    all = all && here == warp.alive;
    // A warp counts as a whole, including missing and ended threads.
    threads += here != 0 && here == warp.alive ? lanes : static_cast<std::uint32_t>(std::popcount(here));
  }
  return wanted == 0 ? all : threads >= wanted;
}

void Group::release(std::uint32_t barrier) {
  const auto& blocks = worker->execution.code.blocks;
  std::uint32_t count = 0, threads = 0;
  const auto for_each_parked = [&](const auto& each) {
    for (auto& warp : warps)
      for (auto& parked : warp.parked)
        if (parked.number == barrier) each(warp, parked, blocks[parked.block].meeting);
  };
  for_each_parked([&](Warp& warp, const Parked& parked, const Block::Meeting& meeting) {
    if (meeting.reduction == isa::LaneOp::Unknown) return;
    for_each_lane(parked.lanes, [&](std::size_t lane) {
      ++threads;
      count += narrow_cells(warp, meeting.truth)[lane] != 0 ? 1U : 0U;
    });
  });
  for_each_parked([&](Warp& warp, const Parked& parked, const Block::Meeting& meeting) {
    if (meeting.reduction == isa::LaneOp::Unknown) return;
    const auto result = meeting.reduction == isa::LaneOp::CountOfGroup ? count
                        : meeting.reduction == isa::LaneOp::AllOfGroup ? (count == threads ? 1U : 0U)
                                                                       : (count > 0 ? 1U : 0U);
    for_each_lane(parked.lanes, [&](std::size_t lane) { narrow_cells(warp, meeting.result)[lane] = result; });
  });
  for (auto& warp : warps) {
    for (const auto& parked : warp.parked) {
      if (parked.number != barrier) continue;
      if (blocks[parked.block].next == kNoBlock)
        warp.alive &= ~parked.lanes;
      else
        put(warp, blocks[parked.block].next, parked.lanes);
    }
    if (std::erase_if(warp.parked, [&](const Parked& parked) { return parked.number == barrier; }) > 0) ++warp.phase;
  }
  arrived[barrier] = 0;
}

bool Group::release_barriers() {
  std::uint32_t used = 0;
  for (const auto& warp : warps)
    for (const auto& parked : warp.parked) used |= 1U << parked.number;
  bool released = false;
  for (std::uint32_t barrier = 0; barrier < arrived.size(); ++barrier)
    if (((used >> barrier) & 1) != 0 && is_complete(barrier)) {
      release(barrier);
      released = true;
    }
  return released;
}

void Group::report_deadlock() const {
  std::size_t waiting = 0, ended = 0;
  const Warp* first = nullptr;
  for (const auto& warp : warps) {
    waiting += warp.parked.empty() ? 0U : 1U;
    ended += warp.alive == 0 ? 1U : 0U;
    if (first == nullptr && !warp.parked.empty()) first = &warp;
  }
  if (first == nullptr) throw Fault(Fault::Kind::Deadlock, "no warp of a group can go on");
  const auto& parked = first->parked.front();
  std::string elsewhere;
  for (const auto& warp : warps)
    for (const auto& other : warp.parked)
      if (elsewhere.empty() && other.block != parked.block) {
        const auto& program = worker->execution.code.program;
        elsewhere = fmt::format(
            "; others wait at {}",
            isa::at_line(program.file, program.instructions[worker->execution.code.blocks[other.block].last - 1].line));
      }
  const auto lane = static_cast<std::size_t>(std::countr_zero(parked.lanes));
  fail(*first, worker->execution.code.blocks[parked.block].last - 1, Fault::Kind::Deadlock,
       fmt::format("threads wait at barrier {} for others that never come: {} of {} warps wait, {} have ended{}",
                   parked.number, waiting, warps.size(), ended, elsewhere),
       lane);
}

}  // namespace warpipe::machine
