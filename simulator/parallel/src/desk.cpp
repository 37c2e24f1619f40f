#include "warpipe/parallel/desk.hpp"

#include <chrono>
#include <utility>

namespace warpipe {

Desk::Desk(IndexRange indices, const HandOutLimits& limits, std::function<void(std::size_t)> take)
    : hand_out_(indices, limits), take_(std::move(take)), taken_(indices.first), is_over_(hand_out_.is_over()) {}

std::optional<IndexRange> Desk::ask(Worker worker) {
  const std::scoped_lock lock(mutex_);
  return is_over_ ? std::nullopt : hand_out_.ask(worker);
}

std::optional<IndexRange> Desk::wait(Worker worker) {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    if (const auto range = hand_out_.ask(worker)) return range;
    changed_.wait(lock);
  }
  return std::nullopt;
}

void Desk::done(Worker worker, std::size_t count, double seconds, const std::function<void(std::size_t)>& keep) {
  const std::scoped_lock lock(mutex_);
  const auto part = is_over_ ? std::nullopt : hand_out_.done(worker, count, seconds);
  if (!part) return;
  for (std::size_t index = part->first; index < part->end; ++index) keep(index);
  take_finished();
  changed();
}

void Desk::take_finished() {
  try {
    while (taken_ < hand_out_.finished()) take_(taken_++);
  } catch (...) {
    why_ = std::current_exception();
  }
  if (why_ || hand_out_.is_over()) is_over_ = true;
}

void Desk::changed() {
  ++changes_;
  changed_.notify_all();
}

void Desk::lost(Worker worker) {
  const std::scoped_lock lock(mutex_);
  hand_out_.lost(worker);
  changed();
}

void Desk::end(std::exception_ptr why) {
  const std::scoped_lock lock(mutex_);
  if (!why_) why_ = std::move(why);
  is_over_ = true;
  changed();
}

double Desk::seconds_of_range() const {
  const std::scoped_lock lock(mutex_);
  return hand_out_.seconds_of_range();
}

void Desk::rethrow() const {
  if (why_) std::rethrow_exception(why_);
}

DoneOfRange make_range(IndexRange range, double seconds, const std::function<void(std::size_t)>& make) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  DoneOfRange done;
  while (done.count < range.size() && (done.count == 0 || is_worth_going_on(done.seconds, seconds))) {
    make(range.first + done.count++);
    done.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  }
  return done;
}

void work_at(Desk& desk, Desk::Worker worker, const std::function<void(std::size_t)>& make) {
  try {
    while (const auto range = desk.wait(worker)) {
      const auto done = make_range(*range, desk.seconds_of_range(), make);
      desk.done(worker, done.count, done.seconds, [](std::size_t) {});
    }
  } catch (...) {
    desk.end(std::current_exception());
  }
}

}  // namespace warpipe
