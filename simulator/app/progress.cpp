#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace warpipe::app {
namespace {

constexpr auto kClearLine = "\r\033[K";

/// "9 s", "3 min 20 s", "2 h 5 min"
std::string show_duration(std::chrono::duration<double> duration) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(duration).count();
  const auto minutes = seconds / 60;
  if (seconds < 120) return fmt::format("{} s", seconds);
  if (minutes < 120) return fmt::format("{} min {} s", minutes, seconds % 60);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace

ProgressLine::ProgressLine(Voice voice, std::string noun, std::size_t already)
    : noun_(std::move(noun)), already_(already), is_wanted_(voice == Voice::Normal && ::isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(std::size_t done, std::size_t total) {
  if (!is_wanted_) return;
  if (done == total) {
    clear();
    return;
  }
  const auto now = Clock::now();
  if (now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  const std::chrono::duration<double> elapsed = now - start_;
  const double rate = static_cast<double>(done - already_) / elapsed.count();
  const auto* begin = std::exchange(is_shown_, true) ? kClearLine : "";
  fmt::print(stderr, "{}warpipe: {} of {} {}, {:.{}f} a second, {} left", begin, done, total, noun_, rate,
             rate < 10 ? 2 : 0,
             show_duration(elapsed * (static_cast<double>(total - done) / static_cast<double>(done - already_))));
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (std::exchange(is_shown_, false)) fmt::print(stderr, kClearLine);
}

Progress progress_on_terminal(Voice voice, const std::string& noun) {
  return [line = ProgressLine(voice, noun)](std::size_t done, std::size_t total) mutable { line.show(done, total); };
}

}  // namespace warpipe::app
