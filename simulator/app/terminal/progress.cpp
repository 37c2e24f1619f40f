#include "terminal/progress.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <utility>

#include "terminal/messages.hpp"

namespace warpipe::app {
namespace {

using std::chrono::milliseconds;

constexpr auto kClearLine = "\r\033[K";
constexpr auto kBeforeTheFirst = milliseconds(200), kBetween = milliseconds(100);
constexpr double kSecondsBeforeAWarning = 5, kLong = 60;
constexpr double kFirstLine = 0.5, kMostBetweenLines = 300;  ///< seconds

/// "9 s", "3 min 20 s", "2 h 5 min"
std::string show_duration(double duration) {
  const auto seconds = static_cast<long>(std::ceil(std::clamp(duration, 1.0, 1e9)));
  const auto minutes = seconds / 60;
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (minutes < 120) return fmt::format("{} min {} s", minutes, seconds % 60);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

/// Starts a thread without signals: they are for the threads already there.
std::thread without_signals(std::function<void()> body) {
  sigset_t all{}, before{};
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(body));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

LongWork simulation(std::string noun, const Kernel& kernel, const Device& device, const LaunchOptions& options,
                    bool simulates_all_units) {
  const auto instructions = [&kernel, &device, &options, simulates_all_units](std::size_t) {
    const Effort effort = effort_of(kernel, device, options);
    return simulates_all_units ? effort.full : effort.run;
  };
  return {std::move(noun), 0, 0, instructions, ways_to_shorten(options), 1, [&kernel, &device, &options] {
            return untold_share(kernel, device, options);
          }};
}

std::function<double()> without_a_period(const LaunchOptions& options) {
  return [share = options.skipping == Skipping::On ? kWithoutAPeriod : 0] { return share; };
}

std::string ways_to_shorten(const LaunchOptions& options) {
  std::string ways = options.kernel_launch_is_given ? "a smaller --grid" : "fewer --groups, smaller parameters";
  if (options.units == Units::All) ways += ", --units one";
  if (options.skipping != Skipping::On) ways += ", --skipping on";
  return ways;
}

ProgressLine::ProgressLine(Voice voice, LongWork work)
    : work_(std::move(work)),
      is_on_terminal_(::isatty(STDERR_FILENO) != 0),
      done_(work_.already),
      next_line_(kFirstLine) {
  if (voice == Voice::Normal) watcher_ = without_signals([this] { watch(); });
}

SimulatedInstructions ProgressLine::simulated() const {
  const auto now = simulated_so_far();
  return {now.issued - simulated_before_.issued, now.skipped - simulated_before_.skipped};
}

void ProgressLine::show(std::size_t done) {
  const std::scoped_lock lock(mutex_);
  done_ = done;
  simulated_when_done_ = simulated();
  if (remaining_) remaining_->note_done(done_, simulated_when_done_);
}

void ProgressLine::aside(const std::function<void()>& write) {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(is_shown_, false)) to_standard_error(kClearLine);
  write();
}

void ProgressLine::end() {
  if (!watcher_.joinable()) return;
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  watcher_.join();
  if (is_shown_) to_standard_error(kClearLine);
}

void ProgressLine::watch() {
  std::unique_lock lock(mutex_);
  const auto is_over = [this] { return is_over_.load(); };
  if (changed_.wait_for(lock, kBeforeTheFirst, is_over)) return;
  lock.unlock();  // measuring the pieces takes a moment
  std::function<double(std::size_t)> instructions;
  if (work_.instructions) instructions = [this](std::size_t index) { return is_over_ ? 0 : work_.instructions(index); };
  RemainingTime remaining(std::max<std::size_t>(work_.count, 1), work_.already, instructions,
                          work_.untold && !is_over_ ? work_.untold() : 0);
  lock.lock();
  remaining.note_done(done_, simulated_when_done_);
  remaining_ = std::move(remaining);
  while (!is_over_) {
    show_now(std::chrono::duration<double>(Clock::now() - start_).count());
    changed_.wait_for(lock, kBetween, is_over);
  }
}

void ProgressLine::show_now(double seconds) {
  const auto now = simulated();
  if (now.issued == 0 && work_.instructions) first_instruction_ = seconds;  // imports and caches take time before it
  const auto left = remaining_->left(now, seconds - first_instruction_);
  if (left && seconds > kSecondsBeforeAWarning && *left > kLong && !has_warned_) warn_of(*left);
  if (!is_on_terminal_ && work_.ranks == 1) return;
  const auto what = work_.count == 0 ? work_.noun : fmt::format("{} of {} {}", done_, work_.count, work_.noun);
  const auto when = left ? fmt::format(", {:.0f} %, {} left", 100 * seconds / (seconds + *left), show_duration(*left))
                         : std::string();
  if (!is_on_terminal_) return show_line(fmt::format("{}{}, on {} ranks", what, when, work_.ranks), seconds);
  to_standard_error(fmt::format("{}warpipe: {}{}", std::exchange(is_shown_, true) ? kClearLine : "", what, when));
  std::fflush(stderr);
}

void ProgressLine::show_line(const std::string& text, double seconds) {
  if (seconds < next_line_) return;
  next_line_ = seconds + std::min(seconds, kMostBetweenLines);
  to_standard_error(fmt::format("warpipe: {}\n", text));
}

void ProgressLine::warn_of(double left) {
  has_warned_ = true;
  if (std::exchange(is_shown_, false)) to_standard_error(kClearLine);
  const auto way_out = work_.shorten.empty() ? "" : fmt::format("; {} would make it shorter", work_.shorten);
  warn_of_this_run(Voice::Normal, fmt::format("this may take up to {}{}", show_duration(left), way_out));
}

Progress progress_on_terminal(Voice voice, const std::string& noun) {
  const auto line = std::make_shared<std::optional<ProgressLine>>();
  return [voice, noun, line](std::size_t done, std::size_t total) {
    if (!*line) line->emplace(voice, LongWork{.noun = noun, .count = total, .already = done});
    (*line)->show(done);
  };
}

}  // namespace warpipe::app
