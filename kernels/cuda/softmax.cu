// Softmax of every row of a matrix: out = exp(in - max) / sum(exp(in - max)).

__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float added(float a, float b) { return a + b; }

// Combines a number of each of the group's 256 threads: inside the warps with shuffles, then the warps' results in
// every thread. What all threads get is the same.
template <float (*combine)(float, float)>
__device__ float over_group(float value, float* warp_values) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  }
  if (threadIdx.x % 32 == 0) {
    warp_values[threadIdx.x / 32] = value;
  }
  __syncthreads();
  value = warp_values[0];
#pragma unroll
  for (int warp = 1; warp < 8; ++warp) {
    value = combine(value, warp_values[warp]);
  }
  return value;
}

// One row a group.
// Launch: block (256), grid (rows).
// Arguments: columns, at least 1; in, out: rows * columns floats each.
extern "C" __global__ void softmax(int columns, const float* in, float* out) {
  __shared__ float warp_maxima[8];
  __shared__ float warp_sums[8];
  const float* row = in + blockIdx.x * columns;
  float* result = out + blockIdx.x * columns;

  float largest = row[0];
#pragma unroll 1
  for (int i = threadIdx.x; i < columns; i += 256) {
    largest = fmaxf(largest, row[i]);
  }
  largest = over_group<larger>(largest, warp_maxima);

  float sum = 0.0f;
#pragma unroll 1
  for (int i = threadIdx.x; i < columns; i += 256) {
    sum += expf(row[i] - largest);
  }
  sum = over_group<added>(sum, warp_sums);

  const float scale = 1.0f / sum;
#pragma unroll 1
  for (int i = threadIdx.x; i < columns; i += 256) {
    result[i] = scale * expf(row[i] - largest);
  }
}
