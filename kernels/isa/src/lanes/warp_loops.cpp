// Iterations of loops: each executed, or an iteration for many.
#include <algorithm>
#include <bit>

#include "lanes/interpreter.hpp"
#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

// An ending loop never goes round so often.
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

std::int64_t Interpreter::loop(const NaturalLoop& loop) {
  // The enclosing loop is not closed in an iteration that gets here: the motion of its numbers means
  // nothing to this loop.
  if (closing_) rest(*frames_.back().info);
  closable_ = closing_ = false;
  frames_.push_back({&kernel_.loops.find(loop.header)->second, 0, {}, {}, false});
  LoopTrace trace;
  // After a failure to close the loop at its last entry, the next attempt comes later.
  auto& wait = waits_.try_emplace(loop.header, 1).first->second;
  auto next_attempt = 2 + wait;
  bool has_snapshot = false;  // of the previous iteration
  Iteration iteration;
  while (arrivals_[loop.header] != 0) {
    auto& frame = frames_.back();
    const auto entered = arrivals_[loop.header];
    const auto number = ++frame.iterations;
    // A sample may have skipped the iteration of the snapshot.
    if (!has_snapshot) next_attempt = std::max(next_attempt, number + 1);
    const bool closing = kernel_.input.launch.close_loops && number >= next_attempt;
    has_snapshot = number + 1 == next_attempt;
    if (has_snapshot) snapshot(*frame.info);
    if (closing) begin_closing(*frame.info);
    if (takes_long()) stop_ = companions_.sampling.begin(*this, frame);
    iteration.begin(loop.header);
    const auto changed = changed_.size();
    const auto phase = recorded_ ? recorded_->phase() : 0;
    if (!stop_) list(loop.body, iteration);
    if (stop_) return 0;
    auto times = closing ? close_iteration(loop, entered) : 1;
    iteration.is_closed = times > 1;
    if (times == 1 && takes_long()) times = companions_.sampling.sample(*this, loop);
    if (recorded_ && times > 1) pass_over(changed, phase, times - 1);
    iteration.is_sample = times > 1 && !iteration.is_closed;
    if (times > kIterationsOfEndless - frames_.back().iterations)
      stop_ = companions_.sampling.endless(*this, frames_.back());
    if (!stop_) finish(iteration, times, trace);
    if (stop_) return 0;
    frames_.back().iterations += times - 1;
    has_snapshot = has_snapshot && times == 1;
    if (!closing) continue;
    wait = iteration.is_closed ? 1 : std::min(2 * wait, kEffort.pattern);
    next_attempt = frames_.back().iterations + 1 + wait + 1;
    closing_ = false;
    rest(*frames_.back().info);
  }
  frames_.pop_back();
  closable_ = false;
  return execution_.pool.add(std::move(trace));
}

/// Skips the recorded numbers of iterations represented by the executed iteration.
/// @param changed  the size of `changed_` before the iteration
/// @param phase    the phase at its start
void Interpreter::pass_over(std::size_t changed, std::uint32_t phase, std::int64_t iterations) {
  for (auto i = changed; i < changed_.size(); ++i) recorded_->skip(changed_[i], iterations);
  recorded_->pass(static_cast<std::uint32_t>((recorded_->phase() - phase) * iterations));
}

/// Clears the previous iteration, but keeps its room.
void Interpreter::Iteration::begin(std::uint32_t header) {
  record.header = header;
  record.items.clear();
  record.idle.clear();
  events.clear();
  numbers.clear();
  blocks.clear();
  is_closed = is_sample = false;
}

void Interpreter::finish(Iteration& iteration, std::int64_t times, LoopTrace& trace) {
  const auto record = keep(iteration, times);
  if (!trace.empty() && trace.back().first == record) {
    trace.back().second += times;
  } else {
    trace.emplace_back(record, times);
  }
}

std::uint32_t Interpreter::keep(Iteration& iteration, std::int64_t times) {
  const bool moving = iteration.is_closed;
  // The iterations represented by a sample are known to execute, but their addresses are not known.
  const auto reached = [&](const Iteration::Event& event) {
    return iteration.is_sample ? 1 : moving ? std::min(times, event.holds.iterations) : times;
  };
  const auto record = execution_.pool.add(std::move(iteration.record));
  auto* const recorder = companions_.recorder;
  if (recorder != nullptr) recorder->iterations(record, times);
  for (const auto& event : iteration.events) {
    const auto& access = *event.step->instruction->access;
    const auto* const numbers = &iteration.numbers[event.addresses];
    AddressEvent moved{event.step->index, event.mask, access.bytes, takes_turns(access), false, {numbers, lanes_}, {}};
    moved.word_pitch = word_pitch(access, moved);
    moved.retries = access.meeting == Access::Meeting::Retry;
    moved.served = served(access.space);
    moved.shares_pairs = shares_pairs(access);
    moved.sizes = kernel_.input.sizes;
    if (moving) {
      moved.strides = {numbers + lanes_, lanes_};
      check_last(*event.step, moved, times);
      if (stop_) return record;
    }
    if (recorder != nullptr) recorder->access(*this, record, *event.step, moved, {reached(event), times});
  }
  if (recorder != nullptr)
    for (const auto& [index, mask] : iteration.blocks) recorder->block(record, index, mask, times);
  return record;
}

bool Interpreter::shares_pairs(const Access& access) const {
  return kernel_.input.program.shares_pairs && access.kind == Access::Kind::Load && !access.tile &&
         (access.bytes == 8 || access.bytes == 16);
}

/// Thread-private memory has the words of all lanes side by side, one word after another.
std::uint64_t Interpreter::word_pitch(const Access& access, const AddressEvent& event) const {
  const auto first = event.mask == 0 ? 0 : event.addresses[static_cast<std::size_t>(std::countr_zero(event.mask))];
  const bool local =
      access.space == Space::Local || (access.space == Space::Generic && (first & kWindowMask) == kLocalWindow);
  return local ? kWordBytes * lanes_ : kWordBytes;
}

/// Checks the addresses of the last of many iterations.
void Interpreter::check_last(const Step& step, const AddressEvent& event, std::int64_t times) {
  LaneNumbers last;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  for (std::size_t lane = 0; lane < lanes_; ++lane)
    last[lane] = event.addresses[lane] + static_cast<std::uint64_t>(times - 1) * event.strides[lane];
  check_shared(step, event.mask, {last.data(), lanes_});
}

/// No other registers ever moved.
void Interpreter::rest(const LoopInfo& info) {
  for (const auto reg : info.written) registers_.moving[reg] = 0;
}

/// Keeps the registers that a loop may change.
void Interpreter::snapshot(const LoopInfo& info) {
  snapshot_.resize(kernel_.values);
  starting_strides_.resize(kernel_.values);
  for (const auto reg : info.written) {
    const auto first = static_cast<std::ptrdiff_t>(place(reg, 0));
    std::copy_n(registers_.values.begin() + first, lanes_of(reg), snapshot_.begin() + first);
  }
}

/// The next iteration is executed with the step that each register took since the snapshot.
void Interpreter::begin_closing(const LoopInfo& info) {
  closing_ = closable_ = true;
  horizon_ = {};
  std::ranges::fill(registers_.written, 0);
  std::ranges::fill(registers_.carried, 0);
  for (const auto reg : info.written) begin_moving(reg);
  snapshot(info);
}

/// Takes the motion of a register written by the loop from the last iteration.
void Interpreter::begin_moving(std::uint32_t reg) {
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

/// Whether a register read before its write in the iteration has moved by its step.
bool Interpreter::is_steady(std::uint32_t reg) {
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

/// The number of iterations the executed iteration stands for. Where a register is off at the end of the last
/// iteration, the last iteration is executed itself.
std::int64_t Interpreter::iterations_to_skip(const LoopInfo& info) {
  auto iterations = horizon_.iterations;
  for (const auto reg : info.written)
    for_each_lane(registers_.written[reg] & registers_.moving[reg], [&](std::size_t lane) {
      const bool is_off = registers_.motions[place(reg, lane)].holds.iterations < horizon_.iterations;
      iterations = std::max<std::int64_t>(1, is_off ? horizon_.iterations - 1 : iterations);
    });
  return iterations;
}

/// Finds the number of further iterations for which the executed iteration holds, and moves all registers to the end of
/// the last of them.
/// @return iterations represented by the executed iteration, at least 1
std::int64_t Interpreter::close_iteration(const NaturalLoop& loop, LaneMask entered) {
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

void Interpreter::set_sampled_motion(std::uint32_t reg, LaneMask moving, const std::uint64_t* strides) {
  for_each_lane(moving, [&](std::size_t lane) { set_motion(reg, LaneMask{1} << lane, {strides[lane], {}}); });
  registers_.same[reg] &= ~moving;
}

void Interpreter::advance(const LoopInfo& info, std::int64_t further) {
  for (const auto reg : info.written)
    for_each_lane(registers_.moving[reg], [&](std::size_t lane) {
      const auto at = place(reg, lane);
      const auto moved = static_cast<std::uint64_t>(further) * registers_.motions[at].stride;
      registers_.values[at] = truncated(registers_.values[at] + moved, bits_of(reg));
    });
}

}  // namespace warpipe::isa
