#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace warpipe::app {
namespace {

using Clock = std::chrono::steady_clock;

class Line {
 public:
  explicit Line(std::string noun) : noun_(std::move(noun)) {}

  void operator()(std::size_t done, std::size_t total) {
    constexpr auto kClearLine = "\r\033[K";
    if (done == total) {
      fmt::print(stderr, kClearLine);
      return;
    }
    const auto now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(100)) return;
    shown_ = now;
    const double rate = static_cast<double>(done) / std::chrono::duration<double>(now - start_).count();
    fmt::print(stderr, "{}warpipe: {} of {} {}, {:.3g} a second, {:.0f} s left", kClearLine, done, total, noun_, rate,
               static_cast<double>(total - done) / rate);
    std::fflush(stderr);
  }

 private:
  std::string noun_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

}  // namespace

Progress progress_on_terminal(const std::string& noun) {
  if (::isatty(STDERR_FILENO) == 0) return {};
  return Line(noun);
}

}  // namespace warpipe::app
