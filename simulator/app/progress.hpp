#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "messages.hpp"
#include "warpipe/study/sweep.hpp"

namespace warpipe::app {

/// A line on standard error that says how far a long piece of work is, ten times a second at most:
///     warpipe: 1200 of 4096 points, 310 a second, 9 s left
/// Nothing where standard error is no terminal, or the voice is quiet.
class ProgressLine {
 public:
  /// @param noun     what is counted: "points"
  /// @param already  so many are there from an earlier run; they say nothing of the rate
  ProgressLine(Voice voice, std::string noun, std::size_t already = 0);

  /// Shows it anew; clears it when all is done.
  void show(std::size_t done, std::size_t total);
  /// To be called before anything else is written on standard error.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string noun_;
  std::size_t already_;
  bool is_wanted_, is_shown_ = false;
  Clock::time_point start_ = Clock::now(), shown_ = start_;
};

/// A ProgressLine for work that calls back.
Progress progress_on_terminal(Voice voice, const std::string& noun);

}  // namespace warpipe::app
