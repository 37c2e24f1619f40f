// Loads from shared memory and stores to it, 4 to 16 bytes per lane, by how many words of a bank a warp asks for.
#include <cuda_runtime.h>

__device__ float first_of(float v) { return v; }
__device__ float first_of(float2 v) { return v.x; }
__device__ float first_of(float4 v) { return v.x; }
__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float2 v) { return v.x + v.y; }
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

constexpr int kElements = 33 * 32 + 32;  // of a table: what the last lane reaches with a stride of 33

// Lanes are `stride` elements apart, `share` neighbours on the same one.
__device__ int element_of_lane(int stride, int share) { return static_cast<int>(threadIdx.x % 32) / share * stride; }

template <typename T>
__global__ void __launch_bounds__(256, 8) load_ways(int trips, int stride, int share, int mask, float* __restrict__ out) {
  extern __shared__ float4 memory[];
  T* table = reinterpret_cast<T*>(memory);
  for (int i = threadIdx.x; i < kElements; i += blockDim.x) table[i] = T{};
  __syncthreads();
  const int element = element_of_lane(stride, share);
  float sum = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const T* from = table + element + (t & mask);
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += sum_of(from[i]);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void load_ways<float>(int, int, int, int, float*);
template __global__ void load_ways<float2>(int, int, int, int, float*);
template __global__ void load_ways<float4>(int, int, int, int, float*);

template <typename T>
__global__ void __launch_bounds__(256, 8) store_ways(int trips, int stride, int share, int mask, float* __restrict__ out) {
  extern __shared__ float4 memory[];
  volatile float* words = reinterpret_cast<volatile float*>(memory);
  T* table = reinterpret_cast<T*>(memory);
  const int element = element_of_lane(stride, share);
  T value{};
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    T* to = table + element + (t & mask);
#pragma unroll
    for (int i = 0; i < 8; ++i) to[i] = value;
    asm volatile("" ::: "memory");
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}
template __global__ void store_ways<float>(int, int, int, int, float*);
template __global__ void store_ways<float2>(int, int, int, int, float*);
template __global__ void store_ways<float4>(int, int, int, int, float*);

// Each load waits for the one before.
template <typename T>
__global__ void __launch_bounds__(256, 8) load_ways_in_turn(int trips, int stride, int share, float* __restrict__ out) {
  extern __shared__ float4 memory[];
  T* table = reinterpret_cast<T*>(memory);
  for (int i = threadIdx.x; i < kElements; i += blockDim.x) table[i] = T{};
  __syncthreads();
  const int element = element_of_lane(stride, share);
  int next = 0;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int i = 0; i < 8; ++i) next = __float_as_int(first_of(table[element + next]));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = next;
}
template __global__ void load_ways_in_turn<float>(int, int, int, float*);
template __global__ void load_ways_in_turn<float2>(int, int, int, float*);
template __global__ void load_ways_in_turn<float4>(int, int, int, float*);
