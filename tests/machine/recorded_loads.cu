// Kernels whose ways depend on numbers that nobody gives: they make them themselves. recorded_loads.ptx is made of them by
// compile.sh.

extern "C" {

__device__ unsigned turn(unsigned n, unsigned x) {
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) x = x * 1664525u + 1013904223u;
  return x;
}

// Trips from another warp, through shared memory; lanes with odd ones store once more.
__global__ void from_shared(unsigned* out, unsigned* odd) {
  __shared__ unsigned trips[64];
  const unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
  trips[t] = (7 * t + blockIdx.x) % 13;
  __syncthreads();
  const unsigned n = trips[63 - t], x = turn(n, t);
  out[i] = x;
  if (n % 2 == 1) odd[i] = x;
}

// Trips from what stood there before an atomic: a number for each group.
__global__ void from_atomic(unsigned* counter, unsigned* out) {
  unsigned n = 0;
  if (threadIdx.x == 0) n = atomicAdd(counter, 3);
  n = __shfl_sync(~0u, n, 0);
  out[blockIdx.x * 32 + threadIdx.x] = turn(n, threadIdx.x);
}

// Trips and addresses from memory that the kernel itself writes.
__global__ void from_global(unsigned* next, unsigned* out) {
  const unsigned t = threadIdx.x;
  next[t] = t < 60 ? t + 1 + t % 3 : t;
  __syncthreads();
  unsigned at = t, count = 0;
  while (at < 60) {
    at = next[at];
    ++count;
  }
  out[t] = count;
}

// The greatest number by compare and swap: how often a warp tries depends on who is first.
__global__ void greatest(int* word, int ascending) {
  const int own = ascending ? threadIdx.x : 31 - threadIdx.x;
  int old = *(volatile int*)word;
  while (own > old) {
    const int seen = atomicCAS(word, old, own);
    if (seen == old) break;
    old = seen;
  }
}

// Trips and addresses from arrays that nothing writes, in a list of pointers.
__global__ void rows(const unsigned* begin, const unsigned* index, const float* const* columns, float* out) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (unsigned i = begin[row]; i < begin[row + 1]; ++i) sum += columns[i % 2][index[i]];
  out[row] = sum;
}

// The same from one array.
__global__ void row_sums(const unsigned* begin, const unsigned* index, const float* values, float* out) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (unsigned i = begin[row]; i < begin[row + 1]; ++i) sum += values[index[i]];
  out[row] = sum;
}
}
