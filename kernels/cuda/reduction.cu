// Tree reductions: every group adds up blockDim.x numbers and writes one partial sum. Three stages of the same
// algorithm, which differ only in which threads work at each step and in how they meet.
//
// Launch of all three: block (256), grid (n / 256); the block is a power of two from 64 to 1024, n a multiple of it.
// Dynamic shared memory: 4 * blockDim.x bytes.
// Arguments: in: n floats; out: one float a group.

extern __shared__ float tile[];

// Stage 1, interleaved addressing: at distance s the threads whose index is a multiple of 2 s work, so that idle lanes
// sit between working ones and nearly every warp stays busy until the distance exceeds a warp.
extern "C" __global__ void reduce_interleaved(const float* in, float* out) {
  const unsigned thread = threadIdx.x;
  tile[thread] = in[blockIdx.x * blockDim.x + thread];
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if ((thread & (2 * s - 1)) == 0) {
      tile[thread] += tile[thread + s];
    }
    __syncthreads();
  }
  if (thread == 0) {
    out[blockIdx.x] = tile[0];
  }
}

// Stage 2, sequential addressing: the first s threads work, so that whole warps drop out as the tree narrows.
extern "C" __global__ void reduce_sequential(const float* in, float* out) {
  const unsigned thread = threadIdx.x;
  tile[thread] = in[blockIdx.x * blockDim.x + thread];
  __syncthreads();
#pragma unroll 1
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (thread < s) {
      tile[thread] += tile[thread + s];
    }
    __syncthreads();
  }
  if (thread == 0) {
    out[blockIdx.x] = tile[0];
  }
}

// Stage 3, warp shuffles at the end: sequential addressing down to two warps' worth of numbers; the first warp then
// adds them and passes sums from lane to lane, without shared memory and without barriers.
extern "C" __global__ void reduce_shuffle(const float* in, float* out) {
  const unsigned thread = threadIdx.x;
  tile[thread] = in[blockIdx.x * blockDim.x + thread];
  __syncthreads();
#pragma unroll 1
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (thread < s) {
      tile[thread] += tile[thread + s];
    }
    __syncthreads();
  }
  if (thread < 32) {
    float sum = tile[thread] + tile[thread + 32];
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_down_sync(0xffffffffu, sum, distance);
    }
    if (thread == 0) {
      out[blockIdx.x] = sum;
    }
  }
}
