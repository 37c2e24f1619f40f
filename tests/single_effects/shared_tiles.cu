// Groups that read the same bytes past L1 at the same time: is what comes from L2 counted once for each of them?
#include <cuda_runtime.h>

// Groups form sets of `sharing`, neighbours or with `far` as far apart as they can be. A set reads `bytes` of its own
// again and again, `chunks` of 16 KiB in all.
__global__ void __launch_bounds__(256)
    read_in_sets(int chunks, int sharing, int far, int bytes, const float4* __restrict__ from, float* __restrict__ out) {
  const int sets = gridDim.x / sharing;
  const int set = far ? blockIdx.x % sets : blockIdx.x / sharing;
  const int words = bytes / 16;
  from += static_cast<size_t>(set) * words;
  float sum = 0;
  int place = threadIdx.x;
  for (int chunk = 0; chunk < chunks; ++chunk) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float4 v = __ldcg(from + place + i * 256);
      sum += v.x + v.y + v.z + v.w;
    }
    place += 1024;
    if (place >= words) place -= words;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
