// Kernels of a few microseconds: how a launch begins, ends and fills the device.
#include <cuda_runtime.h>

// No memory: what is written lies behind a condition that the launch does not meet.
__global__ void __launch_bounds__(256) nothing(float limit, float* out) {
  if (threadIdx.x * 1.5f < limit) out[blockIdx.x] = limit;
}

// Writes only.
__global__ void __launch_bounds__(256) write_only(float* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

// Reads a float, adds to it, writes it.
__global__ void __launch_bounds__(256) add_one(const float* __restrict__ in, float* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1.0f;
}

// The same through a tile in shared memory.
__global__ void __launch_bounds__(256) add_shared(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[256];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x ^ 32] + 1.0f;
}

// Loads of which each waits for the one before: each of another 16 MiB, so none hits. `zero` is 0.
template <int kLoads>
__global__ void __launch_bounds__(256)
    add_chain(unsigned zero, const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = 0;
#pragma unroll
  for (unsigned n = 0; n < kLoads; ++n) value = in[i + (n << 22) + (value & zero)];
  out[i] = value + 1;
}
template __global__ void add_chain<1>(unsigned, const unsigned*, unsigned*);
template __global__ void add_chain<4>(unsigned, const unsigned*, unsigned*);
template __global__ void add_chain<16>(unsigned, const unsigned*, unsigned*);
