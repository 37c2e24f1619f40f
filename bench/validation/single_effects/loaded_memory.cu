// Reads and writes of DRAM by few warps and by many: how long an access takes while others are under way.
#include <cuda_runtime.h>

// In each trip kReads of a thread, all under way at once, then kWrites, which wait for them.
template <int kReads, int kWrites>
__global__ void __launch_bounds__(1024) rounds(int trips, const float4* __restrict__ from, float4* __restrict__ to) {
  const size_t threads = gridDim.x * size_t{blockDim.x};
  const int lane = threadIdx.x % 32;
  size_t first = blockIdx.x * size_t{blockDim.x} + threadIdx.x - lane;  // of the warp's threads
  float4 sum{};
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    float4 read[kReads > 0 ? kReads : 1] = {};
#pragma unroll
    for (int i = 0; i < kReads; ++i) read[i] = from[first * kReads + i * 32 + lane];
#pragma unroll
    for (int i = 0; i < kReads; ++i) sum.x += read[i].x + read[i].y + read[i].z + read[i].w;
#pragma unroll
    for (int i = 0; i < kWrites; ++i) to[first * kWrites + i * 32 + lane] = sum;
    first += threads;
  }
  if (kWrites == 0) to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
#define ROUNDS(reads, writes) template __global__ void rounds<reads, writes>(int, const float4*, float4*)
ROUNDS(1, 0);
ROUNDS(4, 0);
ROUNDS(0, 1);
ROUNDS(0, 4);
ROUNDS(1, 1);
ROUNDS(4, 1);
ROUNDS(1, 4);
ROUNDS(4, 4);
ROUNDS(2, 1);
