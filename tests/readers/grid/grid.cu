// Two halves of a kernel around a barrier of all groups, as cooperative groups of CUDA make it: thread 0 of each group
// arrives at a word of the launch's workspace, and waits until the word's highest bit has changed.
#include <cstdint>

__device__ void meet_all_groups() {
  std::uint32_t low, high;
  asm volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  asm volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  auto* const workspace = reinterpret_cast<std::uint32_t*>(std::uint64_t{high} << 32 | low);
  if (workspace == nullptr) asm volatile("trap;");
  __syncthreads();
  if (threadIdx.x == 0) {
    const std::uint32_t others = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
    std::uint32_t before, now;
    asm volatile("atom.add.release.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(workspace + 1), "r"(others) : "memory");
    do asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(workspace + 1) : "memory");
    while (((before ^ now) & 0x80000000u) == 0);
  }
  __syncthreads();
}

extern "C" __global__ void turn_round(const float* a, float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 2 * a[i];
  meet_all_groups();
  if (i < n) c[i] = b[n - 1 - i];
}
