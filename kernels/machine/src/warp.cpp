// The way of a warp through blocks: with a mask for each block with waiting lanes, the first of them first, so that
// lanes on different ways meet again as early as they can.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "cells.hpp"
#include "group.hpp"

namespace warpipe::machine {
namespace {

/// The least number of jumps backwards between looks at whether a loop only waits.
constexpr std::uint64_t kJumpsBetweenLooks = 64;
/// For so many blocks, awaited lanes go on alone.
constexpr std::uint32_t kDetour = 64;
/// Turns of a warp after which lanes behind the first have a turn, even without a loop seen to wait.
constexpr std::uint64_t kTurnsUntilOthers = 64;

std::uint32_t first_pending(const Warp& warp, std::uint32_t from) {
  for (auto word = from / 64; word < warp.pending.size(); ++word) {
    auto bits = warp.pending[word];
    if (word == from / 64) bits &= ~std::uint64_t{0} << (from % 64);
    if (bits != 0) return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  return kNoBlock;
}

/// Takes up the lanes at the first block with waiting lanes.
/// @return false without waiting lanes
bool take_first(Warp& warp, std::uint32_t from = 0) {
  if (warp.pending_count == 0) {
    set_active(warp, 0);
    return false;
  }
  auto found = from == 0 ? warp.first_pending : first_pending(warp, from);
  if (found == kNoBlock) found = warp.first_pending;
  warp.pending[found / 64] &= ~(std::uint64_t{1} << (found % 64));
  --warp.pending_count;
  warp.first_pending = first_pending(warp, 0);
  warp.at = found;
  set_active(warp, std::exchange(warp.waiting[found], 0));
  return true;
}

/// Takes up the lanes at another block, each block after the other, for some blocks before all others.
/// @return false without such lanes
bool take_others(Warp& warp) {
  if (!take_first(warp, warp.detour_to + 1)) return false;
  warp.detour_to = warp.at;
  warp.detour = kDetour;
  return true;
}

/// Whether an iteration changed nothing: neither a register nor memory.
bool only_waits(Warp& warp, std::uint32_t target) {
  if (--warp.jumps_until_look > 1) return false;
  const auto bytes = warp.worker->execution.code.kept_bytes;
  if (warp.jumps_until_look == 1) {
    warp.registers_before.assign(warp.registers, warp.registers + bytes);
    warp.target_before = target;
    warp.active_before = warp.active;
    warp.writes_before = warp.writes;
    return false;
  }
  warp.jumps_until_look = std::max<std::uint64_t>(kJumpsBetweenLooks, bytes / 64);
  return warp.target_before == target && warp.active_before == warp.active && warp.writes_before == warp.writes &&
         warp.registers_before.size() == bytes && std::memcmp(warp.registers_before.data(), warp.registers, bytes) == 0;
}

/// Lets all active lanes go on at a block.
/// @return nothing, or why the warp stops
Stop go_to(Warp& warp, std::uint32_t target, std::uint64_t until) {
  if (target == kNoBlock) {
    warp.alive &= ~warp.active;
    return take_first(warp) ? Stop::Goes : Stop::Ended;
  }
  if (target <= warp.at) {
    if (only_waits(warp, target)) {
      const auto lanes = warp.active;
      const bool others = take_others(warp);
      put(warp, target, lanes);
      return others ? Stop::Goes : Stop::Waits;
    }
    if (warp.instructions >= until) {
      put(warp, target, warp.active);
      set_active(warp, 0);
      return Stop::Turn;
    }
  }
  if (target < warp.first_pending) {
    warp.at = target;
    return Stop::Goes;
  }
  put(warp, target, warp.active);
  const auto from = warp.detour > 0 ? (--warp.detour, target) : 0;
  take_first(warp, from);
  return Stop::Goes;
}

std::uint32_t number_of(const Warp& warp, Operand operand) {
  return narrow_cells(warp, operand)[std::countr_zero(warp.active)];
}

/// Active lanes wait at the barrier at the end of a block, or only arrive there.
Stop meet(Warp& warp, const Block& block, std::uint64_t until) {
  const auto barrier = number_of(warp, block.meeting.number);
  const auto threads = block.meeting.counted ? number_of(warp, block.meeting.threads) : 0;
  if (barrier >= warp.group->arrived.size())
    fail(warp, block.last - 1, Fault::Kind::NotSupported, fmt::format("there is no barrier {}", barrier));
  if (!block.meeting.awaits) {
    warp.group->arrived[barrier] += static_cast<std::uint32_t>(warp.worker->execution.code.program.lanes);
    return go_to(warp, block.next, until);
  }
  const auto same = std::ranges::find_if(
      warp.parked, [&](const Parked& parked) { return parked.block == warp.at && parked.number == barrier; });
  if (same != warp.parked.end())
    same->lanes |= warp.active;
  else
    warp.parked.push_back({warp.active, warp.at, barrier, threads});
  return take_first(warp) ? Stop::Goes : Stop::Ended;
}

Stop jump_by_table(Warp& warp, const Block& block) {
  const auto* index = wide_cells(warp, block.index);
  for (auto rest = warp.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const auto number = index[lane] - block.first_index;
    if (number >= block.targets.size())
      fail(warp, block.last - 1, Fault::Kind::OutOfBounds,
           fmt::format("a jump to the {}th of {} targets", number, block.targets.size()), lane);
    const auto target = block.targets[number];
    if (target == kNoBlock)
      warp.alive &= ~(Mask{1} << lane);
    else
      put(warp, target, Mask{1} << lane);
  }
  return take_first(warp) ? Stop::Goes : Stop::Ended;
}

Stop leave(Warp& warp, const Block& block, std::uint64_t until) {
  auto going = warp.active;
  if (block.guarded) {
    const auto holds = warp.worker->execution.functions.to_bits(
        narrow_cells(warp, block.guard), static_cast<std::size_t>(warp.worker->execution.code.program.lanes));
    going &= block.negated ? ~holds : holds;
  }
  const auto staying = warp.active & ~going;
  if (going == 0) return go_to(warp, block.next, until);
  if (block.end == Block::End::Exit && block.fails) {
    const auto& end = warp.worker->execution.code.program.instructions[block.last - 1];
    const bool asserts = is_assertion(end);
    fail(warp, block.last - 1, asserts ? Fault::Kind::Assertion : Fault::Kind::Trap,
         asserts ? "an assertion failed" : "the kernel ends in an error",
         static_cast<std::size_t>(std::countr_zero(going)));
  }
  if (staying != 0) {
    if (block.next == kNoBlock)
      warp.alive &= ~staying;
    else
      put(warp, block.next, staying);
    set_active(warp, going);
  }
  switch (block.end) {
    case Block::End::Table:
      return jump_by_table(warp, block);
    case Block::End::Barrier:
      return meet(warp, block, until);
    case Block::End::Exit:
      return go_to(warp, kNoBlock, until);
    default:
      return go_to(warp, block.targets[0], until);
  }
}

}  // namespace

void set_active(Warp& warp, Mask lanes) {
  if (warp.active == lanes) return;
  warp.active = lanes;
  warp.active_count = static_cast<std::uint32_t>(std::popcount(lanes));
  warp.worker->execution.functions.to_words(lanes, warp.words);
}

void put(Warp& warp, std::uint32_t block, Mask lanes) {
  auto& word = warp.pending[block / 64];
  const auto bit = std::uint64_t{1} << (block % 64);
  if ((word & bit) == 0) ++warp.pending_count;
  word |= bit;
  warp.waiting[block] |= lanes;
  warp.first_pending = std::min(warp.first_pending, block);
}

bool can_go_on(const Warp& warp) { return warp.pending_count > 0; }

Stop go_on(Warp& warp, std::uint64_t instructions) {
  const auto& code = warp.worker->execution.code;
  const auto until = warp.instructions + instructions;
  if (++warp.turns % kTurnsUntilOthers == 0 ? !take_others(warp) : !take_first(warp)) return Stop::Ended;
  while (true) {
    const auto& block = code.blocks[warp.at];
    const std::uint64_t count = block.last - block.first;
    warp.instructions += count;
    warp.lane_instructions += count * warp.active_count;
    const auto* const last = code.steps.data() + block.last_step;
    for (const auto* step = code.steps.data() + block.first_step; step != last; ++step) step->function(warp, *step);
    const auto stop = block.end == Block::End::Next ? go_to(warp, block.next, until) : leave(warp, block, until);
    if (stop != Stop::Goes) return stop;
  }
}

void begin_uniform(Lanes& lanes, const Step& /*step*/) {
  auto& warp = warp_of(lanes);
  warp.outer = warp.active;
  std::ranges::fill(warp.guard_words, ~std::uint32_t{0});
  warp.mask = warp.guard_words;
}

void read_clock(Lanes& lanes, const Step& step) {
  // A clock goes on with the executed instructions of the warp, to end loops waiting for a time, and to keep runs
  // alike.
  const auto& warp = warp_of(lanes);
  const auto& block = warp.worker->execution.code.blocks[warp.at];
  // The whole block counts already.
  const auto now = (warp.instructions - (block.last - step.instruction)) * step.number;
  std::fill_n(wide_cells(lanes, step.out), kLanes, now);
}

void refuse(Lanes& lanes, const Step& step) {
  if (lanes.active == 0) return;
  const auto& warp = warp_of(lanes);
  const auto& all = warp.worker->execution.code.program.instructions;
  const bool launches = std::ranges::any_of(all, [](const isa::Instruction& one) {
    return one.name.starts_with("call ") && one.name.find("LaunchDevice") != std::string::npos;
  });
  fail(warp, step.instruction, Fault::Kind::NotSupported,
       launches ? "a kernel that launches kernels is not executed; launch them from the host"
                : fmt::format("\"{}\" is not executed", all[step.instruction].name));
}

Fault fault_at(const Warp& warp, std::uint32_t instruction, Fault::Kind kind, const std::string& what, std::size_t lane,
               std::uint64_t address) {
  const auto& program = warp.worker->execution.code.program;
  const auto& block = warp.worker->execution.launch.block;
  const auto& at = program.instructions[instruction];
  if (lane == kMostLanes && warp.active != 0) lane = static_cast<std::size_t>(std::countr_zero(warp.active));
  const auto linear = warp.number * program.lanes + static_cast<std::int64_t>(lane);
  const isa::Dimensions thread{linear % block[0], linear / block[0] % block[1], linear / block[0] / block[1]};
  const auto& group = warp.group->index;
  const auto source = isa::source_of(program, instruction);
  Fault fault(kind, fmt::format("{} at {}{}: {}, in thread ({}, {}, {}) of group ({}, {}, {})", program.name,
                                isa::at_line(program.file, at.line), source.empty() ? "" : " (" + source + ")", what,
                                thread[0], thread[1], thread[2], group[0], group[1], group[2]));
  fault.instruction = at.text;
  fault.line = at.line;
  fault.source = source;
  fault.group = group;
  fault.thread = thread;
  fault.address = address;
  return fault;
}

void fail(const Warp& warp, std::uint32_t instruction, Fault::Kind kind, const std::string& what, std::size_t lane,
          std::uint64_t address) {
  throw fault_at(warp, instruction, kind, what, lane, address);
}

}  // namespace warpipe::machine
