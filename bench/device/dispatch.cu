#include <algorithm>

#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

__global__ void count_kernel(unsigned* counter) {
  if (counter != nullptr && threadIdx.x == 0) atomicAdd(counter, 1u);
}

/// Groups that do nothing: all that is left is what a group costs to start and to end.
void measure_dispatch_of(Session& session, int group_size) {
  const int units = session.device().units;
  const int brief = units * session.scaled(64, 4);
  const int lengthy = 4 * brief;
  const auto time = [&](int groups) {
    return time_of_a_launch(session.options().repeats,
                            [&] { GPU_LAUNCH(count_kernel, groups, group_size, 0, static_cast<unsigned*>(nullptr)); });
  };
  const Summary few = time(brief);
  const Summary many = time(lengthy);
  Row row;
  row.kernel = "empty_groups";
  row.group_size = group_size;
  row.groups = lengthy - brief;
  row.concurrent_groups = resident_groups(reinterpret_cast<const void*>(&count_kernel), group_size, 0);
  row.time_us = many.median - few.median;
  row.clock_mhz = clock_mhz(session.device());
  row.cycles = row.time_us * row.clock_mhz;
  row.repeats = session.options().repeats;
  row.spread = std::max(few.spread, many.spread);
  row.how = "dispatch, time by events times the clock seen after it";
  if (row.cycles <= 0) {
    session.left_out("empty groups of " + std::to_string(group_size) + ": more of them took no longer");
    return;
  }
  session.write(row);
}

void check_count(Session& session, int group_size) {
  Buffer<unsigned> counter(1);
  counter.fill(0);
  const int groups = session.device().units * 5 + 3;
  GPU_LAUNCH(count_kernel, groups, group_size, 0, counter.data());
  const unsigned count = counter.read()[0];
  if (count != static_cast<unsigned>(groups)) session.wrong_result(std::to_string(count) + " groups ran");
}

/// Keeps the device busy until the host has queued what comes after.
__global__ void wait_kernel(long long cycles) {
  const long long start = unit_clock();
  while (unit_clock() - start < cycles) {
  }
}

Row empty_row(const Session& session, long long groups, int concurrent_groups, const char* how) {
  Row row;
  row.kernel = "empty_groups";
  row.group_size = session.device().limits.warp_size;
  row.groups = groups;
  row.concurrent_groups = concurrent_groups;
  row.how = how;
  return row;
}

/// From the event before a launch to the event after it, in a queue that is never empty.
template <class Launch>
Summary event_to_event(int repeats, const Launch& launch) {
  constexpr long long kQueued = 200000;  // about 0.1 ms, in which a host queues three calls
  EventTimer timer;
  const auto time = [&] {
    GPU_LAUNCH(wait_kernel, 1, 1, 0, kQueued);
    timer.start();
    launch();
    return timer.stop_us();
  };
  time();
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) times.push_back(time());
  return summarize(times);
}

/// Groups of one warp, `waves` on every place of every unit.
void probe_empty_groups(Session& session, const Residency& residency, int waves, const char* how) {
  const auto launch = [&](int groups) {
    GPU_LAUNCH(count_kernel, groups, residency.group_size, residency.local_bytes, static_cast<unsigned*>(nullptr));
  };
  const int groups = waves * residency.groups * session.device().units;
  check_count(session, residency.group_size);
  write_cold_launch(
      session, empty_row(session, groups, residency.groups, how), [&] { launch(groups); }, [&] { launch(1); });
}

}  // namespace

void probe_launches(Session& session) {
  const int size = session.device().limits.warp_size;
  const int most = resident_groups(reinterpret_cast<const void*>(&count_kernel), size, 0);
  const auto launch = [&] { GPU_LAUNCH(count_kernel, 1, size, 0, static_cast<unsigned*>(nullptr)); };
  const int repeats = session.options().repeats;

  session.begin_probe("launch_alone");
  check_count(session, size);
  write_time(session, empty_row(session, 1, most, "one launch from event to event, queued behind another"),
             event_to_event(repeats, launch), "the events show no time");
  session.begin_probe("launch_in_a_row");
  check_count(session, size);
  write_time(session, empty_row(session, 1, most, "one more launch in a row of 1000, by events"),
             time_of_a_launch(repeats, launch, 1000), "1000 launches took no longer than one");
}

void probe_dispatch(Session& session) {
  const void* kernel = reinterpret_cast<const void*>(&count_kernel);
  const int size = session.device().limits.warp_size;
  session.begin_probe("dispatch");
  probe_empty_groups(session, {size, resident_groups(kernel, size, 0), 0, 0}, session.scaled(600, 4),
                     "dispatch, a launch less an empty one");
  if (session.is_over()) return;
  session.begin_probe("empty_alone");
  probe_empty_groups(session, plan_for_group_size(session, kernel, size, 2).front(), session.scaled(1500, 8),
                     "turnover, a launch less an empty one");
}

void measure_dispatch(Session& session) {
  const PlanLimits& limits = session.device().limits;
  for (int size = limits.warp_size; size <= limits.threads_per_group; size *= 2) {
    if (session.is_over()) return;
    check_count(session, size);
    measure_dispatch_of(session, size);
  }
}

}  // namespace measure
