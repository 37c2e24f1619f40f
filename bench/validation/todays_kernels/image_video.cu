// Images and video: filters, sizes, colours, motion, transforms of blocks.
#include <cuda_runtime.h>

#include <cstdint>

__constant__ float dct_matrix[8][8];

// Bilateral filter of grey pixels, window of (2 radius + 1) squared, weights by distance from a table.
template <int kRadius>
__global__ void __launch_bounds__(256)
    bilateral(int width, int height, float range_factor, const float* __restrict__ in, float* __restrict__ out) {
  constexpr int kX = 32, kY = 8, kSide = 2 * kRadius + 1;
  __shared__ float tile[kY + 2 * kRadius][kX + 2 * kRadius];
  __shared__ float near[kSide * kSide];
  const int thread = threadIdx.y * kX + threadIdx.x;
  for (int i = thread; i < kSide * kSide; i += kX * kY) {
    const float dx = i % kSide - kRadius, dy = i / kSide - kRadius;
    near[i] = __expf(-(dx * dx + dy * dy) / (2.0f * kRadius * kRadius / 4.0f));
  }
  for (int i = thread; i < (kX + 2 * kRadius) * (kY + 2 * kRadius); i += kX * kY) {
    const int tx = i % (kX + 2 * kRadius), ty = i / (kX + 2 * kRadius);
    const int x = min(max(static_cast<int>(blockIdx.x) * kX + tx - kRadius, 0), width - 1);
    const int y = min(max(static_cast<int>(blockIdx.y) * kY + ty - kRadius, 0), height - 1);
    tile[ty][tx] = in[static_cast<size_t>(y) * width + x];
  }
  __syncthreads();
  const int x = blockIdx.x * kX + threadIdx.x, y = blockIdx.y * kY + threadIdx.y;
  if (x >= width || y >= height) return;
  const float middle = tile[threadIdx.y + kRadius][threadIdx.x + kRadius];
  float sum = 0.0f, weights = 0.0f;
#pragma unroll 1
  for (int dy = 0; dy < kSide; ++dy) {
#pragma unroll
    for (int dx = 0; dx < kSide; ++dx) {
      const float v = tile[threadIdx.y + dy][threadIdx.x + dx], d = v - middle;
      const float w = near[dy * kSide + dx] * __expf(-d * d * range_factor);
      sum += w * v;
      weights += w;
    }
  }
  out[static_cast<size_t>(y) * width + x] = __fdividef(sum, weights);
}
template __global__ void bilateral<5>(int, int, float, const float*, float*);

// Sobel's gradient of bytes, four pixels per thread, rows through the read-only path.
__global__ void __launch_bounds__(256)
    sobel(int width, int height, const uint8_t* __restrict__ in, uint8_t* __restrict__ out) {
  const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y == 0 || y >= height - 1) return;
  int rows[3][6];
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const uint8_t* row = in + static_cast<size_t>(y + i - 1) * width;
    const uchar4 v = __ldg(reinterpret_cast<const uchar4*>(row + x));
    rows[i][0] = x > 0 ? __ldg(row + x - 1) : v.x;
    rows[i][1] = v.x;
    rows[i][2] = v.y;
    rows[i][3] = v.z;
    rows[i][4] = v.w;
    rows[i][5] = x + 4 < width ? __ldg(row + x + 4) : v.w;
  }
  uint8_t result[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const int gx = rows[0][j + 2] - rows[0][j] + 2 * (rows[1][j + 2] - rows[1][j]) + rows[2][j + 2] - rows[2][j];
    const int gy = rows[2][j] + 2 * rows[2][j + 1] + rows[2][j + 2] - rows[0][j] - 2 * rows[0][j + 1] - rows[0][j + 2];
    result[j] = static_cast<uint8_t>(min(abs(gx) + abs(gy), 255));
  }
  *reinterpret_cast<uchar4*>(out + static_cast<size_t>(y) * width + x) =
      make_uchar4(result[0], result[1], result[2], result[3]);
}

// Bilinear change of size of images with four channels of bytes.
__global__ void __launch_bounds__(256)
    resize_bilinear(int in_width, int in_height, int width, int height, float scale_x, float scale_y,
                    const uchar4* __restrict__ in, uchar4* __restrict__ out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float from_x = fmaxf((x + 0.5f) * scale_x - 0.5f, 0.0f), from_y = fmaxf((y + 0.5f) * scale_y - 0.5f, 0.0f);
  const int x0 = static_cast<int>(from_x), y0 = static_cast<int>(from_y);
  const int x1 = min(x0 + 1, in_width - 1), y1 = min(y0 + 1, in_height - 1);
  const float u = from_x - x0, v = from_y - y0;
  const uchar4* image = in + static_cast<size_t>(blockIdx.z) * in_width * in_height;
  const uchar4 a = image[y0 * in_width + x0], b = image[y0 * in_width + x1];
  const uchar4 c = image[y1 * in_width + x0], d = image[y1 * in_width + x1];
  auto mix = [&](float p, float q, float r, float s) {
    const float top = p + u * (q - p), bottom = r + u * (s - r);
    return static_cast<unsigned char>(top + v * (bottom - top) + 0.5f);
  };
  out[(static_cast<size_t>(blockIdx.z) * height + y) * width + x] =
      make_uchar4(mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y), mix(a.z, b.z, c.z, d.z), mix(a.w, b.w, c.w, d.w));
}

// Motion search: a group per block of 16 x 16 pixels; each thread tries places of a window in shared memory with
// __vabsdiffu4 and __dp4a; the best by shuffles.
__global__ void __launch_bounds__(256)
    motion_search(int width, int height, const uint32_t* __restrict__ current, const uint32_t* __restrict__ reference,
                  int2* __restrict__ vectors) {
  constexpr int kRange = 16, kRows = 16 + 2 * kRange, kWords = kRows / 4;
  __shared__ uint32_t block[16][4];
  __shared__ uint32_t window[kRows][kWords + 1];
  __shared__ uint32_t of_warps[8];
  const int words = width / 4, word0 = blockIdx.x * 4, row0 = blockIdx.y * 16;
  if (threadIdx.x < 64)
    block[threadIdx.x / 4][threadIdx.x % 4] =
        current[static_cast<size_t>(row0 + threadIdx.x / 4) * words + word0 + threadIdx.x % 4];
  for (int i = threadIdx.x; i < kRows * kWords; i += 256) {
    const int row = min(max(row0 + i / kWords - kRange, 0), height - 1);
    const int word = min(max(word0 + i % kWords - kRange / 4, 0), words - 1);
    window[i / kWords][i % kWords] = reference[static_cast<size_t>(row) * words + word];
  }
  __syncthreads();
  uint32_t best = 0xffffffffu;
  for (int place = threadIdx.x; place < 4 * kRange * kRange; place += 256) {
    const int dx = place % (2 * kRange), dy = place / (2 * kRange);
    const int shift = dx % 4 * 8, word = dx / 4;
    uint32_t difference = 0;
#pragma unroll 4
    for (int row = 0; row < 16; ++row) {
      uint32_t low = window[dy + row][word];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const uint32_t high = window[dy + row][word + i + 1];
        difference = __dp4a(__vabsdiffu4(__funnelshift_r(low, high, shift), block[row][i]), 0x01010101u, difference);
        low = high;
      }
    }
    best = min(best, difference << 10 | place);
  }
  best = __reduce_min_sync(0xffffffffu, best);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll
    for (int i = 1; i < 8; ++i) best = min(best, of_warps[i]);
    const int place = best & 1023;
    vectors[blockIdx.y * gridDim.x + blockIdx.x] = make_int2(place % 32 - kRange, place / 32 - kRange);
  }
}

// NV12 to RGB: two by two pixels per thread share a pair of colour differences.
__global__ void __launch_bounds__(256) nv12_to_rgb(int width, int height, int pitch, const uint8_t* __restrict__ luma,
                                                   const uint8_t* __restrict__ chroma, uint8_t* __restrict__ out) {
  const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 2, y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
  if (x >= width || y >= height) return;
  const uchar2 uv = *reinterpret_cast<const uchar2*>(chroma + static_cast<size_t>(y / 2) * pitch + x);
  const float u = uv.x - 128.0f, v = uv.y - 128.0f;
  const float red = 1.402f * v, green = -0.344136f * u - 0.714136f * v, blue = 1.772f * u;
  auto byte = [](float c) { return static_cast<uint8_t>(__saturatef(c * (1.0f / 255.0f)) * 255.0f + 0.5f); };
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const uchar2 two = *reinterpret_cast<const uchar2*>(luma + static_cast<size_t>(y + i) * pitch + x);
    uint8_t* to = out + (static_cast<size_t>(y + i) * width + x) * 3;
    to[0] = byte(two.x + red);
    to[1] = byte(two.x + green);
    to[2] = byte(two.x + blue);
    to[3] = byte(two.y + red);
    to[4] = byte(two.y + green);
    to[5] = byte(two.y + blue);
  }
}

// Discrete cosine transform of blocks of 8 x 8, quantised: four blocks per group, two products in shared memory.
__global__ void __launch_bounds__(256)
    dct_quantise(int width, const float* __restrict__ in, const float* __restrict__ table, short* __restrict__ out) {
  __shared__ float pixels[4][8][9], half_done[4][8][9];
  const int block = threadIdx.x / 64, row = threadIdx.x % 64 / 8, col = threadIdx.x % 8;
  const size_t x = (blockIdx.x * 4 + block) * 8 + col, y = blockIdx.y * 8 + row;
  pixels[block][row][col] = in[y * width + x] - 128.0f;
  __syncthreads();
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += dct_matrix[row][i] * pixels[block][i][col];
  half_done[block][row][col] = sum;
  __syncthreads();
  sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += half_done[block][row][i] * dct_matrix[col][i];
  out[y * width + x] = static_cast<short>(__float2int_rn(sum / table[row * 8 + col]));
}
