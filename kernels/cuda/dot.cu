// Dot product: sum of x[i] * y[i].

// Every thread adds up products along a loop that strides over the grid; every warp adds up its lanes with shuffles;
// the first warp adds up the warps' sums. Each group writes one partial sum.
// Launch: block (256), any grid; the block is a multiple of 32, at most 1024.
// Arguments: n elements; x, y: n floats each; partial: one float a group.
extern "C" __global__ void dot(int n, const float* x, const float* y, float* partial) {
  __shared__ float warp_sums[32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int warps = blockDim.x / 32;
  const int stride = gridDim.x * blockDim.x;

  float sum = 0.0f;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    sum += x[i] * y[i];
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  }
  if (lane == 0) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    sum = lane < warps ? warp_sums[lane] : 0.0f;
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_down_sync(0xffffffffu, sum, distance);
    }
    if (lane == 0) {
      partial[blockIdx.x] = sum;
    }
  }
}
