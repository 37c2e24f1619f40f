// Launches that do nothing but begin and end: registers, shared memory and parameters that they take.
#include <cuda_runtime.h>

template <int kWords>
struct Words {
  int word[kWords];
};

// Parameters of 4 * kWords bytes, of which the last word is looked at.
template <int kWords>
__global__ void __launch_bounds__(1024) with_parameters(Words<kWords> words, float* __restrict__ out) {
  if (words.word[kWords - 1] == 12345) out[threadIdx.x] = 1;
}
template __global__ void with_parameters<1>(Words<1>, float*);
template __global__ void with_parameters<16>(Words<16>, float*);
template __global__ void with_parameters<256>(Words<256>, float*);
template __global__ void with_parameters<1000>(Words<1000>, float*);

// Shared memory that is asked for and not used.
__global__ void __launch_bounds__(1024) with_shared(int never, float* __restrict__ out) {
  extern __shared__ float memory[];
  if (never == 12345) out[threadIdx.x] = memory[threadIdx.x];
}

// Groups that wait for each other at a barrier, and write a word.
__global__ void __launch_bounds__(1024) with_barrier(float* __restrict__ out) {
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

// kLive values of a thread are alive at once where the condition holds, which it never does.
template <int kLive>
__global__ void __launch_bounds__(256) with_registers(int never, const float* __restrict__ in, float* __restrict__ out) {
  if (never == 12345) {
    float value[kLive];
#pragma unroll
    for (int i = 0; i < kLive; ++i) value[i] = in[threadIdx.x + i * 256];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kLive; ++i) out[threadIdx.x + i * 256] = value[i] * value[(i * 7 + 1) % kLive];
  }
}
template __global__ void with_registers<32>(int, const float*, float*);
template __global__ void with_registers<96>(int, const float*, float*);
template __global__ void with_registers<200>(int, const float*, float*);
