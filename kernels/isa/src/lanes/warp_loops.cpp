// Iterations of loops: each executed, or one for many.
#include <algorithm>
#include <bit>

#include "lanes/warp_run.hpp"
#include "survey/address_log.hpp"
#include "survey/meeting_lanes.hpp"
#include "survey/touched_sectors.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kLongestWait = 64;  // iterations between two attempts to close a loop in form
// No loop goes round so often that ends.
constexpr std::int64_t kIterationsOfEndless = std::int64_t{1} << 48;

Served served(Space space) {
  return space == Space::Constant                          ? Served::WordByWord
         : space == Space::Global || space == Space::Local ? Served::BySectors
                                                           : Served::InBanks;
}

bool takes_turns(const Access& access) {
  return access.kind == Access::Kind::Atomic && access.meeting == Access::Meeting::Turns;
}

}  // namespace

std::int64_t WarpRun::loop(const NaturalLoop& loop) {
  // The loop around this one is not closed in the iteration that gets here: how its numbers move is nothing to this
  // one.
  if (closing_) rest(*frames_.back().info);
  closable_ = closing_ = false;
  frames_.push_back({&kernel_.loops.find(loop.header)->second, 0, {}, {}, false});
  LoopTrace trace;
  // One that could not be closed when it was last entered is tried later.
  auto& wait = waits_.try_emplace(loop.header, 1).first->second;
  auto next_attempt = 2 + wait;
  bool has_snapshot = false;  // of the iteration before
  Iteration iteration;
  while (arrivals_[loop.header] != 0) {
    auto& frame = frames_.back();
    const auto entered = arrivals_[loop.header];
    const auto number = ++frame.iterations;
    // A sample may have passed over the iteration in which one would have been taken.
    if (!has_snapshot) next_attempt = std::max(next_attempt, number + 1);
    const bool closing = kernel_.input.launch.close_loops && number >= next_attempt;
    has_snapshot = number + 1 == next_attempt;
    if (has_snapshot) snapshot(*frame.info);
    if (closing) begin_closing(*frame.info);
    if (takes_long()) note_start(frame);
    iteration.begin(loop.header);
    list(loop.body, iteration);
    auto times = closing ? close_iteration(loop, entered) : 1;
    iteration.is_closed = times > 1;
    if (times == 1 && takes_long()) times = sample(loop);
    iteration.is_sample = times > 1 && !iteration.is_closed;
    if (times > kIterationsOfEndless - frames_.back().iterations) fail_as_endless(frames_.back());
    finish(iteration, times, trace);
    frames_.back().iterations += times - 1;
    has_snapshot = has_snapshot && times == 1;
    if (!closing) continue;
    wait = iteration.is_closed ? 1 : std::min(2 * wait, kLongestWait);
    next_attempt = frames_.back().iterations + 1 + wait + 1;
    closing_ = false;
    rest(*frames_.back().info);
  }
  frames_.pop_back();
  closable_ = false;
  return execution_.pool.add(std::move(trace));
}

/// Forgets the one before, but keeps its room.
void WarpRun::Iteration::begin(std::uint32_t header) {
  record.header = header;
  record.items.clear();
  record.idle.clear();
  events.clear();
  numbers.clear();
  blocks.clear();
  is_closed = is_sample = false;
}

void WarpRun::finish(Iteration& iteration, std::int64_t times, LoopTrace& trace) {
  const auto record = keep(iteration, times);
  if (!trace.empty() && trace.back().first == record) {
    trace.back().second += times;
  } else {
    trace.emplace_back(record, times);
  }
}

std::uint32_t WarpRun::keep(Iteration& iteration, std::int64_t times) {
  const bool moving = iteration.is_closed;
  // Of those that a sample stands for it is known that they are executed, but not where they reach.
  const auto reached = [&](const Iteration::Event& event) {
    return iteration.is_sample ? 1 : moving ? std::min(times, event.holds.iterations) : times;
  };
  const auto record = execution_.pool.add(std::move(iteration.record));
  const auto groups = execution_.stands_for;
  RecordStatistics* seen = nullptr;
  if (groups > 0) {
    if (record >= execution_.statistics.size()) execution_.statistics.resize(record + 1);
    seen = &execution_.statistics[record];
    seen->iterations += groups * static_cast<double>(times);
  }
  for (const auto& event : iteration.events) {
    const auto& access = *event.step->instruction->access;
    const auto* const numbers = &iteration.numbers[event.addresses];
    AddressEvent moved{event.step->index, event.mask, access.bytes, takes_turns(access), combines(*event.step),
                       {numbers, lanes_}, {}};
    moved.word_pitch = word_pitch(access, moved);
    moved.retries = access.meeting == Access::Meeting::Retry;
    moved.served = served(access.space);
    moved.shares_pairs = shares_pairs(access);
    moved.sizes = kernel_.input.sizes;
    if (moving) {
      moved.strides = {numbers + lanes_, lanes_};
      check_last(*event.step, moved, times);
    }
    const auto array = execution_.log ? log(moved, reached(event)) : kNoArray;
    if (seen == nullptr) continue;
    auto& statistics = seen->accesses[event.step->index];
    account(statistics, moved, times, groups);
    statistics.sampled |= reached(event) < times;
    // Beyond that the addresses are others: what is not known to be reached does not count.
    touch_sectors(*event.step, moved, array, {reached(event), times});
  }
  for (const auto& [index, mask] : iteration.blocks) {
    if (seen == nullptr) break;
    auto& statistics = seen->blocks[index];
    statistics.executions += groups * static_cast<double>(times);
    statistics.lanes += groups * static_cast<double>(times) * std::popcount(mask);
  }
  return record;
}

bool WarpRun::combines(const Step& step) const {
  return step.instruction->access->combines && execution_.meeting && execution_.meeting->is_alike(step.index);
}

bool WarpRun::shares_pairs(const Access& access) const {
  return kernel_.input.program.shares_pairs && access.kind == Access::Kind::Load && !access.tile &&
         (access.bytes == 8 || access.bytes == 16);
}

/// Thread-private memory has the words of all lanes side by side, a word after the other.
std::uint64_t WarpRun::word_pitch(const Access& access, const AddressEvent& event) const {
  const auto first = event.mask == 0 ? 0 : event.addresses[static_cast<std::size_t>(std::countr_zero(event.mask))];
  const bool local =
      access.space == Space::Local || (access.space == Space::Generic && (first & kWindowMask) == kLocalWindow);
  return local ? kWordBytes * lanes_ : kWordBytes;
}

std::uint32_t WarpRun::log(const AddressEvent& event, std::int64_t times) const {
  std::vector<std::int64_t> iterations;
  for (const auto& frame : frames_) iterations.push_back(frame.iterations - 1);
  return execution_.log->add(event, static_cast<std::uint32_t>(warp_), iterations, times);
}

/// @param array  of the log
void WarpRun::touch_sectors(const Step& step, const AddressEvent& event, std::uint32_t array, Executions executions) {
  const auto& access = *step.instruction->access;
  const auto first = event.mask == 0 ? 0 : event.addresses[static_cast<std::size_t>(std::countr_zero(event.mask))];
  const bool global = access.space == Space::Global || (access.space == Space::Generic && (first & kWindowMask) == 0);
  if (!global) return;
  const bool stores = access.kind == Access::Kind::Store, atomic = access.kind == Access::Kind::Atomic;
  if (atomic) execution_.meeting->add(event, executions.known);
  execution_.touched->add(event, array, executions.known, executions.known < executions.all, !stores, stores || atomic);
}

/// Where the last of many iterations reaches.
void WarpRun::check_last(const Step& step, const AddressEvent& event, std::int64_t times) {
  LaneNumbers last;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  for (std::size_t lane = 0; lane < lanes_; ++lane)
    last[lane] = event.addresses[lane] + static_cast<std::uint64_t>(times - 1) * event.strides[lane];
  check_shared(step, event.mask, {last.data(), lanes_});
}

/// What a loop writes moves no more. Nothing else ever did.
void WarpRun::rest(const LoopInfo& info) {
  for (const auto reg : info.written) registers_.moving[reg] = 0;
}

/// Keeps what a loop may change.
void WarpRun::snapshot(const LoopInfo& info) {
  snapshot_.resize(kernel_.values);
  starting_strides_.resize(kernel_.values);
  for (const auto reg : info.written) {
    const auto first = static_cast<std::ptrdiff_t>(place(reg, 0));
    std::copy_n(registers_.values.begin() + first, lanes_of(reg), snapshot_.begin() + first);
  }
}

/// The next iteration is executed with the step that each register took since the snapshot.
void WarpRun::begin_closing(const LoopInfo& info) {
  closing_ = closable_ = true;
  horizon_ = {};
  std::ranges::fill(registers_.written, 0);
  std::ranges::fill(registers_.carried, 0);
  for (const auto reg : info.written) begin_moving(reg);
  snapshot(info);
}

/// Takes the steps of a number that a loop writes from the last iteration.
void WarpRun::begin_moving(std::uint32_t reg) {
  registers_.same[reg] = 0;
  registers_.motions.resize(kernel_.values);
  const auto first = place(reg, 0);
  std::uint64_t any = 0;
  for (std::size_t at = first; at < first + lanes_of(reg); ++at) {
    starting_strides_[at] = registers_.values[at] - snapshot_[at];
    any |= starting_strides_[at];
  }
  registers_.moving[reg] = 0;
  if (any == 0) return;
  const auto moving =
      lanes_where(lanes_of(reg), [&](std::size_t lane) { return starting_strides_[first + lane] != 0; });
  for_each_lane(moving, [&](std::size_t lane) {
    registers_.motions[first + lane] = {starting_strides_[first + lane], {}};
  });
  registers_.moving[reg] = moving;
}

/// Whether a register that the iteration read before it wrote it has moved by its step.
bool WarpRun::is_steady(std::uint32_t reg) {
  const auto bits = bits_of(reg);
  bool steady = true;
  for_each_lane(registers_.carried[reg] & registers_.written[reg], [&](std::size_t lane) {
    const auto at = place(reg, lane);
    const auto moved = motion(reg, lane);
    steady = steady && truncated(registers_.values[at] - snapshot_[at] - starting_strides_[at], bits) == 0 &&
             truncated(moved.stride - starting_strides_[at], bits) == 0;
    horizon_.limit(moved.holds.iterations);
  });
  for_each_lane(registers_.carried[reg] & ~registers_.written[reg], [&](std::size_t lane) {
    steady = steady && truncated(starting_strides_[place(reg, lane)], bits) == 0;
  });
  return steady;
}

/// How many iterations the one stands for. Where a register is off at the end of the last one, that is executed itself.
std::int64_t WarpRun::iterations_to_skip(const LoopInfo& info) {
  auto iterations = horizon_.iterations;
  for (const auto reg : info.written)
    for_each_lane(registers_.written[reg] & registers_.moving[reg], [&](std::size_t lane) {
      const bool is_off = registers_.motions[place(reg, lane)].holds.iterations < horizon_.iterations;
      iterations = std::max<std::int64_t>(1, is_off ? horizon_.iterations - 1 : iterations);
    });
  return iterations;
}

/// Whether what the iteration did holds for further ones, and for how many. Then all registers are moved to the end of
/// the last of them.
/// @return iterations that the one stands for, at least 1
std::int64_t WarpRun::close_iteration(const NaturalLoop& loop, LaneMask entered) {
  const auto& info = kernel_.loops.find(loop.header)->second;
  if (!closable_ || arrivals_[loop.header] != entered) return 1;
  for (const auto reg : info.written)
    if (!is_steady(reg)) return 1;
  if (info.trips) horizon_.limit(std::max<std::int64_t>(1, *info.trips - frames_.back().iterations));
  const auto iterations = iterations_to_skip(info);
  for (const auto reg : info.written) registers_.moving[reg] &= registers_.written[reg];
  advance(info, iterations - 1);
  execution_.closed_iterations += iterations - 1;
  return iterations;
}

/// Moves what moves by so many iterations.
void WarpRun::advance(const LoopInfo& info, std::int64_t further) {
  for (const auto reg : info.written)
    for_each_lane(registers_.moving[reg], [&](std::size_t lane) {
      const auto at = place(reg, lane);
      const auto moved = static_cast<std::uint64_t>(further) * registers_.motions[at].stride;
      registers_.values[at] = truncated(registers_.values[at] + moved, bits_of(reg));
    });
}

}  // namespace warpipe::isa
