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
  std::string noun;         ///< what is counted, "points"; of work that is one piece, what is done: "simulating"
  std::size_t count = 0;    ///< of the pieces; 0: the work is one piece
  std::size_t already = 0;  ///< so many of the first are there from an earlier run
  /// What there is to play for each, for the time that is left; empty: all take alike. May be called from another
  /// thread as long as the work goes on.
  std::function<double(std::size_t index)> instructions = {};
  std::string shorten = {};  ///< what would make it shorter: "fewer points"
};

/// The simulation of a launch; what it is made of lives as long as the work goes on.
/// @param plays_all_units  also where some do the same
LongWork simulation(std::string noun, const Kernel& kernel, const Device& device, const LaunchOptions& options,
                    bool plays_all_units = false);

/// What would make the simulations of such launches shorter.
std::string ways_to_shorten(const LaunchOptions& options);

/// A line on standard error that says how far long work is, ten times a second at most:
///     warpipe: 1200 of 4096 points, 29 %, 9 s left
/// and one warning of work that will take more than a minute, with what would make it shorter. The line is not there
/// where standard error is no terminal, and neither is where the voice is quiet.
class ProgressLine {
 public:
  ProgressLine(Voice voice, LongWork work);
  ~ProgressLine() { end(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// So many pieces are done.
  void show(std::size_t done);
  /// Takes the line away for good. To be called before anything else is written on standard error.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  void show_now(double seconds);
  void warn_of(double left);
  SimulatedInstructions played() const;

  LongWork work_;
  bool is_on_terminal_;
  Clock::time_point start_ = Clock::now();
  SimulatedInstructions played_before_ = simulated_so_far();

  std::mutex mutex_;  ///< of all below
  std::condition_variable changed_;
  std::size_t done_;
  SimulatedInstructions played_when_done_;
  std::optional<RemainingTime> remaining_;  ///< not before somebody may want to know
  bool is_shown_ = false, has_warned_ = false;
  std::atomic<bool> is_over_ = false;  ///< may be looked at without
  std::thread watcher_;
};

/// A ProgressLine for work that calls back and tells the count itself.
Progress progress_on_terminal(Voice voice, const std::string& noun);

}  // namespace warpipe::app
