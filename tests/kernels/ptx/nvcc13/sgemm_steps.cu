// C = A B in single precision, m x n x k, in the four steps whose times were measured on a GTX 1060 Mobile
// (bench/validation/reference/sgemm_gtx1060_mobile.csv). Matrices lie row by row; n and k are multiples of 4.
// Tiles of 128 x 128 x 8 are computed by 16 x 16 threads, 8 x 8 elements each. As in the measured programs, tiles that
// reach beyond the matrix are worked on like whole ones.

// A thread per element, all operands from global memory.
// Block 32, 32; grid n / 32, m / 32, rounded up.
extern "C" __global__ void sgemm_naive(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                       int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

constexpr int kRows = 128, kColumns = 128, kDepth = 8, kOwn = 8;

__device__ float4 load4(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void store4(float* to, float4 value) { *reinterpret_cast<float4*>(to) = value; }

// Tiles in shared memory, A as it lies.
// Block 16, 16; grid n / 128, m / 128, rounded up.
extern "C" __global__ void __launch_bounds__(256, 2)
    sgemm_v1(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  __shared__ __align__(16) float tile_a[kRows][kDepth];
  __shared__ __align__(16) float tile_b[kDepth][kColumns];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int row_a = thread / 2, column_a = thread % 2 * 4, row_b = thread / 32, column_b = thread % 32 * 4;
  const int top = blockIdx.y * kRows, left = blockIdx.x * kColumns;
  float sums[kOwn][kOwn] = {};
  for (int step = 0; step < (k + kDepth - 1) / kDepth; ++step) {
    store4(&tile_a[row_a][column_a], load4(&a[(top + row_a) * k + step * kDepth + column_a]));
    store4(&tile_b[row_b][column_b], load4(&b[(step * kDepth + row_b) * n + left + column_b]));
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i)
#pragma unroll
      for (int y = 0; y < kOwn; ++y)
#pragma unroll
        for (int x = 0; x < kOwn; ++x)
          sums[y][x] += tile_a[threadIdx.y * kOwn + y][i] * tile_b[i][threadIdx.x * kOwn + x];
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < kOwn; ++y)
#pragma unroll
    for (int x = 0; x < kOwn; x += 4)
      store4(&c[(top + threadIdx.y * kOwn + y) * n + left + threadIdx.x * kOwn + x],
             make_float4(sums[y][x], sums[y][x + 1], sums[y][x + 2], sums[y][x + 3]));
}

// A thread has four rows and four columns in each half of the tile, so that no banks conflict; A is transposed.
struct Halves {
  float a[kOwn], b[kOwn];

  __device__ void load(const float* row_a, const float* row_b) {
    const float4 parts[] = {load4(row_a + threadIdx.y * 4), load4(row_a + threadIdx.y * 4 + kRows / 2),
                            load4(row_b + threadIdx.x * 4), load4(row_b + threadIdx.x * 4 + kColumns / 2)};
    for (int i = 0; i < 2; ++i) {
      store4(&a[4 * i], parts[i]);
      store4(&b[4 * i], parts[2 + i]);
    }
  }
};

__device__ void multiply(const Halves& own, float (&sums)[kOwn][kOwn]) {
#pragma unroll
  for (int y = 0; y < kOwn; ++y)
#pragma unroll
    for (int x = 0; x < kOwn; ++x) sums[y][x] += own.a[y] * own.b[x];
}

__device__ void store_halves(const float (&sums)[kOwn][kOwn], float* c, int top, int left, int n) {
#pragma unroll
  for (int y = 0; y < kOwn; ++y)
#pragma unroll
    for (int x = 0; x < kOwn; x += 4)
      store4(
          &c[(top + threadIdx.y * 4 + y % 4 + y / 4 * kRows / 2) * n + left + threadIdx.x * 4 + x / 4 * kColumns / 2],
          make_float4(sums[y][x], sums[y][x + 1], sums[y][x + 2], sums[y][x + 3]));
}

__device__ void store_transposed(float (*tile)[kRows], int row, int column, float4 value) {
  tile[column][row] = value.x;
  tile[column + 1][row] = value.y;
  tile[column + 2][row] = value.z;
  tile[column + 3][row] = value.w;
}

// Block 16, 16; grid n / 128, m / 128, rounded up.
extern "C" __global__ void __launch_bounds__(256, 2)
    sgemm_v2(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  __shared__ __align__(16) float tile_a[kDepth][kRows];
  __shared__ __align__(16) float tile_b[kDepth][kColumns];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int row_a = thread / 2, column_a = thread % 2 * 4, row_b = thread / 32, column_b = thread % 32 * 4;
  const int top = blockIdx.y * kRows, left = blockIdx.x * kColumns;
  float sums[kOwn][kOwn] = {};
  for (int step = 0; step < (k + kDepth - 1) / kDepth; ++step) {
    store_transposed(tile_a, row_a, column_a, load4(&a[(top + row_a) * k + step * kDepth + column_a]));
    store4(&tile_b[row_b][column_b], load4(&b[(step * kDepth + row_b) * n + left + column_b]));
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      Halves own;
      own.load(tile_a[i], tile_b[i]);
      multiply(own, sums);
    }
    __syncthreads();
  }
  store_halves(sums, c, top, left, n);
}

// The next tile is loaded into another buffer meanwhile.
// Block 16, 16; grid n / 128, m / 128, rounded up.
extern "C" __global__ void __launch_bounds__(256, 2)
    sgemm_v3(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k) {
  __shared__ __align__(16) float tile_a[2][kDepth][kRows];
  __shared__ __align__(16) float tile_b[2][kDepth][kColumns];
  const int thread = threadIdx.y * 16 + threadIdx.x;
  const int row_a = thread / 2, column_a = thread % 2 * 4, row_b = thread / 32, column_b = thread % 32 * 4;
  const int top = blockIdx.y * kRows, left = blockIdx.x * kColumns;
  const float* from_a = &a[(top + row_a) * k + column_a];
  const float* from_b = &b[row_b * n + left + column_b];
  store_transposed(tile_a[0], row_a, column_a, load4(from_a));
  store4(&tile_b[0][row_b][column_b], load4(from_b));
  __syncthreads();
  float sums[kOwn][kOwn] = {};
  for (int step = 1; step < (k + kDepth - 1) / kDepth; ++step) {
    const int now = (step - 1) & 1, next = step & 1;
    const float4 next_a = load4(from_a + step * kDepth);
    const float4 next_b = load4(from_b + step * kDepth * n);
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      Halves own;
      own.load(tile_a[now][i], tile_b[now][i]);
      multiply(own, sums);
    }
    store_transposed(tile_a[next], row_a, column_a, next_a);
    store4(&tile_b[next][row_b][column_b], next_b);
    __syncthreads();
  }
  const int last = ((k + kDepth - 1) / kDepth - 1) & 1;
#pragma unroll
  for (int i = 0; i < kDepth; ++i) {
    Halves own;
    own.load(tile_a[last][i], tile_b[last][i]);
    multiply(own, sums);
  }
  store_halves(sums, c, top, left, n);
}
