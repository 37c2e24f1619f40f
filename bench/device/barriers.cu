#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

constexpr int kShort = 16;  // barriers that the loop of the short kernel holds
constexpr int kLong = 48;

template <int kSteps>
__global__ __launch_bounds__(1024) void barrier_kernel(Stamps stamps, int trips) {
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) __syncthreads();
  }
  end_stamp(stamps, start);
}

/// A value goes round all threads of a group, one place a barrier: wrong where a barrier lets somebody through early.
__global__ __launch_bounds__(1024) void relay_kernel(unsigned* wrong, int rounds) {
  __shared__ unsigned place[1024];
  const unsigned next = (threadIdx.x + 1) % blockDim.x;
  place[threadIdx.x] = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    const unsigned value = place[next];
    __syncthreads();
    place[threadIdx.x] = value;
  }
  const unsigned expected = (threadIdx.x + static_cast<unsigned>(rounds)) % blockDim.x;
  if (place[threadIdx.x] != expected) atomicAdd(wrong, 1u);
}

void measure_barrier(Session& session, const Residency& residency) {
  StampedLauncher launcher(session.device(), residency);
  const auto run = [&](auto kernel, int trips) {
    return launcher.run([&](const Stamps& stamps) {
      GPU_LAUNCH(kernel, launcher.groups(), residency.group_size, residency.local_bytes, stamps, trips);
    });
  };
  const int trips = session.scaled(64, 4);
  const auto cycles = difference(
      session.options().repeats, [&] { return run(&barrier_kernel<kShort>, trips); },
      [&] { return run(&barrier_kernel<kLong>, trips); });
  Row row;
  row.kernel = "barriers";
  row.group_size = residency.group_size;
  row.groups = launcher.groups();
  row.concurrent_groups = residency.groups;
  row.parameters = {{"steps", static_cast<double>(trips) * (kLong - kShort)}};
  row.how = "barrier";
  session.write(row, cycles);
}

void check_barrier(Session& session, int group_size) {
  Buffer<unsigned> wrong(1);
  wrong.fill(0);
  GPU_LAUNCH(relay_kernel, session.device().units, group_size, 0, wrong.data(), session.scaled(100, 3));
  const unsigned count = wrong.read()[0];
  if (count > 0) session.wrong_result("barriers of " + std::to_string(group_size) + " threads leaked");
}

}  // namespace

void measure_barriers(Session& session) {
  for (const void* kernel :
       {reinterpret_cast<const void*>(&barrier_kernel<kShort>), reinterpret_cast<const void*>(&barrier_kernel<kLong>)})
    allow_all_shared_memory(kernel, session.device());
  const PlanLimits& limits = session.device().limits;
  for (int size = limits.warp_size; size <= limits.threads_per_group; size *= 2) {
    check_barrier(session, size);
    for (const Residency& residency :
         plan_for_group_size(session, reinterpret_cast<const void*>(&barrier_kernel<kLong>), size, 2)) {
      if (session.is_over()) return;
      measure_barrier(session, residency);
    }
  }
}

void probe_barriers(Session& session) {
  const PlanLimits& limits = session.device().limits;
  const auto probe = [&](const char* name, int warps) {
    if (session.is_over()) return;
    session.begin_probe(name);
    check_barrier(session, warps * limits.warp_size);
    measure_barrier(session, {warps * limits.warp_size, 1, 0, warps});
  };
  probe("barrier_small", 4);
  probe("barrier_large", limits.threads_per_group / limits.warp_size);
}

}  // namespace measure
