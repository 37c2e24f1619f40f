// Half-precision matrix products on tensor cores, with tiles that are copied asynchronously (cp.async).
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

namespace {

constexpr int kM = 128, kN = 128, kK = 32, kThreads = 256;
constexpr int kTileA = kM * kK, kTileB = kK * kN;

__device__ __forceinline__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void copy_16(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__device__ __forceinline__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int kLeft>
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

__device__ __forceinline__ void load_matrices(unsigned (&r)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from));
}

__device__ __forceinline__ void load_matrices_transposed(unsigned (&r)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(from));
}

__device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Places of 16-byte chunks, moved about so that eight rows of a column lie in eight different groups of banks.
__device__ __forceinline__ int place_a(int row, int chunk) { return row * kK + ((chunk ^ ((row >> 1) & 3)) << 3); }
__device__ __forceinline__ int place_b(int row, int chunk) { return row * kN + ((chunk ^ (row & 7)) << 3); }

struct Sums {
  float of[4][4][4] = {};
};

__device__ __forceinline__ void copy_tiles(half* tile_a, half* tile_b, const half* a, const half* b, int lda, int ldb,
                                           int row0, int col0, int k0) {
#pragma unroll
  for (int i = threadIdx.x; i < kTileA / 8; i += kThreads) {
    const int row = i / (kK / 8), chunk = i % (kK / 8);
    copy_16(shared_address(&tile_a[place_a(row, chunk)]), a + static_cast<size_t>(row0 + row) * lda + k0 + chunk * 8);
  }
#pragma unroll
  for (int i = threadIdx.x; i < kTileB / 8; i += kThreads) {
    const int row = i / (kN / 8), chunk = i % (kN / 8);
    copy_16(shared_address(&tile_b[place_b(row, chunk)]), b + static_cast<size_t>(k0 + row) * ldb + col0 + chunk * 8);
  }
}

__device__ __forceinline__ void multiply_tiles(Sums& sums, const half* tile_a, const half* tile_b) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row0 = warp / 4 * 64, col0 = warp % 4 * 32;
#pragma unroll
  for (int step = 0; step < kK / 16; ++step) {
    unsigned left[4][4], right[2][4];
#pragma unroll
    for (int y = 0; y < 4; ++y)
      load_matrices(left[y], shared_address(&tile_a[place_a(row0 + y * 16 + lane % 16, step * 2 + lane / 16)]));
#pragma unroll
    for (int x = 0; x < 2; ++x)
      load_matrices_transposed(right[x],
                               shared_address(&tile_b[place_b(step * 16 + lane % 16, col0 / 8 + x * 2 + lane / 16)]));
#pragma unroll
    for (int y = 0; y < 4; ++y)
#pragma unroll
      for (int x = 0; x < 4; ++x) mma(sums.of[y][x], left[y], right[x / 2][x % 2 * 2], right[x / 2][x % 2 * 2 + 1]);
  }
}

// The products of the steps [first, last) along k, with kStages tiles of each matrix on the way.
template <int kStages>
__device__ __forceinline__ void multiply(Sums& sums, half* buffer, const half* a, const half* b, int lda, int ldb,
                                         int row0, int col0, int first, int last) {
  auto tile_a = [&](int stage) { return buffer + stage * (kTileA + kTileB); };
  auto tile_b = [&](int stage) { return buffer + stage * (kTileA + kTileB) + kTileA; };
#pragma unroll
  for (int i = 0; i < kStages - 1; ++i) {
    if (first + i < last) copy_tiles(tile_a(i), tile_b(i), a, b, lda, ldb, row0, col0, (first + i) * kK);
    commit();
  }
  int stage = 0, next = kStages - 1;
  for (int step = first; step < last; ++step) {
    wait_for_copies<kStages - 2>();
    __syncthreads();
    if (step + kStages - 1 < last)
      copy_tiles(tile_a(next), tile_b(next), a, b, lda, ldb, row0, col0, (step + kStages - 1) * kK);
    commit();
    multiply_tiles(sums, tile_a(stage), tile_b(stage));
    stage = stage + 1 == kStages ? 0 : stage + 1;
    next = next + 1 == kStages ? 0 : next + 1;
  }
  wait_for_copies<0>();
  __syncthreads();
}

template <typename Store>
__device__ __forceinline__ void for_each_pair(const Sums& sums, Store store) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      const int row = warp / 4 * 64 + y * 16 + lane / 4, col = warp % 4 * 32 + x * 8 + lane % 4 * 2;
      store(row, col, sums.of[y][x][0], sums.of[y][x][1]);
      store(row + 8, col, sums.of[y][x][2], sums.of[y][x][3]);
    }
}

}  // namespace

// C = A B in halves, sums in floats: mma.sync, ldmatrix, and kStages tiles in flight.
template <int kStages>
__global__ void __launch_bounds__(kThreads)
    hgemm_cp_async(int n, int k, const half* __restrict__ a, const half* __restrict__ b, half* __restrict__ c) {
  extern __shared__ __align__(128) half buffer[];
  Sums sums;
  const int row0 = blockIdx.y * kM, col0 = blockIdx.x * kN;
  multiply<kStages>(sums, buffer, a, b, k, n, row0, col0, 0, k / kK);
  for_each_pair(sums, [&](int row, int col, float x, float y) {
    *reinterpret_cast<half2*>(&c[static_cast<size_t>(row0 + row) * n + col0 + col]) = __floats2half2_rn(x, y);
  });
}
template __global__ void hgemm_cp_async<2>(int, int, const half*, const half*, half*);
template __global__ void hgemm_cp_async<3>(int, int, const half*, const half*, half*);
template __global__ void hgemm_cp_async<4>(int, int, const half*, const half*, half*);

// The same with k split over the z axis of the grid; the parts are added up by atomics.
__global__ void __launch_bounds__(kThreads)
    hgemm_split_k(int n, int k, const half* __restrict__ a, const half* __restrict__ b, float* __restrict__ c) {
  extern __shared__ __align__(128) half buffer[];
  Sums sums;
  const int row0 = blockIdx.y * kM, col0 = blockIdx.x * kN;
  const int steps = k / kK, per_part = (steps + gridDim.z - 1) / gridDim.z;
  const int first = blockIdx.z * per_part;
  multiply<3>(sums, buffer, a, b, k, n, row0, col0, first, min(first + per_part, steps));
  for_each_pair(sums, [&](int row, int col, float x, float y) {
    float* to = &c[static_cast<size_t>(row0 + row) * n + col0 + col];
    atomicAdd(to, x);
    atomicAdd(to + 1, y);
  });
}

struct Product {
  int m, n, k, tiles_before;
  const half* a;
  const half* b;
  half* c;
};

struct Products {
  int count;
  Product of[8];
};

// Several products of different shapes in one launch: each group takes tile after tile of all of them.
__global__ void __launch_bounds__(kThreads) hgemm_grouped(const __grid_constant__ Products products, int tiles) {
  extern __shared__ __align__(128) half buffer[];
  int which = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    while (which + 1 < products.count && tile >= products.of[which + 1].tiles_before) ++which;
    const Product& p = products.of[which];
    const int local = tile - p.tiles_before, across = p.n / kN;
    const int row0 = local / across * kM, col0 = local % across * kN;
    Sums sums;
    multiply<3>(sums, buffer, p.a, p.b, p.k, p.n, row0, col0, 0, p.k / kK);
    for_each_pair(sums, [&](int row, int col, float x, float y) {
      *reinterpret_cast<half2*>(&p.c[static_cast<size_t>(row0 + row) * p.n + col0 + col]) = __floats2half2_rn(x, y);
    });
  }
}

// Stream-K: every group takes the same number of steps along k, through as many tiles as that reaches.
__global__ void __launch_bounds__(kThreads, 2)
    hgemm_stream_k(int m, int n, int k, const half* __restrict__ a, const half* __restrict__ b, float* __restrict__ c) {
  extern __shared__ __align__(128) half buffer[];
  const int across = n / kN, steps = k / kK;
  const int all = m / kM * across * steps;
  const int per_group = (all + gridDim.x - 1) / gridDim.x;
  int at = blockIdx.x * per_group;
  const int end = min(at + per_group, all);
  while (at < end) {
    const int tile = at / steps, first = at % steps;
    const int last = min(steps, first + end - at);
    const int row0 = tile / across * kM, col0 = tile % across * kN;
    Sums sums;
    multiply<3>(sums, buffer, a, b, k, n, row0, col0, first, last);
    const bool whole = first == 0 && last == steps;
    for_each_pair(sums, [&](int row, int col, float x, float y) {
      float* to = &c[static_cast<size_t>(row0 + row) * n + col0 + col];
      if (whole) {
        *reinterpret_cast<float2*>(to) = make_float2(x, y);
      } else {
        atomicAdd(to, x);
        atomicAdd(to + 1, y);
      }
    });
    at += last - first;
  }
}

// C = A B through nvcuda::wmma, four warps with 32 x 32 elements each, tiles in shared memory with padded rows.
__global__ void __launch_bounds__(128)
    hgemm_wmma(int n, int k, const half* __restrict__ a, const half* __restrict__ b, float* __restrict__ c) {
  using namespace nvcuda;
  constexpr int kTile = 64, kStep = 32;
  __shared__ __align__(32) half tile_a[kTile][kStep + 8];
  __shared__ __align__(32) half tile_b[kStep][kTile + 8];
  const int warp = threadIdx.x / 32;
  const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  const int warp_row = warp / 2 * 32, warp_col = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
#pragma unroll
  for (int y = 0; y < 2; ++y)
#pragma unroll
    for (int x = 0; x < 2; ++x) wmma::fill_fragment(sums[y][x], 0.0f);

  for (int k0 = 0; k0 < k; k0 += kStep) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int chunk = i * 128 + threadIdx.x;
      const int a_row = chunk / 4, a_col = chunk % 4 * 8;
      *reinterpret_cast<uint4*>(&tile_a[a_row][a_col]) =
          __ldg(reinterpret_cast<const uint4*>(&a[static_cast<size_t>(row0 + a_row) * k + k0 + a_col]));
      const int b_row = chunk / 8, b_col = chunk % 8 * 8;
      *reinterpret_cast<uint4*>(&tile_b[b_row][b_col]) =
          __ldg(reinterpret_cast<const uint4*>(&b[static_cast<size_t>(k0 + b_row) * n + col0 + b_col]));
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < kStep; step += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(left[i], &tile_a[warp_row + i * 16][step], kStep + 8);
        wmma::load_matrix_sync(right[i], &tile_b[step][warp_col + i * 16], kTile + 8);
      }
#pragma unroll
      for (int y = 0; y < 2; ++y)
#pragma unroll
        for (int x = 0; x < 2; ++x) wmma::mma_sync(sums[y][x], left[y], right[x], sums[y][x]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 2; ++y)
#pragma unroll
    for (int x = 0; x < 2; ++x)
      wmma::store_matrix_sync(&c[static_cast<size_t>(row0 + warp_row + y * 16) * n + col0 + warp_col + x * 16],
                              sums[y][x], n, wmma::mem_row_major);
}
