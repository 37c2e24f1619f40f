// Matrix multiply C = A B of n x n floats, row by row in memory, from naive to vectorised.
// Arguments of all: n; A, B: n * n floats each, read; C: n * n floats, written.

// Naive: one element of C a thread, every operand from global memory.
// Launch: block (16, 16), grid (n / 16, n / 16); n is a multiple of 16.
extern "C" __global__ void mmul_naive(int n, const float* A, const float* B, float* C) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    sum += A[row * n + k] * B[k * n + column];
  }
  C[row * n + column] = sum;
}

// One element of C a thread; a group of size x size threads shares tiles of A and B in shared memory. The inner
// loop is unrolled, the outer one is not. The same algorithm as kernels/data/mmul08.json and mmul16.json.
template <int size>
__device__ void mmul_tiled(int n, const float* A, const float* B, float* C) {
  __shared__ float a[size][size];
  __shared__ float b[size][size];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = size * blockIdx.x + tx;
  const int row = size * blockIdx.y + ty;
  float sum = 0.0f;
#pragma unroll 1
  for (int t = 0; t < n / size; ++t) {
    a[ty][tx] = A[row * n + size * t + tx];
    b[ty][tx] = B[(size * t + ty) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < size; ++k) {
      sum += a[ty][k] * b[k][tx];
    }
    __syncthreads();
  }
  C[row * n + column] = sum;
}

// Tiles of 8 x 8. Launch: block (8, 8), grid (n / 8, n / 8); n is a multiple of 8.
extern "C" __global__ void mmul08(int n, const float* A, const float* B, float* C) { mmul_tiled<8>(n, A, B, C); }

// Tiles of 16 x 16. Launch: block (16, 16), grid (n / 16, n / 16); n is a multiple of 16.
extern "C" __global__ void mmul16(int n, const float* A, const float* B, float* C) { mmul_tiled<16>(n, A, B, C); }

// Register tiles: a group computes 64 x 64 elements of C, each of its 16 x 16 threads 4 x 4 of them, 16 apart; tiles of
// 64 x 16 of A and 16 x 64 of B pass through shared memory. Eight reads from there feed 16 multiply-adds.
// Launch: block (16, 16), grid (n / 64, n / 64); n is a multiple of 64.
extern "C" __global__ void mmul_register_tiled(int n, const float* A, const float* B, float* C) {
  __shared__ float a[64][16];
  __shared__ float b[16][64];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int column = 64 * blockIdx.x + tx;
  const int row = 64 * blockIdx.y + ty;
  float sum[4][4] = {};
#pragma unroll 1
  for (int t = 0; t < n; t += 16) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      a[ty + 16 * i][tx] = A[(row + 16 * i) * n + t + tx];
      b[ty][tx + 16 * i] = B[(t + ty) * n + column + 16 * i];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float left[4];
      float right[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        left[i] = a[ty + 16 * i][k];
        right[i] = b[k][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sum[i][j] += left[i] * right[j];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      C[(row + 16 * i) * n + column + 16 * j] = sum[i][j];
    }
  }
}

// Vectorised: the same 64 x 64 elements per group, but each thread's 4 x 4 are neighbours, so that global loads and
// stores and all shared reads move four floats at once. The tile of A is kept transposed, so that both operands of a
// step are rows of a tile; storing it so costs bank conflicts. Launch: block (16, 16), grid (n / 64, n / 64); n is a
// multiple of 64; A, B, C aligned to 16 bytes.
extern "C" __global__ void mmul_vectorised(int n, const float* A, const float* B, float* C) {
  __shared__ __align__(16) float a[16][64];
  __shared__ __align__(16) float b[16][64];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int thread = 16 * ty + tx;
  const int a_row = thread / 4;
  const int a_column = 4 * (thread % 4);
  float sum[4][4] = {};
#pragma unroll 1
  for (int t = 0; t < n; t += 16) {
    const float4 from_a = *reinterpret_cast<const float4*>(&A[(64 * blockIdx.y + a_row) * n + t + a_column]);
    const float4 from_b = *reinterpret_cast<const float4*>(&B[(t + ty) * n + 64 * blockIdx.x + 4 * tx]);
    a[a_column + 0][a_row] = from_a.x;
    a[a_column + 1][a_row] = from_a.y;
    a[a_column + 2][a_row] = from_a.z;
    a[a_column + 3][a_row] = from_a.w;
    *reinterpret_cast<float4*>(&b[ty][4 * tx]) = from_b;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 left = *reinterpret_cast<const float4*>(&a[k][4 * ty]);
      const float4 right = *reinterpret_cast<const float4*>(&b[k][4 * tx]);
      const float lefts[4] = {left.x, left.y, left.z, left.w};
      const float rights[4] = {right.x, right.y, right.z, right.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sum[i][j] += lefts[i] * rights[j];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float* to = &C[(64 * blockIdx.y + 4 * ty + i) * n + 64 * blockIdx.x + 4 * tx];
    *reinterpret_cast<float4*>(to) = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
  }
}
