// Matrix products on the ordinary cores, in single and double precision.
#include <cuda_runtime.h>

// C = A B, one element of C per thread, square tiles of A and B in shared memory.
template <int kTile>
__global__ void __launch_bounds__(kTile* kTile) sgemm_shared_tile(int m, int n, int k, const float* __restrict__ a,
                                                                  const float* __restrict__ b, float* __restrict__ c) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * k + k0 + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k0 + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}
template __global__ void sgemm_shared_tile<32>(int, int, int, const float*, const float*, float*);

// C = alpha A B + beta C, 8 x 8 elements per thread, A transposed in shared memory, 16-byte loads.
template <int kM, int kN, int kK, int kPerThread>
__global__ void __launch_bounds__(kM* kN / (kPerThread * kPerThread))
    sgemm_register_tile(int m, int n, int k, float alpha, const float* __restrict__ a, const float* __restrict__ b,
                        float beta, float* __restrict__ c) {
  constexpr int kThreads = kM * kN / (kPerThread * kPerThread);
  __shared__ float tile_a[kK][kM];
  __shared__ float tile_b[kK][kN];
  const int thread = threadIdx.x;
  const int thread_row = thread / (kN / kPerThread) * kPerThread;
  const int thread_col = thread % (kN / kPerThread) * kPerThread;
  a += static_cast<size_t>(blockIdx.y) * kM * k;
  b += blockIdx.x * kN;
  c += static_cast<size_t>(blockIdx.y) * kM * n + blockIdx.x * kN;

  float sums[kPerThread][kPerThread] = {};
  for (int k0 = 0; k0 < k; k0 += kK) {
#pragma unroll
    for (int i = thread; i < kM * kK / 4; i += kThreads) {
      const int row = i / (kK / 4), col = i % (kK / 4) * 4;
      const float4 v = *reinterpret_cast<const float4*>(&a[static_cast<size_t>(row) * k + k0 + col]);
      tile_a[col + 0][row] = v.x;
      tile_a[col + 1][row] = v.y;
      tile_a[col + 2][row] = v.z;
      tile_a[col + 3][row] = v.w;
    }
#pragma unroll
    for (int i = thread; i < kK * kN / 4; i += kThreads) {
      const int row = i / (kN / 4), col = i % (kN / 4) * 4;
      *reinterpret_cast<float4*>(&tile_b[row][col]) =
          *reinterpret_cast<const float4*>(&b[static_cast<size_t>(k0 + row) * n + col]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kK; ++i) {
      float column[kPerThread], row[kPerThread];
#pragma unroll
      for (int j = 0; j < kPerThread; j += 4) {
        *reinterpret_cast<float4*>(&column[j]) = *reinterpret_cast<const float4*>(&tile_a[i][thread_row + j]);
        *reinterpret_cast<float4*>(&row[j]) = *reinterpret_cast<const float4*>(&tile_b[i][thread_col + j]);
      }
#pragma unroll
      for (int y = 0; y < kPerThread; ++y)
#pragma unroll
        for (int x = 0; x < kPerThread; ++x) sums[y][x] = fmaf(column[y], row[x], sums[y][x]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < kPerThread; ++y) {
#pragma unroll
    for (int x = 0; x < kPerThread; x += 4) {
      float4* out = reinterpret_cast<float4*>(&c[static_cast<size_t>(thread_row + y) * n + thread_col + x]);
      float4 v = *out;
      v.x = alpha * sums[y][x] + beta * v.x;
      v.y = alpha * sums[y][x + 1] + beta * v.y;
      v.z = alpha * sums[y][x + 2] + beta * v.z;
      v.w = alpha * sums[y][x + 3] + beta * v.w;
      *out = v;
    }
  }
}
template __global__ void sgemm_register_tile<128, 128, 8, 8>(int, int, int, float, const float*, const float*, float,
                                                             float*);

// C = A B with two buffers in shared memory: the next tiles travel through registers while these are multiplied.
__global__ void __launch_bounds__(256) sgemm_double_buffered(int n, int k, const float* __restrict__ a,
                                                             const float* __restrict__ b, float* __restrict__ c) {
  constexpr int kM = 128, kN = 128, kK = 8;
  __shared__ __align__(16) float tile_a[2][kK][kM + 4];
  __shared__ __align__(16) float tile_b[2][kK][kN];
  const int a_row = threadIdx.x >> 1, a_col = (threadIdx.x & 1) * 4;
  const int b_row = threadIdx.x >> 5, b_col = (threadIdx.x & 31) * 4;
  const int row = (threadIdx.x >> 4) * 8, col = (threadIdx.x & 15) * 8;
  const float* from_a = a + static_cast<size_t>(blockIdx.y * kM + a_row) * k + a_col;
  const float* from_b = b + static_cast<size_t>(b_row) * n + blockIdx.x * kN + b_col;

  float4 next_a = __ldg(reinterpret_cast<const float4*>(from_a));
  float4 next_b = __ldg(reinterpret_cast<const float4*>(from_b));
  auto put = [&](int buffer) {
    tile_a[buffer][a_col + 0][a_row] = next_a.x;
    tile_a[buffer][a_col + 1][a_row] = next_a.y;
    tile_a[buffer][a_col + 2][a_row] = next_a.z;
    tile_a[buffer][a_col + 3][a_row] = next_a.w;
    *reinterpret_cast<float4*>(&tile_b[buffer][b_row][b_col]) = next_b;
  };
  put(0);
  __syncthreads();

  float sums[8][8] = {};
  int buffer = 0;
  for (int k0 = kK; k0 <= k; k0 += kK) {
    const bool more = k0 < k;
    if (more) {
      next_a = __ldg(reinterpret_cast<const float4*>(from_a + k0));
      next_b = __ldg(reinterpret_cast<const float4*>(from_b + static_cast<size_t>(k0) * n));
    }
#pragma unroll
    for (int i = 0; i < kK; ++i) {
      float left[8], right[8];
      *reinterpret_cast<float4*>(&left[0]) = *reinterpret_cast<float4*>(&tile_a[buffer][i][row]);
      *reinterpret_cast<float4*>(&left[4]) = *reinterpret_cast<float4*>(&tile_a[buffer][i][row + 4]);
      *reinterpret_cast<float4*>(&right[0]) = *reinterpret_cast<float4*>(&tile_b[buffer][i][col]);
      *reinterpret_cast<float4*>(&right[4]) = *reinterpret_cast<float4*>(&tile_b[buffer][i][col + 4]);
#pragma unroll
      for (int y = 0; y < 8; ++y)
#pragma unroll
        for (int x = 0; x < 8; ++x) sums[y][x] += left[y] * right[x];
    }
    if (more) {
      buffer ^= 1;
      put(buffer);
      __syncthreads();
    }
  }
#pragma unroll
  for (int y = 0; y < 8; ++y) {
    float* out = c + static_cast<size_t>(blockIdx.y * kM + row + y) * n + blockIdx.x * kN + col;
    *reinterpret_cast<float4*>(out) = make_float4(sums[y][0], sums[y][1], sums[y][2], sums[y][3]);
    *reinterpret_cast<float4*>(out + 4) = make_float4(sums[y][4], sums[y][5], sums[y][6], sums[y][7]);
  }
}

// C = A B in double precision, 4 x 4 elements per thread, edges checked.
__global__ void __launch_bounds__(256) dgemm_tile(int m, int n, int k, const double* __restrict__ a,
                                                  const double* __restrict__ b, double* __restrict__ c) {
  constexpr int kTile = 64, kK = 16;
  __shared__ double tile_a[kK][kTile + 1];
  __shared__ double tile_b[kK][kTile];
  const int row0 = blockIdx.y * kTile, col0 = blockIdx.x * kTile;
  const int row = threadIdx.x / 16, col = threadIdx.x % 16;
  double sums[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += kK) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int y = i * 16 + row;
      tile_a[col][y] = row0 + y < m && k0 + col < k ? a[static_cast<size_t>(row0 + y) * k + k0 + col] : 0.0;
      const int x = i * 16 + col;
      tile_b[row][x] = k0 + row < k && col0 + x < n ? b[static_cast<size_t>(k0 + row) * n + col0 + x] : 0.0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kK; ++i) {
      double left[4], right[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        left[j] = tile_a[i][j * 16 + row];
        right[j] = tile_b[i][j * 16 + col];
      }
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x) sums[y][x] = fma(left[y], right[x], sums[y][x]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      const int to_row = row0 + y * 16 + row, to_col = col0 + x * 16 + col;
      if (to_row < m && to_col < n) c[static_cast<size_t>(to_row) * n + to_col] = sums[y][x];
    }
}

// y = A x, a warp per row, 16-byte loads, sums by shuffles.
__global__ void __launch_bounds__(256)
    sgemv_rows(int rows, int cols, const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float4* from = reinterpret_cast<const float4*>(a + static_cast<size_t>(row) * cols);
  const float4* with = reinterpret_cast<const float4*>(x);
  float sum = 0.0f;
#pragma unroll 4
  for (int i = lane; i < cols / 4; i += 32) {
    const float4 p = __ldcs(&from[i]);
    const float4 q = __ldg(&with[i]);
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) y[row] = sum;
}
