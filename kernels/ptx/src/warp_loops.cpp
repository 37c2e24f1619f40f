// Passes of loops: each executed, or one for many.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "touched_sectors.hpp"
#include "warp_run.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::int64_t kLongestWait = 64;  // passes between two attempts to close a loop in form

}  // namespace

std::int64_t WarpRun::loop(const NaturalLoop& loop) {
  // The loop around this one is not closed in the pass that gets here: how its numbers move is nothing to this one.
  closable_ = closing_ = false;
  std::ranges::fill(registers_.motions, Motion{});
  frames_.push_back({&kernel_.loops.find(loop.header)->second, 0});
  LoopTrace trace;
  Attempts attempts;
  while (arrivals_[loop.header] != 0) {
    auto& frame = frames_.back();
    const auto entered = arrivals_[loop.header];
    const auto number = ++frame.passes;
    const bool closing = kernel_.input.launch.close_loops && number >= attempts.next;
    if (number + 1 == attempts.next) snapshot(loop);
    if (closing) begin_closing(loop);
    Pass pass;
    pass.record.header = loop.header;
    list(loop.body, pass);
    if (!closing) {
      finish(pass, 1, trace);
      continue;
    }
    const auto times = close_pass(loop, entered);
    finish(pass, times, trace);
    frames_.back().passes += times - 1;
    attempts.wait = times > 1 ? 1 : std::min(2 * attempts.wait, kLongestWait);
    attempts.next = frames_.back().passes + 1 + attempts.wait + 1;
    closing_ = false;
    std::ranges::fill(registers_.motions, Motion{});
  }
  frames_.pop_back();
  closable_ = false;
  return execution_.pool.add(std::move(trace));
}

void WarpRun::finish(Pass& pass, std::int64_t times, LoopTrace& trace) {
  const auto record = keep(pass, times, closing_ && times > 1);
  if (!trace.empty() && trace.back().first == record) {
    trace.back().second += times;
  } else {
    trace.emplace_back(record, times);
  }
}

std::uint32_t WarpRun::keep(Pass& pass, std::int64_t times, bool moving) {
  const auto record = execution_.pool.add(std::move(pass.record));
  const auto groups = execution_.stands_for;
  if (groups > 0) execution_.passes[record] += groups * static_cast<double>(times);
  for (const auto& event : pass.events) {
    const AddressEvent reached{event.step->instruction, event.mask,      event.step->width,
                               event.step->atomic,      event.addresses, {}};
    if (moving) check_last(event, times);
    if (groups == 0) continue;
    auto& statistics = execution_.accesses[{record, event.step->instruction}];
    auto moved = reached;
    if (moving) moved.slopes = event.slopes;
    account(statistics, moved, times, groups);
    statistics.sampled |= moving && event.holds.passes < times;
    // Beyond that the addresses are others: what is not known to be reached does not count.
    touch_sectors(*event.step, moved, moving ? std::min(times, event.holds.passes) : times);
  }
  for (const auto& [index, mask] : pass.blocks) {
    if (groups == 0) break;
    auto& statistics = execution_.blocks[{record, index}];
    statistics.executions += groups * static_cast<double>(times);
    statistics.lanes += groups * static_cast<double>(times) * std::popcount(mask);
  }
  return record;
}

void WarpRun::touch_sectors(const LaneStep& step, const AddressEvent& event, std::int64_t times) {
  const auto first = event.mask == 0 ? 0 : event.addresses[static_cast<std::size_t>(std::countr_zero(event.mask))];
  const bool global =
      step.space == StateSpace::Global || (step.space == StateSpace::Generic && (first & kWindowMask) == 0);
  if (!global) return;
  const bool stores = kernel_.input.routine.instructions[step.instruction].opcode() == "st";
  execution_.touched->add(event, times, !stores, stores || step.atomic);
}

/// Where the last of many passes reaches.
void WarpRun::check_last(const Pass::Event& event, std::int64_t times) const {
  auto last = event.addresses;
  for (std::size_t lane = 0; lane < last.size(); ++lane)
    last[lane] += static_cast<std::uint64_t>(times - 1) * event.slopes[lane];
  check_shared(*event.step, event.mask, last);
}

void WarpRun::snapshot(const NaturalLoop&) { snapshot_ = registers_.values; }

/// The next pass is executed with the step that each register took since the snapshot.
void WarpRun::begin_closing(const NaturalLoop& loop) {
  closing_ = closable_ = true;
  horizon_ = {};
  starting_slopes_.assign(registers_.values.size(), 0);
  std::ranges::fill(registers_.written, 0);
  std::ranges::fill(registers_.carried, 0);
  const auto& info = kernel_.loops.find(loop.header)->second;
  for (std::uint32_t block = 0; block < info.members.size(); ++block) {
    if (!info.members[block]) continue;
    for (const auto& step : kernel_.steps[block])
      for (const auto reg : step.outputs) {
        if (reg == kNoOutput) continue;
        registers_.same[reg] = 0;
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
          const auto at = reg * lanes_ + lane;
          registers_.motions[at] = {registers_.values[at] - snapshot_[at], {}};
          starting_slopes_[at] = registers_.motions[at].slope;
        }
      }
  }
  snapshot_ = registers_.values;
}

/// Whether a register that the pass read before it wrote it has moved by its step.
bool WarpRun::is_steady(std::uint32_t reg) {
  const auto bits = kernel_.input.routine.registers[reg].type.bits;
  bool steady = true;
  for_each_lane(registers_.carried[reg] & registers_.written[reg], [&](std::size_t lane) {
    const auto at = reg * lanes_ + lane;
    const auto& motion = registers_.motions[at];
    steady = steady && truncated(registers_.values[at] - snapshot_[at] - starting_slopes_[at], bits) == 0 &&
             truncated(motion.slope - starting_slopes_[at], bits) == 0;
    horizon_.limit(motion.holds.passes);
  });
  for_each_lane(registers_.carried[reg] & ~registers_.written[reg], [&](std::size_t lane) {
    steady = steady && truncated(starting_slopes_[reg * lanes_ + lane], bits) == 0;
  });
  return steady;
}

/// How many passes the one stands for. Where a register is off at the end of the last one, that is executed itself.
std::int64_t WarpRun::passes_to_skip() {
  auto passes = horizon_.passes;
  for (std::uint32_t reg = 0; reg < registers_.written.size(); ++reg)
    for_each_lane(registers_.written[reg], [&](std::size_t lane) {
      const bool is_off = registers_.motions[reg * lanes_ + lane].holds.passes < horizon_.passes;
      passes = std::max<std::int64_t>(1, is_off ? horizon_.passes - 1 : passes);
    });
  return passes;
}

/// Whether what the pass did holds for further ones, and for how many. Then all registers are moved to the end of the
/// last of them.
/// @return passes that the one stands for, at least 1
std::int64_t WarpRun::close_pass(const NaturalLoop& loop, LaneMask entered) {
  const auto& info = kernel_.loops.find(loop.header)->second;
  if (!closable_ || arrivals_[loop.header] != entered) return 1;
  const auto& registers = kernel_.input.routine.registers;
  for (std::uint32_t reg = 0; reg < registers.size(); ++reg)
    if (!is_steady(reg)) return 1;
  if (info.trips) horizon_.limit(std::max<std::int64_t>(1, *info.trips - frames_.back().passes));
  if (horizon_.passes == Horizon::kEndless)
    kernel_.fail(kernel_.input.flow.blocks[loop.header].first, "a loop ends",
                 fmt::format("the loop at {} never does", loop.label), "check the arguments");
  const auto passes = passes_to_skip();
  const auto further = static_cast<std::uint64_t>(passes - 1);
  for (std::size_t reg = 0; reg < registers.size(); ++reg)
    for_each_lane(registers_.written[reg], [&](std::size_t lane) {
      const auto at = reg * lanes_ + lane;
      registers_.values[at] =
          truncated(registers_.values[at] + further * registers_.motions[at].slope, registers[reg].type.bits);
    });
  execution_.closed_passes += passes - 1;
  return passes;
}

}  // namespace warpipe::ptx
