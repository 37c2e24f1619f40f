// Kernels of one kind each, for execute_rate: how fast are they executed? All end with a store, so that nothing is left
// out.
#include <cuda_fp16.h>

template <class Number>
__device__ void sums(int trips, Number* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  Number a = i * Number(0.001), b = 1, c = Number(0.5);
  for (int trip = 0; trip < trips; ++trip) {
    a = a * Number(0.999) + b;
    b = b * Number(0.5) + c;
    c = c * Number(0.25) + a;
    a = a - c * b;
  }
  out[i] = a + b + c;
}

extern "C" {

__global__ void integers(int trips, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i | 1;
  for (int trip = 0; trip < trips; ++trip) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    x = x * 1664525u + 1013904223u;
  }
  out[i] = x;
}

__global__ void wide_integers(int trips, unsigned long long* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long x = i | 1;
  for (int trip = 0; trip < trips; ++trip) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 29;
    x += i;
  }
  out[i] = x;
}

__global__ void floats(int trips, float* out) { sums(trips, out); }

__global__ void doubles(int trips, double* out) { sums(trips, out); }

__global__ void functions(int trips, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i * 1e-5f;
  for (int trip = 0; trip < trips; ++trip) x = __expf(-x * x) + sqrtf(x + 1.0f) / (1.0f + x) + __sinf(x);
  out[i] = x;
}

/// Lanes part at every iteration.
__global__ void branches(int trips, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned steps = 0;
  for (int trip = 0; trip < trips; ++trip) {
    unsigned x = i + trip + 1;
    while (x != 1) {
      if (x & 1)
        x = 3 * x + 1;
      else
        x >>= 1;
      ++steps;
    }
  }
  out[i] = steps;
}

/// An element per thread: groups that have hardly begun when they end.
__global__ void rows(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i] + y[i];
}

__global__ void rows_in_loops(int n, const float* x, float* y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 2.0f * x[i] + y[i];
}

/// Neighbours of a grid in two dimensions.
__global__ void stencil(int n, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    out[y * n + x] =
        0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

__global__ void gathers(int trips, unsigned most, const unsigned* table, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i * 2654435761u, sum = 0;
  for (int trip = 0; trip < trips; ++trip) {
    x = x * 1664525u + 1013904223u;
    sum += table[(x >> 5) & most];
  }
  out[i] = sum;
}

__global__ void tiles(int n, const float* a, const float* b, float* c) {
  __shared__ float left[16][16], right[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void reduction(int n, const float* in, float* out) {
  __shared__ float sums[256];
  float sum = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += in[i];
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

__global__ void shuffles(int trips, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i;
  for (int trip = 0; trip < trips; ++trip)
    for (int to = 16; to > 0; to /= 2) x += __shfl_xor_sync(~0u, x, to) ^ trip;
  out[i] = x;
}

__global__ void shared_atomics(int n, const unsigned* data, unsigned* bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[(data[i] * 2654435761u) >> 24], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void atomics(int n, float* sums) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&sums[(i * 2654435761u) >> 16], 1.0f);
}

/// Arrays of threads' own, which do not fit into registers.
__global__ void own_arrays(int trips, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned stack[64];
  for (unsigned k = 0; k < 64; ++k) stack[k] = i + k;
  unsigned x = i;
  for (int trip = 0; trip < trips; ++trip) {
    x = x * 1664525u + 1013904223u;
    stack[x >> 26] += x;
    x ^= stack[(x >> 20) & 63];
  }
  out[i] = x;
}

__global__ void halves(int trips, __half2* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 x = __floats2half2_rn(i * 1e-4f, 0.5f);
  const __half2 a = __floats2half2_rn(0.5f, 0.25f);
  for (int trip = 0; trip < trips; ++trip) x = __hfma2(x, a, __hmul2(x, x));
  out[i] = x;
}
}
