// C = alpha A B + beta C in single precision, in seven steps from one output per thread to a tile of 8 x 8 with two
// buffers: kernels of our own after the descriptions of the kernels that were timed (README.md). All matrices are square
// and row-major, and n is a multiple of 128.

template <int kTile>
__device__ const float *rows_of(const float *a, int n) { return a + blockIdx.y * kTile * n; }

template <int kTile>
__device__ float *outputs_of(float *c, int n) { return c + blockIdx.y * kTile * n + blockIdx.x * kTile; }

// 1: one output per thread, both operands from memory.
extern "C" __global__ void __launch_bounds__(1024) sgemm_1(int n, float alpha, const float *a, const float *b, float beta,
                                                          float *c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}

// 2: tiles of 32 x 32 in shared memory.
extern "C" __global__ void __launch_bounds__(1024) sgemm_2(int n, float alpha, const float *a, const float *b, float beta,
                                                          float *c) {
  constexpr int kTile = 32;
  __shared__ float tile_a[kTile * kTile], tile_b[kTile * kTile];
  int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  a = rows_of<kTile>(a, n);
  b += blockIdx.x * kTile;
  c = outputs_of<kTile>(c, n);
  float sum = 0;
  for (int k = 0; k < n; k += kTile) {
    tile_a[y * kTile + x] = a[y * n + x];
    tile_b[y * kTile + x] = b[y * n + x];
    __syncthreads();
    a += kTile;
    b += kTile * n;
    for (int i = 0; i < kTile; i++) sum += tile_a[y * kTile + i] * tile_b[i * kTile + x];
    __syncthreads();
  }
  c[y * n + x] = alpha * sum + beta * c[y * n + x];
}

// 3: tiles of 64 x 64 x 8, eight outputs of a column per thread.
extern "C" __global__ void __launch_bounds__(512) sgemm_3(int n, float alpha, const float *a, const float *b, float beta,
                                                         float *c) {
  constexpr int kTile = 64, kDepth = 8, kRows = 8;
  __shared__ float tile_a[kTile * kDepth], tile_b[kDepth * kTile];
  int x = threadIdx.x % kTile, y = threadIdx.x / kTile * kRows;
  int row_a = threadIdx.x / kDepth, column_a = threadIdx.x % kDepth;
  int row_b = threadIdx.x / kTile, column_b = threadIdx.x % kTile;
  a = rows_of<kTile>(a, n);
  b += blockIdx.x * kTile;
  c = outputs_of<kTile>(c, n);
  float sums[kRows] = {};
  for (int k = 0; k < n; k += kDepth) {
    tile_a[row_a * kDepth + column_a] = a[row_a * n + column_a];
    tile_b[row_b * kTile + column_b] = b[row_b * n + column_b];
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
#pragma unroll
    for (int i = 0; i < kDepth; i++) {
      float shared_by_all = tile_b[i * kTile + x];
#pragma unroll
      for (int j = 0; j < kRows; j++) sums[j] += tile_a[(y + j) * kDepth + i] * shared_by_all;
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < kRows; j++) c[(y + j) * n + x] = alpha * sums[j] + beta * c[(y + j) * n + x];
}

namespace {

constexpr int kTile = 128, kDepth = 8, kSide = 8, kThreads = 256;

// 4 and 5: tiles of 128 x 128 x 8, 8 x 8 outputs per thread; `kFragments`: each step first loads its 16 operands.
template <bool kFragments>
__device__ void sgemm_square(int n, float alpha, const float *a, const float *b, float beta, float *c) {
  __shared__ float tile_a[kTile * kDepth], tile_b[kDepth * kTile];
  int x = threadIdx.x % (kTile / kSide) * kSide, y = threadIdx.x / (kTile / kSide) * kSide;
  int row_a = threadIdx.x / kDepth, column_a = threadIdx.x % kDepth;
  int row_b = threadIdx.x / kTile, column_b = threadIdx.x % kTile;
  a = rows_of<kTile>(a, n);
  b += blockIdx.x * kTile;
  c = outputs_of<kTile>(c, n);
  float sums[kSide][kSide] = {};
  for (int k = 0; k < n; k += kDepth) {
#pragma unroll
    for (int i = 0; i < kTile; i += kThreads / kDepth)
      tile_a[(row_a + i) * kDepth + column_a] = a[(row_a + i) * n + column_a];
#pragma unroll
    for (int i = 0; i < kDepth; i += kThreads / kTile)
      tile_b[(row_b + i) * kTile + column_b] = b[(row_b + i) * n + column_b];
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
#pragma unroll
    for (int i = 0; i < kDepth; i++) {
      if (kFragments) {
        float of_a[kSide], of_b[kSide];
#pragma unroll
        for (int j = 0; j < kSide; j++) of_a[j] = tile_a[(y + j) * kDepth + i];
#pragma unroll
        for (int l = 0; l < kSide; l++) of_b[l] = tile_b[i * kTile + x + l];
#pragma unroll
        for (int j = 0; j < kSide; j++)
#pragma unroll
          for (int l = 0; l < kSide; l++) sums[j][l] += of_a[j] * of_b[l];
      } else {
#pragma unroll
        for (int j = 0; j < kSide; j++)
#pragma unroll
          for (int l = 0; l < kSide; l++) sums[j][l] += tile_a[(y + j) * kDepth + i] * tile_b[i * kTile + x + l];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < kSide; j++)
#pragma unroll
    for (int l = 0; l < kSide; l++) c[(y + j) * n + x + l] = alpha * sums[j][l] + beta * c[(y + j) * n + x + l];
}

__device__ float4 &four(float &first) { return reinterpret_cast<float4 &>(first); }
__device__ float4 four(const float &first) { return reinterpret_cast<const float4 &>(first); }

// A's tile is stored by columns, so that a step reads neighbours of both tiles.
__device__ void keep_column(float *tile_a, int row, int column, float4 value) {
  tile_a[column * kTile + row] = value.x;
  tile_a[(column + 1) * kTile + row] = value.y;
  tile_a[(column + 2) * kTile + row] = value.z;
  tile_a[(column + 3) * kTile + row] = value.w;
}

__device__ void load_fragments(const float *tile_a, const float *tile_b, int step, int x, int y, float *of_a, float *of_b) {
#pragma unroll
  for (int j = 0; j < kSide; j += 4) four(of_a[j]) = four(tile_a[step * kTile + y + j]);
#pragma unroll
  for (int l = 0; l < kSide; l += 4) four(of_b[l]) = four(tile_b[step * kTile + x + l]);
}

__device__ void multiply(const float *of_a, const float *of_b, float (&sums)[kSide][kSide]) {
#pragma unroll
  for (int j = 0; j < kSide; j++)
#pragma unroll
    for (int l = 0; l < kSide; l++) sums[j][l] += of_a[j] * of_b[l];
}

__device__ void store_fours(int n, float alpha, float beta, float *c, int x, int y, const float (&sums)[kSide][kSide]) {
#pragma unroll
  for (int j = 0; j < kSide; j++)
#pragma unroll
    for (int l = 0; l < kSide; l += 4) {
      float4 value = four(c[(y + j) * n + x + l]);
      value.x = alpha * sums[j][l] + beta * value.x;
      value.y = alpha * sums[j][l + 1] + beta * value.y;
      value.z = alpha * sums[j][l + 2] + beta * value.z;
      value.w = alpha * sums[j][l + 3] + beta * value.w;
      four(c[(y + j) * n + x + l]) = value;
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256) sgemm_4(int n, float alpha, const float *a, const float *b, float beta,
                                                         float *c) {
  sgemm_square<false>(n, alpha, a, b, beta, c);
}

extern "C" __global__ void __launch_bounds__(256) sgemm_5(int n, float alpha, const float *a, const float *b, float beta,
                                                         float *c) {
  sgemm_square<true>(n, alpha, a, b, beta, c);
}

// 6: as 5, loads and stores of four floats.
extern "C" __global__ void __launch_bounds__(256) sgemm_6(int n, float alpha, const float *a, const float *b, float beta,
                                                         float *c) {
  __shared__ float tile_a[kDepth * kTile], tile_b[kDepth * kTile];
  int x = threadIdx.x % (kTile / kSide) * kSide, y = threadIdx.x / (kTile / kSide) * kSide;
  int row_a = threadIdx.x / (kDepth / 4), column_a = threadIdx.x % (kDepth / 4) * 4;
  int row_b = threadIdx.x / (kTile / 4), column_b = threadIdx.x % (kTile / 4) * 4;
  a = rows_of<kTile>(a, n);
  b += blockIdx.x * kTile;
  c = outputs_of<kTile>(c, n);
  float sums[kSide][kSide] = {};
  for (int k = 0; k < n; k += kDepth) {
    keep_column(tile_a, row_a, column_a, four(a[row_a * n + column_a]));
    four(tile_b[row_b * kTile + column_b]) = four(b[row_b * n + column_b]);
    __syncthreads();
    a += kDepth;
    b += kDepth * n;
#pragma unroll
    for (int i = 0; i < kDepth; i++) {
      float of_a[kSide], of_b[kSide];
      load_fragments(tile_a, tile_b, i, x, y, of_a, of_b);
      multiply(of_a, of_b, sums);
    }
    __syncthreads();
  }
  store_fours(n, alpha, beta, c, x, y, sums);
}

// 7: as 6, two tiles and two sets of fragments: the next are loaded while the present are multiplied.
extern "C" __global__ void __launch_bounds__(256) sgemm_7(int n, float alpha, const float *a, const float *b, float beta,
                                                         float *c) {
  __shared__ float tile_a[2][kDepth * kTile], tile_b[2][kDepth * kTile];
  int x = threadIdx.x % (kTile / kSide) * kSide, y = threadIdx.x / (kTile / kSide) * kSide;
  int row_a = threadIdx.x / (kDepth / 4), column_a = threadIdx.x % (kDepth / 4) * 4;
  int row_b = threadIdx.x / (kTile / 4), column_b = threadIdx.x % (kTile / 4) * 4;
  a = rows_of<kTile>(a, n);
  b += blockIdx.x * kTile;
  c = outputs_of<kTile>(c, n);
  keep_column(tile_a[0], row_a, column_a, four(a[row_a * n + column_a]));
  four(tile_b[0][row_b * kTile + column_b]) = four(b[row_b * n + column_b]);
  __syncthreads();
  float sums[kSide][kSide] = {}, of_a[2][kSide], of_b[2][kSide];
  load_fragments(tile_a[0], tile_b[0], 0, x, y, of_a[0], of_b[0]);
  int now = 0;
  for (int k = kDepth; k <= n; k += kDepth) {
    float4 next_a, next_b;
    if (k < n) {
      a += kDepth;
      b += kDepth * n;
      next_a = four(a[row_a * n + column_a]);
      next_b = four(b[row_b * n + column_b]);
    }
#pragma unroll
    for (int i = 0; i < kDepth - 1; i++) {
      load_fragments(tile_a[now], tile_b[now], i + 1, x, y, of_a[(i + 1) % 2], of_b[(i + 1) % 2]);
      multiply(of_a[i % 2], of_b[i % 2], sums);
    }
    if (k < n) {
      now ^= 1;
      keep_column(tile_a[now], row_a, column_a, next_a);
      four(tile_b[now][row_b * kTile + column_b]) = next_b;
      __syncthreads();
      load_fragments(tile_a[now], tile_b[now], 0, x, y, of_a[0], of_b[0]);
    }
    multiply(of_a[1], of_b[1], sums);
  }
  store_fours(n, alpha, beta, c, x, y, sums);
}
