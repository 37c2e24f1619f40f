#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

constexpr int kSteps = 64;  // dependent multiply-adds of a path

/// Lane i takes path i % paths. The paths are one piece of code that the lanes of one path at a time run through.
__global__ __launch_bounds__(1024) void divergence_kernel(const float* starts, float* results, Stamps stamps, float a,
                                                          float b, unsigned paths, int trips) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned own_path = threadIdx.x % static_cast<unsigned>(warpSize) % paths;
  float x = starts[0];
  const Start start = begin_stamp(stamps);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll 1
    for (unsigned path = 0; path < paths; ++path) {
      if (path == own_path) {
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
#if WARPIPE_PTX
          asm volatile("fma.rn.f32 %0,%0,%1,%2;" : "+f"(x) : "f"(a), "f"(b));
#else
          x = fmaf(x, a, b);
          opaque(x);
#endif
        }
      }
    }
  }
  end_stamp(stamps, start);
  results[thread] = x;
}

void measure_paths(Session& session, const Residency& residency, unsigned paths) {
  StampedLauncher launcher(session.device(), residency);
  const float a = 0.99951171875f;
  const float b = 0.5f;
  const std::vector<float> start = {1.25f};
  const Buffer<float> starts(start);
  const Buffer<float> results(static_cast<std::size_t>(launcher.threads()));
  const auto run = [&](int trips) {
    return launcher.run([&](const Stamps& stamps) {
      GPU_LAUNCH(divergence_kernel, launcher.groups(), residency.group_size, residency.local_bytes, starts.data(),
                 results.data(), stamps, a, b, paths, trips);
    });
  };
  const int brief = session.scaled(16, 2);
  const int lengthy = 3 * brief;
  const auto cycles = difference(
      session.options().repeats, [&] { return run(brief); }, [&] { return run(lengthy); });
  float expected = start[0];
  for (int i = 0; i < lengthy * kSteps; ++i) expected = fmaf(expected, a, b);
  for (const float found : results.read()) {
    if (found == expected) continue;
    session.wrong_result(std::to_string(paths) + " paths: a lane has " + std::to_string(found));
    break;
  }
  Row row;
  row.kernel = "divergence";
  row.group_size = residency.group_size;
  row.groups = launcher.groups();
  row.concurrent_groups = residency.groups;
  row.parameters = {{"paths", paths}, {"trips", lengthy - brief}};
  row.how = "divergence";
  session.write(row, cycles);
}

}  // namespace

void measure_divergence(Session& session) {
  const auto all = plan_for(session, {reinterpret_cast<const void*>(&divergence_kernel)}, 2);
  const auto some = thinned(all, 6);
  const unsigned most = static_cast<unsigned>(session.device().limits.warp_size);
  for (unsigned paths = 1; paths <= most; paths = session.scaled(paths + 1, paths * 4)) {
    for (const Residency& residency : some) {
      if (session.is_over()) return;
      measure_paths(session, residency, paths);
    }
  }
}

}  // namespace measure
