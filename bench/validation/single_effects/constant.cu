// Loads from constant memory and from kernel parameters: words that the lanes of a warp read at once, and footprints.
#include <cuda_runtime.h>

__constant__ unsigned table[16384];  // zeros

struct Numbers {
  unsigned words[960];
};

// Each load waits for the one before: `distinct` words a warp, `stride` words apart.
__global__ void __launch_bounds__(32) words_dependent(int trips, unsigned distinct, unsigned stride, unsigned* out) {
  unsigned at = threadIdx.x % distinct * stride;
#pragma unroll 4
  for (int t = 0; t < trips; ++t) at += table[at];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// Eight loads in flight, `kApart` words from one to the next.
template <int kApart>
__global__ void __launch_bounds__(256, 8)
    words_independent(int trips, unsigned distinct, unsigned stride, unsigned mask, unsigned* out) {
  const unsigned first = threadIdx.x % 32 % distinct * stride;
  unsigned sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const unsigned at = first + (t & mask);
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += table[at + i * kApart];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void words_independent<1>(int, unsigned, unsigned, unsigned, unsigned*);
template __global__ void words_independent<16>(int, unsigned, unsigned, unsigned, unsigned*);

// The same from an array among the parameters.
template <int kApart>
__global__ void __launch_bounds__(256, 8)
    parameter_words(const __grid_constant__ Numbers numbers, int trips, unsigned distinct, unsigned stride,
                    unsigned mask, unsigned* out) {
  const unsigned first = threadIdx.x % 32 % distinct * stride;
  unsigned sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const unsigned at = first + (t & mask);
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += numbers.words[at + i * kApart];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void parameter_words<1>(const __grid_constant__ Numbers, int, unsigned, unsigned, unsigned,
                                            unsigned*);
template __global__ void parameter_words<16>(const __grid_constant__ Numbers, int, unsigned, unsigned, unsigned,
                                             unsigned*);

// All lanes read one word of each line of 64 bytes in turn, over `mask + 1` words; each load waits for the one before.
__global__ void __launch_bounds__(32) lines_dependent(int trips, unsigned mask, unsigned* out) {
  unsigned at = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t) at = (at + 16 + table[at]) & mask;
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

// The same, eight loads in flight, of the lines below `mask + 1` words.
__global__ void __launch_bounds__(256, 8) lines_independent(int trips, unsigned mask, unsigned* out) {
  unsigned sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const unsigned at = (t * 128u) & mask;
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += table[at + i * 16];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
