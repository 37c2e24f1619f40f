// Loads past L1 that go from page to page: how much a load takes longer where an address has to be translated anew.
#include <cuda_runtime.h>

// One lane's loads, of which each waits for the one before, in an array of zeros: `mask + 1` places, `stride` bytes apart
// and each in another line of its page.
__global__ void __launch_bounds__(32)
    page_chain(int trips, unsigned mask, unsigned stride, const char* __restrict__ zeros, unsigned* __restrict__ out) {
  unsigned next = blockIdx.x;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    const size_t place = next & mask;
    next += 1 + __ldcg(reinterpret_cast<const unsigned*>(zeros + place * stride + place % 16 * 128));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = next;
}

// All units read `bytes` side by side, then wait for each other's group at a barrier, and go on `stride` bytes further.
__global__ void __launch_bounds__(1024)
    page_steps(int trips, unsigned stride, const char* __restrict__ zeros, unsigned* __restrict__ out) {
  unsigned sum = 0;
  const char* at = zeros + (blockIdx.x * blockDim.x + threadIdx.x) * 4;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
    sum = __ldcg(reinterpret_cast<const unsigned*>(at + sum));
    __syncthreads();
    at += stride;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
