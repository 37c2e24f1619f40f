#include "validation.hpp"

namespace measure {
namespace {

constexpr int kGroup = 256;
constexpr int kElements = 16;  // of a thread

/// Each thread adds up its elements, then a tree in shared memory halves the active threads; one sum a group.
__global__ __launch_bounds__(kGroup) void reduction_kernel(const float* in, float* sums) {
  __shared__ float tile[kGroup];
  const unsigned thread = threadIdx.x;
  const float* place = in + blockIdx.x * kGroup * kElements + thread;
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < kElements; ++i) sum += place[i * kGroup];
  tile[thread] = sum;
#pragma unroll
  for (unsigned half = kGroup / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) {
      sum += tile[thread + half];
      tile[thread] = sum;
    }
  }
  if (thread == 0) sums[blockIdx.x] = sum;
}

}  // namespace

void run_reduction(Session& session) {
  const int n = session.scaled(1 << 27, 1 << 14);
  const int groups = n / (kGroup * kElements);
  const auto host = test_numbers(static_cast<std::size_t>(n));
  const Buffer<float> in(host);
  const Buffer<float> sums(static_cast<std::size_t>(groups));
  const auto launch = [&] { GPU_LAUNCH(reduction_kernel, groups, kGroup, 0, in.data(), sums.data()); };
  launch();
  const auto found = sums.read();
  for (std::size_t group = 0; group < found.size(); ++group) {
    double expected = 0;
    for (std::size_t i = 0; i < kGroup * kElements; ++i)
      expected += static_cast<double>(host[group * kGroup * kElements + i]);
    if (!same(session, "reduction", group, found[group], expected, 0)) break;  // sums of eighths are exact
  }
  Row row = validation_row("reduction", reinterpret_cast<const void*>(&reduction_kernel), kGroup, groups);
  row.parameters = {{"n", n}, {"elements_per_thread", kElements}};
  write_whole_launch(session, row, launch);
}

}  // namespace measure
