// Reads past L1 of 1 to 128 MiB again and again: by all units the same, or by each unit what no other reads.
#include <cuda_runtime.h>

// Groups read `words` elements, from places spread over them on.
__global__ void __launch_bounds__(512)
    common_bytes(int trips, unsigned words, const float4* __restrict__ from, float* __restrict__ out) {
  unsigned at = static_cast<unsigned>(static_cast<unsigned long long>(words) * blockIdx.x / gridDim.x) / 512 * 512;
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float4 v = __ldcg(from + at + threadIdx.x);
      sum += v.x + v.y + v.z + v.w;
      at += 512;
      if (at >= words) at = 0;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each group has `words` elements of its own, of which it reads or writes 2048 in a trip.
__global__ void __launch_bounds__(512)
    own_bytes(int trips, unsigned words, const float4* __restrict__ from, float* __restrict__ out) {
  from += static_cast<size_t>(blockIdx.x) * words;
  unsigned at = 0;
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float4 v = __ldcg(from + at + threadIdx.x);
      sum += v.x + v.y + v.z + v.w;
      at += 512;
      if (at >= words) at = 0;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(512) own_bytes_written(int trips, unsigned words, float4* __restrict__ to) {
  to += static_cast<size_t>(blockIdx.x) * words;
  unsigned at = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      to[at + threadIdx.x] = float4{1.0f * t, 0, 0, 0};
      at += 512;
      if (at >= words) at = 0;
    }
  }
}
