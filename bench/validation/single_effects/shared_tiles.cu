// Groups that read the same bytes past L1 at the same time: is what comes from L2 counted once for each of them?
#include <cuda_runtime.h>

#include <cstdint>

// Groups form sets of `sharing`, neighbours or with `far` as far apart as they can be. A set reads `bytes` of its own
// again and again, `chunks` of 16 KiB in all.
__global__ void __launch_bounds__(256)
    read_in_sets(int chunks, int sharing, int far, int bytes, const float4* __restrict__ from, float* __restrict__ out) {
  const int sets = gridDim.x / sharing;
  const int set = far ? blockIdx.x % sets : blockIdx.x / sharing;
  const int words = bytes / 16;
  from += static_cast<size_t>(set) * words;
  float sum = 0;
  int place = threadIdx.x;
  for (int chunk = 0; chunk < chunks; ++chunk) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float4 v = __ldcg(from + place + i * 256);
      sum += v.x + v.y + v.z + v.w;
    }
    place += 1024;
    if (place >= words) place -= words;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same by the copy engine, `chunks` of 8 KiB, four of which are under way.
__global__ void __launch_bounds__(32)
    copy_in_sets(int chunks, int sharing, int far, int bytes, const char* __restrict__ from, float* __restrict__ out) {
  constexpr int kChunk = 8192, kStages = 4;
  __shared__ alignas(128) char buffers[kStages][kChunk];
  __shared__ alignas(8) uint64_t arrived[kStages];
  const int sets = gridDim.x / sharing;
  const int set = far ? blockIdx.x % sets : blockIdx.x / sharing;
  from += static_cast<size_t>(set) * bytes;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(static_cast<uint32_t>(__cvta_generic_to_shared(&arrived[i]))));
    asm volatile("fence.proxy.async;" ::: "memory");
    int place = 0;
    for (int chunk = 0; chunk < chunks + kStages; ++chunk) {
      const int stage = chunk % kStages;
      const auto barrier = static_cast<uint32_t>(__cvta_generic_to_shared(&arrived[stage]));
      const auto to = static_cast<uint32_t>(__cvta_generic_to_shared(buffers[stage]));
      if (chunk >= kStages) {
        const uint32_t parity = (chunk / kStages - 1) & 1;
        asm volatile(
            "{\n.reg .pred done;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@!done bra WAIT;\n}" ::"r"(
                barrier),
            "r"(parity)
            : "memory");
      }
      if (chunk >= chunks) continue;
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(kChunk) : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
          "l"(from + place), "r"(kChunk), "r"(barrier)
          : "memory");
      place += kChunk;
      if (place >= bytes) place -= bytes;
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = buffers[0][threadIdx.x];
}
