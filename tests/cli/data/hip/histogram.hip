// A whole program: vectors of four, constant memory and its symbol, atomics of mixed types, an assertion, printf on
// both sides.
#include <hip/hip_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>

__constant__ unsigned shift[2];

__global__ void histogram(const uint4* in, unsigned* bins, int n) {
  __shared__ unsigned local[64];
  assert(blockDim.x >= 64);
  if (threadIdx.x < 64) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint4 four = in[i] + make_uint4(1, 1, 1, 1);
    atomicAdd(&local[four.x >> shift[0] & 63], 1);
    atomicAdd(&local[four.y >> shift[1] & 63], 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
  if (n < 0) printf("a negative size: %d\n", n);
}

static void report(const std::map<unsigned, unsigned>& counts) {
  for (const auto& [bin, count] : counts) std::printf("%u: %u\n", bin, count);
}

int main() {
  const int n = 1 << 18;
  std::mt19937 random(42);
  auto* host = new uint4[n];
  for (int i = 0; i < n; ++i) host[i] = make_uint4(random(), random(), random(), random());
  const unsigned shifts[2] = {3, 7};
  uint4* in;
  unsigned *bins, counts[64];
  if (hipMalloc(&in, n * sizeof(uint4)) != hipSuccess || hipMallocManaged(&bins, sizeof counts) != hipSuccess) return 1;
  hipMemcpyToSymbol(HIP_SYMBOL(shift), shifts, sizeof shifts);
  hipMemcpy(in, host, n * sizeof(uint4), hipMemcpyHostToDevice);
  hipMemset(bins, 0, sizeof counts);
  int device = 0, units = 0, groups = 0;
  hipGetDevice(&device);
  hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
  hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, histogram, 256, 0);
  histogram<<<units * groups, 256>>>(in, bins, n);
  std::memset(counts, 0, sizeof counts);
  if (hipDeviceSynchronize() == hipSuccess) hipMemcpy(counts, bins, sizeof counts, hipMemcpyDeviceToHost);
  std::map<unsigned, unsigned> filled;
  for (unsigned bin = 0; bin < 64; ++bin) filled[bin] = counts[bin];
  report(filled);
  delete[] host;
}
