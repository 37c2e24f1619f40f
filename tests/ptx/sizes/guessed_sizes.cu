// Twenty kernels whose groups cover 1 to 128 elements per thread, for guessed_sizes_test.cpp: with no argument said, the
// guesses must lead to the time of the launch whose sizes are those that the launch covers. The list was fixed before any
// guess was made. Each kernel's comment says its launch: block, grid; arguments.
#define KERNEL extern "C" __global__ void

// 256, 2048; n=2097152: four elements per thread, in one vector.
KERNEL scale_float4(const float* x, float* y, float a, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    float4 v = *reinterpret_cast<const float4*>(x + i);
    *reinterpret_cast<float4*>(y + i) = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
  }
}

// 128, 4096; n=4194304: two vectors a thread, half a group apart.
KERNEL copy_two_float4(const float4* x, float4* y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (4 * i < n) y[i] = x[i];
  if (4 * (i + 128) < n) y[i + 128] = x[i + 128];
}

// 128, 4096; n=4194304: as Triton writes an addition of blocks of 1024, with a mask for each vector.
KERNEL add_block_masked(const float* x, const float* y, float* z, int n) {
  int offset = blockIdx.x * 1024 + threadIdx.x * 4;
  for (int part = 0; part < 2; ++part) {
    int at = offset + 512 * part;
    float4 a = {}, b = {};
    bool mask = at < n;
    if (mask) a = *reinterpret_cast<const float4*>(x + at);
    if (mask) b = *reinterpret_cast<const float4*>(y + at);
    if (mask) *reinterpret_cast<float4*>(z + at) = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }
}

// 128, 1024; n=2097152: sixteen elements per thread, each with a mask of its own.
KERNEL silu_sixteen(const float* x, float* y, int n) {
  int first = blockIdx.x * 2048 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 16; ++k)
    if (int at = first + 128 * k; at < n) y[at] = x[at] / (1.0f + __expf(-x[at]));
}

// 256, 528; n=8650752: 64 elements per thread, in a loop.
KERNEL triad_coarse(const float* a, const float* b, float* c, float s, unsigned n) {
  unsigned base = blockIdx.x * blockDim.x * 64 + threadIdx.x;
#pragma unroll 1
  for (unsigned k = 0; k < 64; ++k) {
    unsigned at = base + k * blockDim.x;
    if (at < n) c[at] = a[at] + s * b[at];
  }
}

// 64, 1024; n=8388608: 128 elements per thread, summed.
KERNEL sum_coarse(const float* x, float* sums, long long n) {
  long long base = static_cast<long long>(blockIdx.x) * 8192 + threadIdx.x;
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < 128; ++k) {
    long long at = base + 64 * k;
    sum += at < n ? x[at] : 0.0f;
  }
  sums[blockIdx.x * 64 + threadIdx.x] = sum;
}

// 16,16, 16,16; n=1024: a tile of 64 x 64, 4 x 4 of it a thread.
KERNEL gemm_tile64(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][64], bs[16][64];
  int row = blockIdx.y * 64, column = blockIdx.x * 64, t = threadIdx.y * 16 + threadIdx.x;
  float sum[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    for (int i = t; i < 1024; i += 256) {
      int r = row + i % 64, q = k + i / 64;
      as[i / 64][i % 64] = r < n && q < n ? a[r * n + q] : 0.0f;
      int s = column + i % 64;
      bs[i / 64][i % 64] = q < n && s < n ? b[q * n + s] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 16; ++q)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += as[q][threadIdx.y * 4 + i] * bs[q][threadIdx.x * 4 + j];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (row + threadIdx.y * 4 + i < n && column + threadIdx.x * 4 + j < n)
        c[(row + threadIdx.y * 4 + i) * n + column + threadIdx.x * 4 + j] = sum[i][j];
}

// 32,8, 64,32; width=2048, height=1024: four rows of a tile a thread.
KERNEL transpose_tile(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// 256, 4096; n=1048576, incx=1, incy=1: strides as BLAS has them.
KERNEL axpy_strided(int n, float a, const float* x, int incx, float* y, int incy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * incy] += a * x[i * incx];
}

// 256, 2048; n=524288, pitch=4: a vector at every pitch-th element.
KERNEL norm_of_records(const float* records, float* norms, int n, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = *reinterpret_cast<const float4*>(records + static_cast<long>(pitch) * i);
  norms[i] = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
}

// 256, 4096; n=1048576, r=4: a window of 2 r + 1 elements.
KERNEL mean_of_window(const float* in, float* out, int n, int r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -r; k <= r; ++k)
    if (i + k >= 0 && i + k < n) sum += in[i + k];
  out[i] = sum / (2 * r + 1);
}

// 16,16, 64,64; width=1024, height=1024, r=4: a square window, its edges clamped.
KERNEL box_clamped(const unsigned char* in, unsigned char* out, int width, int height, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = -r; dy <= r; ++dy)
    for (int dx = -r; dx <= r; ++dx)
      sum += in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
  out[y * width + x] = static_cast<unsigned char>(sum / ((2 * r + 1) * (2 * r + 1)));
}

// 256, 4096; rows=1024, columns=1024: one index over a product of sizes.
KERNEL add_bias(const float* in, const float* bias, float* out, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns) out[i] = in[i] + bias[i % columns];
}

// 256, 4096; images=32, channels=32, height=32, width=32: a product of four sizes.
KERNEL scale_channels(const float* in, const float* scale, float* out, int images, int channels, int height, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= images * channels * height * width) return;
  int channel = i / (height * width) % channels;
  out[i] = in[i] * scale[channel];
}

// 256, 1056; n=1081344: a loop with the stride of the grid, a vector a pass.
KERNEL scale_grid_stride(const float4* x, float4* y, float a, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += stride) {
    float4 v = x[i];
    y[i] = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
  }
}

// 256, 4096; columns=1024, pitch=1024: a row a group, four elements per thread, each with a mask.
KERNEL softmax_row(const float* in, float* out, int columns, int pitch) {
  __shared__ float shared[8];
  const float* row = in + static_cast<long>(blockIdx.x) * pitch;
  float v[4], sum = 0;
  for (int k = 0; k < 4; ++k) {
    int at = threadIdx.x + 256 * k;
    v[k] = at < columns ? __expf(row[at]) : 0.0f;
    sum += v[k];
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xffffffff, sum, lane);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += shared[k];
  for (int k = 0; k < 4; ++k)
    if (int at = threadIdx.x + 256 * k; at < columns) out[static_cast<long>(blockIdx.x) * pitch + at] = v[k] / sum;
}

// 32,4, 1024; rows=4096, columns=512: a row a warp, sixteen elements per lane.
KERNEL rms_norm_warp(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * 4 + threadIdx.y;
  if (row >= rows) return;
  float v[16], sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    int at = threadIdx.x + 32 * k;
    v[k] = at < columns ? in[row * columns + at] : 0.0f;
    sum += v[k] * v[k];
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xffffffff, sum, lane);
  float scale = rsqrtf(sum / columns);
#pragma unroll
  for (int k = 0; k < 16; ++k)
    if (int at = threadIdx.x + 32 * k; at < columns) out[row * columns + at] = v[k] * scale;
}

// 256, 2048; n=1048576: from the end, two elements per thread.
KERNEL reverse_pairs(const float2* in, float2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 >= n) return;
  float2 v = in[i];
  out[n / 2 - 1 - i] = make_float2(v.y, v.x);
}

// 32,4,2, 8,32,16; nx=256, ny=128, nz=128: seven points of a volume, four planes a thread.
KERNEL laplace_3d(const float* in, float* out, int nx, int ny, int nz) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 8 + threadIdx.z * 4;
  for (int k = 0; k < 4; ++k, ++z) {
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) continue;
    long at = (static_cast<long>(z) * ny + y) * nx + x;
    out[at] = in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - nx * ny] + in[at + nx * ny] - 6 * in[at];
  }
}

// 128, 256; m=1024, n=1024, k=1024, lda=1024, ldb=1024, ldc=1024: tiles of 64 x 64 in a grid of one axis, as Triton orders
// them, 32 elements per thread.
KERNEL gemm_swizzled(const float* a, const float* b, float* c, int m, int n, int k, int lda, int ldb, int ldc) {
  __shared__ float as[16][64], bs[16][64];
  int tiles_m = (m + 63) / 64, tiles_n = (n + 63) / 64, wide = 8 * tiles_n, first = blockIdx.x / wide * 8;
  int size = min(tiles_m - first, 8);
  int row = (first + blockIdx.x % wide % size) * 64, column = blockIdx.x % wide / size * 64;
  float sum[8][4] = {};
  int ty = threadIdx.x / 16 * 8, tx = threadIdx.x % 16 * 4;
  for (int q = 0; q < k; q += 16) {
    for (int i = threadIdx.x; i < 1024; i += 128) {
      as[i / 64][i % 64] = q + i / 64 < k && row + i % 64 < m ? a[(row + i % 64) * lda + q + i / 64] : 0.0f;
      bs[i / 64][i % 64] = q + i / 64 < k && column + i % 64 < n ? b[(q + i / 64) * ldb + column + i % 64] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < 16; ++e)
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) sum[i][j] += as[e][ty + i] * bs[e][tx + j];
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (row + ty + i < m && column + tx + j < n) c[(row + ty + i) * ldc + column + tx + j] = sum[i][j];
}
