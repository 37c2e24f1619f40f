#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

using Pointer = unsigned long long;
constexpr int kLanes = 32;
constexpr int kSteps = 8;  // atomics that a trip of the loop holds

/// Every word holds its own address, and nothing is added to it: each atomic must wait for the one before it. `degree`
/// lanes share a word; each warp has words of its own.
__global__ __launch_bounds__(1024) void atomic_kernel(Pointer* words, Pointer* ends, Stamps stamps, unsigned degree,
                                                      Pointer nothing, int trips) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  Pointer* own = words + thread / kLanes * kLanes + thread % kLanes / degree;
  Pointer place = reinterpret_cast<Pointer>(own);
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
#if WARPIPE_PTX
      asm volatile("atom.global.add.u64 %0,[%0],%1;" : "+l"(place) : "l"(nothing) : "memory");
#else
      place = atomicAdd(reinterpret_cast<Pointer*>(place), nothing);
      opaque(place);
#endif
    }
  }
  end_stamp(stamps, start);
  ends[thread] = place - reinterpret_cast<Pointer>(own);
}

void measure_atomic(Session& session, const Residency& residency, unsigned degree) {
  StampedLauncher launcher(session.device(), residency);
  const auto threads = static_cast<std::size_t>(launcher.threads());
  const Buffer<Pointer> ends(threads);
  Buffer<Pointer> words(threads);
  std::vector<Pointer> addresses(threads);
  for (std::size_t i = 0; i < threads; ++i) addresses[i] = reinterpret_cast<Pointer>(words.data() + i);
  words.write(addresses);
  const auto run = [&](int trips) {
    return launcher.run([&](const Stamps& stamps) {
      GPU_LAUNCH(atomic_kernel, launcher.groups(), residency.group_size, residency.local_bytes, words.data(),
                 ends.data(), stamps, degree, Pointer{0}, trips);
    });
  };
  const int brief = session.scaled(8, 2);
  const auto cycles = difference(
      session.options().repeats, [&] { return run(brief); }, [&] { return run(3 * brief); });
  for (const Pointer end : ends.read()) {
    if (end == 0) continue;
    session.wrong_result("an atomic brought back something else than the word");
    break;
  }
  Row row;
  row.kernel = "global_atomic";
  row.group_size = residency.group_size;
  row.groups = launcher.groups();
  row.concurrent_groups = residency.groups;
  row.parameters = {{"conflict_degree", degree}, {"steps", 2.0 * brief * kSteps}};
  row.how = "atomic, 64 bits";
  session.write(row, cycles);
}

}  // namespace

void measure_atomics(Session& session) {
  const auto plan = plan_for(session, {reinterpret_cast<const void*>(&atomic_kernel)}, 3);
  for (unsigned degree = 1; degree <= kLanes; degree *= session.scaled(2u, 8u)) {
    for (const Residency& residency : plan) {
      if (session.is_over()) return;
      measure_atomic(session, residency, degree);
    }
  }
}

}  // namespace measure
