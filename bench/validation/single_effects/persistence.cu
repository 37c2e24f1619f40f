// Groups that take tiles of 64 KiB in order, by a counter or by their number, where tiles are read several times.
#include <cuda_runtime.h>

// `sharing` neighbouring tiles read one place, or with `far` tiles that lie as far apart as they can.
__device__ float tile_sum(int tile, int tiles, int sharing, int far, const float4* from) {
  const int place = far ? tile % (tiles / sharing) : tile / sharing;
  from += static_cast<size_t>(place) * 4096 + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < 16; ++i) {
    const float4 v = from[i * 256];
    sum += v.x + v.y + v.z + v.w;
  }
  return sum;
}

__global__ void __launch_bounds__(256)
    tiles_strided(int tiles, int sharing, int far, const float4* __restrict__ from, float* __restrict__ out) {
  float sum = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) sum += tile_sum(tile, tiles, sharing, far, from);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each group takes neighbouring tiles.
__global__ void __launch_bounds__(256)
    tiles_blocked(int tiles, int sharing, int far, const float4* __restrict__ from, float* __restrict__ out) {
  const int each = tiles / gridDim.x;
  float sum = 0;
  for (int i = 0; i < each; ++i) sum += tile_sum(blockIdx.x * each + i, tiles, sharing, far, from);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A group a tile.
__global__ void __launch_bounds__(256)
    tiles_each(int tiles, int sharing, int far, const float4* __restrict__ from, float* __restrict__ out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile_sum(blockIdx.x, tiles, sharing, far, from);
}

__global__ void __launch_bounds__(256) tiles_counted(int tiles, int sharing, int far, const float4* __restrict__ from,
                                                     int* counter, float* __restrict__ out) {
  __shared__ int next;
  float sum = 0;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) next = atomicAdd(counter, 1);
    __syncthreads();
    if (next >= tiles) break;
    sum += tile_sum(next, tiles, sharing, far, from);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
