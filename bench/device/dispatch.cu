#include <algorithm>

#include "parts.hpp"
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

}  // namespace

void measure_dispatch(Session& session) {
  const PlanLimits& limits = session.device().limits;
  for (int size = limits.warp_size; size <= limits.threads_per_group; size *= 2) {
    if (session.is_over()) return;
    check_count(session, size);
    measure_dispatch_of(session, size);
  }
}

}  // namespace measure
