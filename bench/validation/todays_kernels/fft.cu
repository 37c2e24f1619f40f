// Fourier transforms of many short rows, in registers and shared memory.
#include <cuda_runtime.h>

namespace {

__device__ __forceinline__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 operator*(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ __forceinline__ float2 times_minus_i(float2 a) { return make_float2(a.y, -a.x); }

__device__ __forceinline__ float2 twiddle(int i, int n) {
  float s, c;
  __sincosf(-6.283185307f * i / n, &s, &c);
  return make_float2(c, s);
}

__device__ __forceinline__ void fft4(float2& a, float2& b, float2& c, float2& d) {
  const float2 s = a + c, t = a - c, u = b + d, v = times_minus_i(b - d);
  a = s + u;
  b = t + v;
  c = s - u;
  d = t - v;
}

__device__ __forceinline__ void fft8(float2 (&v)[8]) {
  constexpr float kHalfRoot = 0.70710678f;
  fft4(v[0], v[2], v[4], v[6]);
  fft4(v[1], v[3], v[5], v[7]);
  v[3] = v[3] * make_float2(kHalfRoot, -kHalfRoot);
  v[5] = times_minus_i(v[5]);
  v[7] = v[7] * make_float2(-kHalfRoot, -kHalfRoot);
  const float2 even[4] = {v[0], v[2], v[4], v[6]};
  const float2 odd[4] = {v[1], v[3], v[5], v[7]};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    v[i] = even[i] + odd[i];
    v[i + 4] = even[i] - odd[i];
  }
}

}  // namespace

// Radix 2 (Stockham), 1024 points per group of 512 threads, twiddles from a table.
__global__ void __launch_bounds__(512)
    fft_radix2_1024(const float2* __restrict__ in, const float2* __restrict__ twiddles, float2* __restrict__ out) {
  constexpr int kN = 1024;
  __shared__ float2 buffer[2][kN];
  const float2* from = in + static_cast<size_t>(blockIdx.x) * kN;
  float2* to = out + static_cast<size_t>(blockIdx.x) * kN;
  const int i = threadIdx.x;
  buffer[0][i] = from[i];
  buffer[0][i + kN / 2] = from[i + kN / 2];
  __syncthreads();
  int now = 0;
#pragma unroll
  for (int width = 1; width < kN; width *= 2) {
    const int k = i & (width - 1);
    const float2 a = buffer[now][i];
    const float2 b = buffer[now][i + kN / 2] * twiddles[k * (kN / 2 / width)];
    const int at = 2 * i - k;
    buffer[now ^ 1][at] = a + b;
    buffer[now ^ 1][at + width] = a - b;
    now ^= 1;
    __syncthreads();
  }
  to[i] = buffer[now][i];
  to[i + kN / 2] = buffer[now][i + kN / 2];
}

// Radix 4, 4096 points per group of 256 threads, four points of four butterflies per thread.
__global__ void __launch_bounds__(256) fft_radix4_4096(const float2* __restrict__ in, float2* __restrict__ out) {
  constexpr int kN = 4096, kQuarter = kN / 4;
  extern __shared__ float2 buffer[];
  const float2* from = in + static_cast<size_t>(blockIdx.x) * kN;
  float2* to = out + static_cast<size_t>(blockIdx.x) * kN;
#pragma unroll
  for (int i = 0; i < kN; i += 256) buffer[i + threadIdx.x] = from[i + threadIdx.x];
  __syncthreads();
  for (int width = 1; width < kN; width *= 4) {
    float2 v[4][4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int i = j * 256 + threadIdx.x;
      const float2 w = twiddle(i & (width - 1), width * 4);
      const float2 w2 = w * w;
      v[j][0] = buffer[i];
      v[j][1] = buffer[i + kQuarter] * w;
      v[j][2] = buffer[i + 2 * kQuarter] * w2;
      v[j][3] = buffer[i + 3 * kQuarter] * (w2 * w);
      fft4(v[j][0], v[j][1], v[j][2], v[j][3]);
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int i = j * 256 + threadIdx.x, k = i & (width - 1);
      const int at = (i - k) * 4 + k;
#pragma unroll
      for (int part = 0; part < 4; ++part) buffer[at + part * width] = v[j][part];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kN; i += 256) to[i + threadIdx.x] = buffer[i + threadIdx.x];
}

// Radix 8 in registers, 512 points per 64 threads, three rounds with two exchanges through padded shared memory.
__global__ void __launch_bounds__(64) fft_radix8_512(const float2* __restrict__ in, float2* __restrict__ out) {
  __shared__ float2 buffer[512 + 64];
  const float2* from = in + static_cast<size_t>(blockIdx.x) * 512;
  float2* to = out + static_cast<size_t>(blockIdx.x) * 512;
  const int thread = threadIdx.x;
  auto padded = [](int i) { return i + i / 8; };
  float2 v[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = from[i * 64 + thread];
  fft8(v);
#pragma unroll
  for (int i = 0; i < 8; ++i) buffer[padded(thread * 8 + i)] = v[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = buffer[padded(i * 64 + thread)] * twiddle(i * (thread % 8), 64);
  __syncthreads();
  fft8(v);
#pragma unroll
  for (int i = 0; i < 8; ++i) buffer[padded(thread / 8 * 64 + i * 8 + thread % 8)] = v[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = buffer[padded(i * 64 + thread)] * twiddle(i * thread, 512);
  fft8(v);
#pragma unroll
  for (int i = 0; i < 8; ++i) to[i * 64 + thread] = v[i];
}

// Between the two passes of a large transform: twiddles times a transpose, 32 x 32 complex numbers per group.
__global__ void __launch_bounds__(256)
    fft_twiddle_transpose(int rows, int cols, const float2* __restrict__ in, float2* __restrict__ out) {
  __shared__ float2 tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
  const float step = -6.283185307f / (static_cast<float>(rows) * cols);
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8) {
    float s, c;
    __sincosf(step * (static_cast<float>(y0 + j) * x), &s, &c);
    tile[j][threadIdx.x] = in[static_cast<size_t>(y0 + j) * cols + x] * make_float2(c, s);
  }
  __syncthreads();
#pragma unroll
  for (int j = threadIdx.y; j < 32; j += 8)
    out[static_cast<size_t>(blockIdx.x * 32 + j) * rows + y0 + threadIdx.x] = tile[threadIdx.x][j];
}
