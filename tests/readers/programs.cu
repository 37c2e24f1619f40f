// Small programs, as CUDA and as HIP: protocol_test.cpp says what each leaves in memory and what it reaches. toy/ has them
// for the machine of tests/isa/toy_assembly.hpp.
#define KERNEL extern "C" __global__ void

// One element per thread, as long as there is one.
KERNEL guarded(const unsigned* x, unsigned n, unsigned* p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = x[i] + 7;
}

// Eight rows of 512 elements.
KERNEL columns(const unsigned* x, unsigned n, unsigned* p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < 8; ++k) sum += x[512 * k + i];
  p[i] = sum;
}

// Trips by group: each group is a kind of its own.
KERNEL triangle(const unsigned* x, unsigned n, unsigned* p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k <= blockIdx.x; ++k) sum += ((const volatile unsigned*)x)[i];
  p[i] = sum + n;
}

// Through the memory of the group, which all of it has written.
KERNEL exchange(const unsigned* x, unsigned n, unsigned* p) {
  __shared__ unsigned tile[256];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  p[i] = tile[threadIdx.x | 1] + n;
}

// Half of a wave of 64, or one of two warps.
KERNEL half_of_it(const unsigned* x, unsigned n, unsigned* p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((threadIdx.x & 32) == 0) p[i] = x[i] + n;
}
