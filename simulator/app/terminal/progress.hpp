#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "terminal/messages.hpp"
#include "warpipe/sweep/effort.hpp"
#include "warpipe/sweep/sweep.hpp"

namespace warpipe::app {

/// Work that may take long.
struct LongWork {
  std::string noun;         ///< the pieces to count, "points"; for work in a single piece its name, "simulating"
  std::size_t count = 0;    ///< number of pieces; 0: the work is one piece
  std::size_t already = 0;  ///< pieces at the start done by an earlier run
  /// Instructions to simulate for a piece, from which the remaining time is estimated; empty if all pieces take the
  /// same time. May be called from another thread while the work goes on.
  std::function<double(std::size_t index)> instructions = {};
  std::string shorten = {};  ///< advice to shorten it: "fewer points"
  std::size_t ranks = 1;     ///< processes working on it
  /// Share of the work before which its time is unknown; empty: 0. Called as `instructions` is.
  std::function<double()> untold = {};
};

/// The simulation of a launch. The kernel, device and options must live as long as the work goes on.
/// @param simulates_all_units  whether symmetric units are all simulated
LongWork simulation(std::string noun, const Kernel& kernel, const Device& device, const LaunchOptions& options,
                    bool simulates_all_units = false);

/// LongWork::untold of several simulations of launches: until a period of the first would have come.
std::function<double()> without_a_period(const LaunchOptions& options);

/// Advice to shorten the simulations of launches with these options.
std::string ways_to_shorten(const LaunchOptions& options);

/// Shows the progress of long work in a line on standard error, at most ten times per second:
///     warpipe: 1200 of 4096 points, 29 %, 9 s left
/// and a single warning if the work will take more than a minute, with advice to shorten it. The line is shown only if
/// standard error is a terminal. Under a launcher it is none: there work shared by several processes gets lines of its
/// own, after half a second and then ever more seldom, at least every five minutes, "..., on 64 ranks". A quiet voice
/// shows nothing.
class ProgressLine {
 public:
  ProgressLine(Voice voice, LongWork work);
  ~ProgressLine() { end(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `done` pieces are done.
  void show(std::size_t done);
  /// Calls `write` while the line is out of the way: where standard output is the same terminal.
  void aside(const std::function<void()>& write);
  /// Removes the line for good. Must be called before anything else is written to standard error.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  void show_now(double seconds);
  void warn_of(double left);
  void show_line(const std::string& text, double seconds);
  SimulatedInstructions simulated() const;

  LongWork work_;
  bool is_on_terminal_;
  Clock::time_point start_ = Clock::now();
  SimulatedInstructions simulated_before_ = simulated_so_far();

  std::mutex mutex_;  ///< guards everything below
  std::condition_variable changed_;
  std::size_t done_;
  SimulatedInstructions simulated_when_done_;
  std::optional<RemainingTime> remaining_;  ///< set once the line may be shown
  double first_instruction_ = 0;            ///< seconds from the start until it was simulated, at the latest
  bool is_shown_ = false, has_warned_ = false;
  double next_line_;                   ///< seconds since the start, where lines are shown
  std::atomic<bool> is_over_ = false;  ///< may be read without the mutex
  std::thread watcher_;
};

/// A ProgressLine for work with a count of its own.
Progress progress_on_terminal(Voice voice, const std::string& noun);

}  // namespace warpipe::app
