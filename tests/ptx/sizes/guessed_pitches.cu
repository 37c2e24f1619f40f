// Kernels with the distance from row to row as an argument of its own, with which nothing is compared, for
// guessed_sizes_test.cpp. The list was fixed before any guess was made. Each kernel's comment says its launch: block,
// grid; arguments, the distances being the least with which no rows overlap.
#define KERNEL extern "C" __global__ void

// 256, 4096; columns=4096, pitch=4096: rows of 4096 elements, which 256 threads walk along.
KERNEL scale_rows(const float* x, float* y, int columns, int pitch) {
  for (int c = threadIdx.x; c < 4096; c += 256)
    if (c < columns) y[blockIdx.x * pitch + c] = 2 * x[blockIdx.x * pitch + c];
}

// 64,4, 16,32; width=1024, height=1024, pitch=4096: rows of pitch bytes, eight of them a thread.
KERNEL add_pitched(const float* a, const float* b, float* c, int width, int height, int pitch) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x >= width) return;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    int row = y + 4 * k;
    if (row >= height) break;
    size_t at = static_cast<size_t>(row) * pitch;
    reinterpret_cast<float*>(reinterpret_cast<char*>(c) + at)[x] =
        reinterpret_cast<const float*>(reinterpret_cast<const char*>(a) + at)[x] +
        reinterpret_cast<const float*>(reinterpret_cast<const char*>(b) + at)[x];
  }
}

// 32,8, 128,32; width=4096, height=1024, in_pitch=4096, out_pitch=1024: each side of a transpose has its own.
KERNEL transpose_pitched(const float* in, float* out, int width, int height, int in_pitch, int out_pitch) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * in_pitch + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * out_pitch + x] = tile[threadIdx.x][threadIdx.y + j];
}

// 32,8, 16,16,64; nx=512, ny=128, nz=64, pitch=2048, rows=128: rows of pitch bytes, and `rows` of them a slice.
KERNEL blur_slices(const char* in, char* out, int nx, int ny, int nz, size_t pitch, int rows) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  const char* slice = in + z * pitch * rows;
  auto at = [&](int row, int column) { return reinterpret_cast<const float*>(slice + row * pitch)[column]; };
  float sum = at(y, x);
  if (x > 0) sum += at(y, x - 1);
  if (x < nx - 1) sum += at(y, x + 1);
  if (y > 0) sum += at(y - 1, x);
  if (y < ny - 1) sum += at(y + 1, x);
  reinterpret_cast<float*>(out + (z * rows + y) * pitch)[x] = 0.2f * sum;
}

// 16,16, 32,32; m=512, n=512, k=1024, lda=512, ldb=1024, ldc=512: columns one after the other, as BLAS has
// them.
KERNEL gemm_columns(int m, int n, int k, const float* a, int lda, const float* b, int ldb, float* c, int ldc) {
  __shared__ float as[16][17], bs[16][17];
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < k; t += 16) {
    as[threadIdx.y][threadIdx.x] = i < m && t + threadIdx.y < k ? a[(t + threadIdx.y) * lda + i] : 0;
    bs[threadIdx.y][threadIdx.x] = j < n && t + threadIdx.x < k ? b[j * ldb + t + threadIdx.x] : 0;
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 16; ++q) sum += as[q][threadIdx.x] * bs[threadIdx.y][q];
    __syncthreads();
  }
  if (i < m && j < n) c[j * ldc + i] = sum;
}

// 128, 512,16; n=1024, ld=1028, stride=526336: the rows of sixteen matrices, one of them a group; each row reads a border
// of 4 elements in front of it.
KERNEL differences_of_batch(const float* x, float* y, int n, int ld, long long stride) {
  const float* row = x + blockIdx.y * stride + blockIdx.x * ld;
  for (int c = threadIdx.x; c < n; c += 128) y[blockIdx.y * stride + blockIdx.x * ld + c] = row[c] - row[c - 4];
}
