// One sum for each thread.
extern "C" __global__ void vectoradd(float* __restrict__ sums, const float* __restrict__ left,
                                     const float* __restrict__ right, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int at = y * width + x;
  if (at < width * height) sums[at] = left[at] + right[at];
}
