#pragma once

#include <algorithm>
#include <array>
#include <map>

namespace warpipe::programs {

/// The working parts of a device: the units, and a copy engine for each direction.
enum class Engine { Units, ToDevice, ToHost, None };

/// The begin and end of work on a device, in seconds from the first. Work of a stream follows earlier work of the
/// stream; an engine does its work in sequence; the host takes the time of its launches, and the time given to
/// host_works. A launch is taken to have the units alone, even where launches would share them.
class Timeline {
 public:
  struct Span {
    double begin = 0, end = 0;
  };
  /// @param stream   by its number; 0 is the stream that all others wait for and that waits for them
  /// @param seconds  the time of the work
  Span add(std::size_t stream, Engine engine, double seconds) {
    auto begin = std::max({host_, ready_[stream], engines_[static_cast<std::size_t>(engine)], barrier_});
    if (stream == 0)
      for (const auto& [number, time] : ready_) begin = std::max(begin, time);
    const auto end = begin + seconds;
    ready_[stream] = end;
    if (engine != Engine::None) engines_[static_cast<std::size_t>(engine)] = end;
    if (stream == 0) barrier_ = end;
    latest_ = std::max(latest_, end);
    return {begin, end};
  }
  /// The cost of a launch beside its run, in seconds: until it begins where nothing is before it, of the host, and from
  /// the end of the work before.
  struct LaunchCosts {
    double overhead = 0, interval = 0, gap = 0;
  };
  Span add_launch(std::size_t stream, double seconds, const LaunchCosts& costs) {
    host_ += costs.interval;
    const auto issued = host_ + std::max(costs.overhead - costs.interval, 0.0);
    ready_[stream] = std::max(ready_[stream] + costs.gap, issued);
    return add(stream, Engine::Units, seconds);
  }
  /// The end of all work of a stream so far.
  double ready(std::size_t stream) {
    if (stream != 0) return std::max(ready_[stream], barrier_);
    auto time = barrier_;
    for (const auto& [number, end] : ready_) time = std::max(time, end);
    return time;
  }
  void stream_waits(std::size_t stream, double until) { ready_[stream] = std::max(ready_[stream], until); }
  /// The host is at work by itself.
  void host_works(double seconds) { host_ += seconds; }
  void host_waits(double until) { host_ = std::max(host_, until); }
  double latest() const { return latest_; }
  double host() const { return host_; }

 private:
  std::map<std::size_t, double> ready_;
  std::array<double, 4> engines_{};
  double host_ = 0, barrier_ = 0, latest_ = 0;
};

}  // namespace warpipe::programs
