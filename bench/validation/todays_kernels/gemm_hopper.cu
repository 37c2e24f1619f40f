// Matrix products and copies in the manner of Hopper: wgmma, tensor memory accelerator, mbarriers, warp groups that
// only copy. For sm_90a.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace {

__device__ __forceinline__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void init_barrier(uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals));
}

__device__ __forceinline__ void fence_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ __forceinline__ void expect_bytes(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}

__device__ __forceinline__ void arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

__device__ __forceinline__ void arrive_at(uint64_t* barrier, uint32_t group) {
  asm volatile(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(group)
      : "memory");
}

__device__ __forceinline__ void wait_for(uint64_t* barrier, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra DONE;\n"
      "bra WAIT;\n"
      "DONE:\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

__device__ __forceinline__ void load_tile(void* to, const CUtensorMap* map, uint64_t* barrier, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::
          "r"(shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y)
      : "memory");
}

__device__ __forceinline__ void load_tile_for_cluster(void* to, const CUtensorMap* map, uint64_t* barrier, int x, int y,
                                                      uint16_t groups) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%4, %5}], [%2], %3;" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "h"(groups), "r"(x), "r"(y)
      : "memory");
}

__device__ __forceinline__ void store_tile(const CUtensorMap* map, const void* from, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(shared_address(from)), "r"(x), "r"(y)
               : "memory");
}

__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

template <int kLeft>
__device__ __forceinline__ void wait_for_stores() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kLeft) : "memory");
}

__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

template <int kLeft>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kLeft) : "memory");
}

// A tile with rows of 128 bytes, swizzled by 128 bytes: eight rows are 1024 bytes apart from the next eight.
__device__ __forceinline__ uint64_t descriptor(const void* tile) {
  return ((shared_address(tile) & 0x3ffff) >> 4) | (uint64_t{1} << 16) | (uint64_t{64} << 32) | (uint64_t{1} << 62);
}

#define EIGHT(d, i)                                                                                           \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
#define SIXTY_FOUR(d) \
  EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
#define OPERANDS_64                                                                                                 \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "  \
  "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"

__device__ __forceinline__ void wgmma_64x128x16(float (&d)[64], uint64_t a, uint64_t b, int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " OPERANDS_64
      ", %64, %65, add, 1, 1, 0, 0;\n"
      "}"
      : SIXTY_FOUR(d)
      : "l"(a), "l"(b), "r"(add));
}

__device__ __forceinline__ void wgmma_64x128x32_fp8(float (&d)[64], uint64_t a, uint64_t b, int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 " OPERANDS_64
      ", %64, %65, add, 1, 1;\n"
      "}"
      : SIXTY_FOUR(d)
      : "l"(a), "l"(b), "r"(add));
}

// 64 x 128 sums of a warp group, to rows of n halves.
__device__ __forceinline__ void store_sums(const float (&sums)[64], half* c, int n, int row0, int col0) {
  const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
  const int row = row0 + warp * 16 + lane / 4;
#pragma unroll
  for (int x = 0; x < 16; ++x) {
    const int col = col0 + x * 8 + lane % 4 * 2;
    *reinterpret_cast<half2*>(&c[static_cast<size_t>(row) * n + col]) = __floats2half2_rn(sums[x * 4], sums[x * 4 + 1]);
    *reinterpret_cast<half2*>(&c[static_cast<size_t>(row + 8) * n + col]) =
        __floats2half2_rn(sums[x * 4 + 2], sums[x * 4 + 3]);
  }
}

constexpr int kK = 64;
constexpr int kRowBytes = 128;  // of a tile: 64 halves, or 128 numbers of 8 bits

}  // namespace

// C = A B^T, one warp group per 64 x 128 tile of C, two tiles of A and B in flight, loaded by one thread.
__global__ void __launch_bounds__(128)
    hgemm_wgmma(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                half* __restrict__ c, int n, int k) {
  constexpr int kStages = 2;
  __shared__ __align__(1024) half tile_a[kStages][64 * kK];
  __shared__ __align__(1024) half tile_b[kStages][128 * kK];
  __shared__ uint64_t full[kStages];
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 128;
  const int steps = k / kK;
  auto load = [&](int step) {
    const int stage = step % kStages;
    expect_bytes(&full[stage], (64 + 128) * kRowBytes);
    load_tile(tile_a[stage], &map_a, &full[stage], step * kK, row0);
    load_tile(tile_b[stage], &map_b, &full[stage], step * kK, col0);
  };
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) init_barrier(&full[i], 1);
    fence_barriers();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages && i < steps; ++i) load(i);
  }
  float sums[64] = {};
  for (int step = 0; step < steps; ++step) {
    const int stage = step % kStages;
    wait_for(&full[stage], step / kStages & 1);
    const uint64_t a = descriptor(tile_a[stage]), b = descriptor(tile_b[stage]);
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < kK / 16; ++i) wgmma_64x128x16(sums, a + i * 2, b + i * 2, 1);
    wgmma_commit();
    wgmma_wait<0>();
    __syncthreads();
    if (threadIdx.x == 0 && step + kStages < steps) load(step + kStages);
  }
  store_sums(sums, c, n, row0, col0);
}

// C = A B^T: a warp group that loads (and gives its registers away), two that multiply 64 x 128 each; groups persist.
__global__ void __launch_bounds__(384, 1)
    hgemm_warp_specialised(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                           half* __restrict__ c, int m, int n, int k) {
  constexpr int kStages = 4;
  extern __shared__ __align__(1024) unsigned char buffer[];
  half* tiles_a = reinterpret_cast<half*>(buffer);
  half* tiles_b = tiles_a + kStages * 128 * kK;
  __shared__ uint64_t full[kStages], empty[kStages];
  const int warp_group = threadIdx.x / 128;
  const int steps = k / kK, across = n / 128, tiles = m / 128 * across;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      init_barrier(&full[i], 1);
      init_barrier(&empty[i], 2);
    }
    fence_barriers();
  }
  __syncthreads();

  int stage = 0;
  uint32_t parity = 0;
  auto advance = [&] {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  };
  if (warp_group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) {
      for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int row0 = tile / across * 128, col0 = tile % across * 128;
        for (int step = 0; step < steps; ++step) {
          wait_for(&empty[stage], parity ^ 1);
          expect_bytes(&full[stage], 256 * kRowBytes);
          load_tile(tiles_a + stage * 128 * kK, &map_a, &full[stage], step * kK, row0);
          load_tile(tiles_b + stage * 128 * kK, &map_b, &full[stage], step * kK, col0);
          advance();
        }
      }
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    const int half_of_tile = (warp_group - 1) * 64;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      float sums[64] = {};
      for (int step = 0; step < steps; ++step) {
        wait_for(&full[stage], parity);
        const uint64_t a = descriptor(tiles_a + stage * 128 * kK + half_of_tile * kK);
        const uint64_t b = descriptor(tiles_b + stage * 128 * kK);
        wgmma_fence();
#pragma unroll
        for (int i = 0; i < kK / 16; ++i) wgmma_64x128x16(sums, a + i * 2, b + i * 2, 1);
        wgmma_commit();
        wgmma_wait<0>();
        if (threadIdx.x % 128 == 0) arrive(&empty[stage]);
        advance();
      }
      store_sums(sums, c, n, tile / across * 128 + half_of_tile, tile % across * 128);
    }
  }
}

// C = A B^T in clusters of two groups: each loads half of the tile of B for both, and its own tile of A.
__global__ void __cluster_dims__(1, 2, 1) __launch_bounds__(256, 1)
    hgemm_cluster(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                  half* __restrict__ c, int n, int k) {
  constexpr int kStages = 4;
  extern __shared__ __align__(1024) unsigned char buffer[];
  half* tiles_a = reinterpret_cast<half*>(buffer);
  half* tiles_b = tiles_a + kStages * 64 * kK;
  __shared__ uint64_t full[kStages], empty[kStages];
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      init_barrier(&full[i], 1);
      init_barrier(&empty[i], 2);
    }
    fence_barriers();
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");

  const int steps = k / kK;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 128;
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128) {
      for (int step = 0; step < steps; ++step) {
        const int stage = step % kStages;
        wait_for(&empty[stage], (step / kStages & 1) ^ 1);
        expect_bytes(&full[stage], (64 + 128) * kRowBytes);
        load_tile(tiles_a + stage * 64 * kK, &map_a, &full[stage], step * kK, row0);
        load_tile_for_cluster(tiles_b + (stage * 128 + rank * 64) * kK, &map_b, &full[stage], step * kK,
                              col0 + rank * 64, 3);
      }
    }
  } else {
    float sums[64];
    for (int step = 0; step < steps; ++step) {
      const int stage = step % kStages;
      wait_for(&full[stage], step / kStages & 1);
      const uint64_t a = descriptor(tiles_a + stage * 64 * kK), b = descriptor(tiles_b + stage * 128 * kK);
      wgmma_fence();
#pragma unroll
      for (int i = 0; i < kK / 16; ++i) wgmma_64x128x16(sums, a + i * 2, b + i * 2, step + i > 0);
      wgmma_commit();
      wgmma_wait<0>();
      if (threadIdx.x < 2) arrive_at(&empty[stage], threadIdx.x);
    }
    store_sums(sums, c, n, row0, col0);
  }
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// C = A B^T in 8-bit floats: as hgemm_wgmma, with 128 numbers in a row of 128 bytes, scaled at the end.
__global__ void __launch_bounds__(128)
    fp8_gemm_wgmma(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   half* __restrict__ c, int n, int k, float scale) {
  constexpr int kStages = 2, kStep = 128;
  __shared__ __align__(1024) uint8_t tile_a[kStages][64 * kStep];
  __shared__ __align__(1024) uint8_t tile_b[kStages][128 * kStep];
  __shared__ uint64_t full[kStages];
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 128;
  const int steps = k / kStep;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) init_barrier(&full[i], 1);
    fence_barriers();
  }
  __syncthreads();
  float sums[64];
  for (int step = -1; step < steps; ++step) {
    if (threadIdx.x == 0 && step + 1 < steps) {
      const int next = (step + 1) % kStages;
      expect_bytes(&full[next], (64 + 128) * kRowBytes);
      load_tile(tile_a[next], &map_a, &full[next], (step + 1) * kStep, row0);
      load_tile(tile_b[next], &map_b, &full[next], (step + 1) * kStep, col0);
    }
    if (step < 0) continue;
    const int stage = step % kStages;
    wait_for(&full[stage], step / kStages & 1);
    const uint64_t a = descriptor(tile_a[stage]), b = descriptor(tile_b[stage]);
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < kStep / 32; ++i) wgmma_64x128x32_fp8(sums, a + i * 2, b + i * 2, step + i > 0);
    wgmma_commit();
    wgmma_wait<0>();
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 64; ++i) sums[i] *= scale;
  store_sums(sums, c, n, row0, col0);
}

// Transpose of floats: tiles of 32 x 32 in and out by the tensor memory accelerator.
__global__ void __launch_bounds__(256)
    tma_transpose(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to) {
  __shared__ __align__(128) float in[32][32];
  __shared__ __align__(128) float out[32][32];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barriers();
    expect_bytes(&full, sizeof in);
    load_tile(in, &from, &full, blockIdx.x * 32, blockIdx.y * 32);
  }
  __syncthreads();
  wait_for(&full, 0);
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
#pragma unroll
  for (int i = 0; i < 32; i += 8) out[x][y + i] = in[y + i][x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    store_tile(&to, out, blockIdx.y * 32, blockIdx.x * 32);
    commit_stores();
    wait_for_stores<0>();
  }
}

// out = scale in, through a ring of bulk copies in and out of shared memory; the wait is a loop in C++.
__global__ void __launch_bounds__(256)
    bulk_scale(const float* __restrict__ in, float* __restrict__ out, float scale, int chunks_per_group) {
  constexpr int kStages = 4, kChunk = 2048;
  __shared__ __align__(128) float ring[kStages][kChunk];
  __shared__ uint64_t full[kStages];
  const size_t first = static_cast<size_t>(blockIdx.x) * chunks_per_group * kChunk;
  auto load = [&](int chunk) {
    const int stage = chunk % kStages;
    expect_bytes(&full[stage], sizeof ring[0]);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(ring[stage])),
                 "l"(in + first + static_cast<size_t>(chunk) * kChunk), "r"(static_cast<uint32_t>(sizeof ring[0])),
                 "r"(shared_address(&full[stage]))
                 : "memory");
  };
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) init_barrier(&full[i], 1);
    fence_barriers();
    for (int i = 0; i < kStages - 1 && i < chunks_per_group; ++i) load(i);
  }
  __syncthreads();
  for (int chunk = 0; chunk < chunks_per_group; ++chunk) {
    const int stage = chunk % kStages;
    uint32_t done = 0;
    do {
      asm volatile(
          "{\n"
          ".reg .pred p;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
          "selp.b32 %0, 1, 0, p;\n"
          "}"
          : "=r"(done)
          : "r"(shared_address(&full[stage])), "r"(chunk / kStages & 1)
          : "memory");
    } while (done == 0);
    float4* tile = reinterpret_cast<float4*>(ring[stage]);
#pragma unroll
    for (int i = 0; i < kChunk / 4 / 256; ++i) {
      float4 v = tile[i * 256 + threadIdx.x];
      v.x *= scale;
      v.y *= scale;
      v.z *= scale;
      v.w *= scale;
      tile[i * 256 + threadIdx.x] = v;
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                       out + first + static_cast<size_t>(chunk) * kChunk),
                   "r"(shared_address(ring[stage])), "r"(static_cast<uint32_t>(sizeof ring[0]))
                   : "memory");
      commit_stores();
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      if (chunk + kStages - 1 < chunks_per_group) load(chunk + kStages - 1);
    }
  }
  if (threadIdx.x == 0) wait_for_stores<0>();
}
