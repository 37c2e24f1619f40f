#pragma once

#include <vector>

#include "gpu.hpp"
#include "session.hpp"
#include "statistics.hpp"

namespace measure {

/// Time between two points of the default stream.
class EventTimer {
 public:
  EventTimer() {
    GPU_CHECK(GPU(EventCreate)(&start_));
    GPU_CHECK(GPU(EventCreate)(&stop_));
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;
  ~EventTimer() {
    (void)GPU(EventDestroy)(start_);
    (void)GPU(EventDestroy)(stop_);
  }

  void start() { GPU_CHECK(GPU(EventRecord)(start_, nullptr)); }
  /// Waits for all launches since the start, and so finds a failed kernel here.
  double stop_us() {
    GPU_CHECK(GPU(EventRecord)(stop_, nullptr));
    GPU_CHECK(GPU(EventSynchronize)(stop_));
    float milliseconds = 0;
    GPU_CHECK(GPU(EventElapsedTime)(&milliseconds, start_, stop_));
    return 1000.0 * static_cast<double>(milliseconds);
  }

 private:
  GPU(Event_t) start_;
  GPU(Event_t) stop_;
};

/// The memory for the stamps of a launch.
struct Stamps {
  Stamp* of_warps;    ///< an entry per warp, in the order of the grid
  unsigned* arrived;  ///< kMostUnits counters, 0 before the launch
  unsigned groups;    ///< for a unit to hold at once
};

/// The state of a warp before its measured part.
struct Start {
  long long clock;
  bool met;
};

/// Marks the start of a warp's measured part, as soon as all groups of the unit are there. All lanes call it.
__device__ inline Start begin_stamp(const Stamps& stamps) {
  const bool met = meet(stamps.arrived, stamps.groups);
  return {unit_clock(), met};
}

/// Marks the end of a warp's measured part.
__device__ inline void end_stamp(const Stamps& stamps, const Start& start) {
  const long long stop = unit_clock();
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  const unsigned lanes = static_cast<unsigned>(warpSize);
  const unsigned warps = (blockDim.x * blockDim.y + lanes - 1) / lanes;
  if (thread % lanes != 0) return;
  Stamp& stamp = stamps.of_warps[blockIdx.x * warps + thread / lanes];
  stamp.start = start.clock;
  stamp.stop = stop;
  stamp.unit = unit_id();
  stamp.met = start.met;
}

/// The choice of a span over all units.
enum class Span { Median, Longest };

/// Launches kernels that stamp their warps and fill every unit with the planned groups.
class StampedLauncher {
 public:
  StampedLauncher(const DeviceFacts& device, const Residency& residency)
      : residency_(residency),
        grid_(device.units * residency.groups),
        stamps_(static_cast<std::size_t>(device.units) * static_cast<std::size_t>(residency.warps)),
        arrived_(kMostUnits) {}

  int groups() const { return grid_; }
  int threads() const { return grid_ * residency_.group_size; }

  /// @param launch  launch(stamps) puts a launch into the stream
  template <class Launch>
  Run run(const Launch& launch, Span span = Span::Median) {
    stamps_.fill(0);
    arrived_.fill(0);
    timer_.start();
    launch(Stamps{stamps_.data(), arrived_.data(), static_cast<unsigned>(residency_.groups)});
    Run run;
    run.time_us = timer_.stop_us();
    const UnitSpans spans = unit_spans(stamps_.read(), residency_.warps);
    run.cycles = span == Span::Median ? spans.median_cycles : spans.longest_cycles;
    run.full_units = spans.full_units;
    run.together = spans.together;
    return run;
  }

 private:
  Residency residency_;
  int grid_;
  Buffer<Stamp> stamps_;
  Buffer<unsigned> arrived_;
  EventTimer timer_;
};

/// Time of each further launch in a row of launches: (many - one) / (count - 1).
/// @return  microseconds, and their spread over the repeats
template <class Launch>
Summary time_of_a_launch(int repeats, const Launch& launch, int count = 3) {
  EventTimer timer;
  const auto time = [&](int launches) {
    timer.start();
    for (int i = 0; i < launches; ++i) launch();
    return timer.stop_us();
  };
  time(count);
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const double one = time(1);
    times.push_back((time(count) - one) / (count - 1));
  }
  return summarize(times);
}

/// The clock of the units right now, in MHz.
double clock_mhz(const DeviceFacts& device);

/// Adds a time to a row, in cycles of the clock seen right after it, and writes it.
/// @param otherwise  the meaning of a time that is not above 0
void write_time(Session& session, Row row, const Summary& time, const char* otherwise);

/// Adds the time of a whole launch to a row and writes it.
template <class Launch>
void write_whole_launch(Session& session, const Row& row, const Launch& launch) {
  write_time(session, row, time_of_a_launch(session.options().repeats, launch),
             "three launches took no longer than one");
}

/// Adds to a row the time of a launch less an empty launch's, with other data in the caches before each, and writes it.
template <class Launch, class Empty>
void write_cold_launch(Session& session, const Row& row, const Launch& launch, const Empty& empty) {
  EventTimer timer;
  const auto time = [&](const auto& one) {
    session.flush_caches();
    timer.start();
    one();
    return timer.stop_us();
  };
  time(empty);
  time(launch);
  std::vector<double> times;
  for (int i = 0; i < session.options().repeats; ++i) {
    const double nothing = time(empty);
    times.push_back(time(launch) - nothing);
  }
  write_time(session, row, summarize(times), "it took no longer than an empty launch");
}

}  // namespace measure
