// Products of quantised matrices, and the steps before and behind them.
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace {

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}

__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, step));
  return v;
}

}  // namespace

// C = A B^T of 8-bit numbers by dp4a, 64 x 64 per group, 4 x 4 per thread, words of four k in shared memory.
__global__ void __launch_bounds__(256)
    gemm_dp4a(int n, int k, const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ c) {
  constexpr int kTile = 64, kWords = 8;
  __shared__ int tile_a[kWords][kTile + 1], tile_b[kWords][kTile + 1];
  const int words = k / 4;
  const int row = threadIdx.x / 16, col = threadIdx.x % 16;
  const int* from_a = a + static_cast<size_t>(blockIdx.y) * kTile * words;
  const int* from_b = b + static_cast<size_t>(blockIdx.x) * kTile * words;
  int sums[4][4] = {};
  for (int word0 = 0; word0 < words; word0 += kWords) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int at = i * 256 + threadIdx.x;
      tile_a[at % kWords][at / kWords] = from_a[static_cast<size_t>(at / kWords) * words + word0 + at % kWords];
      tile_b[at % kWords][at / kWords] = from_b[static_cast<size_t>(at / kWords) * words + word0 + at % kWords];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
      int left[4], right[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        left[j] = tile_a[i][j * 16 + row];
        right[j] = tile_b[i][j * 16 + col];
      }
#pragma unroll
      for (int y = 0; y < 4; ++y)
#pragma unroll
        for (int x = 0; x < 4; ++x) sums[y][x] = __dp4a(left[y], right[x], sums[y][x]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int y = 0; y < 4; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
      c[static_cast<size_t>(blockIdx.y * kTile + y * 16 + row) * n + blockIdx.x * kTile + x * 16 + col] = sums[y][x];
}

// C = A B^T of 8-bit numbers on tensor cores, scaled by row and column to halves; a warp makes 32 x 32, no shared
// memory.
__global__ void __launch_bounds__(128)
    gemm_mma_s8(int n, int k, const int8_t* __restrict__ a, const int8_t* __restrict__ b,
                const float* __restrict__ row_scales, const float* __restrict__ col_scales, half* __restrict__ c) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row0 = blockIdx.y * 64 + warp / 2 * 32, col0 = blockIdx.x * 64 + warp % 2 * 32;
  const int8_t* from_a = a + static_cast<size_t>(row0 + lane / 4) * k + lane % 4 * 4;
  const int8_t* from_b = b + static_cast<size_t>(col0 + lane / 4) * k + lane % 4 * 4;
  auto word = [](const int8_t* p) { return *reinterpret_cast<const int*>(p); };
  int sums[2][4][4] = {};
  for (int k0 = 0; k0 < k; k0 += 32) {
    int left[2][4], right[4][2];
#pragma unroll
    for (int y = 0; y < 2; ++y) {
      const int8_t* p = from_a + static_cast<size_t>(y) * 16 * k + k0;
      left[y][0] = word(p);
      left[y][1] = word(p + 8 * k);
      left[y][2] = word(p + 16);
      left[y][3] = word(p + 8 * k + 16);
    }
#pragma unroll
    for (int x = 0; x < 4; ++x) {
      const int8_t* p = from_b + static_cast<size_t>(x) * 8 * k + k0;
      right[x][0] = word(p);
      right[x][1] = word(p + 16);
    }
#pragma unroll
    for (int y = 0; y < 2; ++y)
#pragma unroll
      for (int x = 0; x < 4; ++x)
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+r"(sums[y][x][0]), "+r"(sums[y][x][1]), "+r"(sums[y][x][2]), "+r"(sums[y][x][3])
            : "r"(left[y][0]), "r"(left[y][1]), "r"(left[y][2]), "r"(left[y][3]), "r"(right[x][0]), "r"(right[x][1]));
  }
#pragma unroll
  for (int y = 0; y < 2; ++y)
#pragma unroll
    for (int x = 0; x < 4; ++x)
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int row = row0 + y * 16 + lane / 4 + i * 8, col = col0 + x * 8 + lane % 4 * 2;
        const float scale = row_scales[row];
        *reinterpret_cast<half2*>(&c[static_cast<size_t>(row) * n + col]) = __floats2half2_rn(
            sums[y][x][i * 2] * scale * col_scales[col], sums[y][x][i * 2 + 1] * scale * col_scales[col + 1]);
      }
}

// y = W x with weights of 4 bits, a scale and a zero per 128 of them: a warp per row, eight weights per word.
__global__ void __launch_bounds__(256)
    gemv_int4(int rows, int cols, const uint4* __restrict__ weights, const half* __restrict__ scales,
              const half* __restrict__ zeros, const half* __restrict__ x, half* __restrict__ y) {
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const int groups = cols / 128;
  const uint4* mine = weights + static_cast<size_t>(row) * (cols / 32);
  float sum = 0.0f;
  for (int i = lane; i < cols / 32; i += 32) {
    const uint4 packed = __ldcs(&mine[i]);
    const float scale = __half2float(scales[row * groups + i / 4]), zero = __half2float(zeros[row * groups + i / 4]);
    const unsigned words[4] = {packed.x, packed.y, packed.z, packed.w};
    float part = 0.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const uint4 eight = __ldg(reinterpret_cast<const uint4*>(x + i * 32 + j * 8));
      const half2* xs = reinterpret_cast<const half2*>(&eight);
#pragma unroll
      for (int l = 0; l < 4; ++l) {
        const float2 v = __half22float2(xs[l]);
        part += ((words[j] >> (l * 8) & 15) - zero) * v.x + ((words[j] >> (l * 8 + 4) & 15) - zero) * v.y;
      }
    }
    sum += part * scale;
  }
  sum = warp_sum(sum);
  if (lane == 0) y[row] = __float2half(sum);
}

// Unpacks weights of 4 bits to halves by the trick of bits within a half (lop3 and a subtraction).
__global__ void __launch_bounds__(256) dequantise_int4(int words, const unsigned* __restrict__ packed,
                                                       const half2* __restrict__ scales, uint4* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) return;
  const unsigned v = packed[i];
  const half2 scale = scales[i / 16];
  const half2 bias = __half2half2(__ushort_as_half(0x6408));  // 1032
  uint4 result;
  unsigned* to = reinterpret_cast<unsigned*>(&result);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    unsigned bits;
    asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(bits) : "r"(v >> (j * 4)), "n"(0x000f000f), "n"(0x64006400));
    const half2 h = __hmul2(__hsub2(*reinterpret_cast<half2*>(&bits), bias), scale);
    to[j] = *reinterpret_cast<const unsigned*>(&h);
  }
  out[i] = result;
}

// Quantises each row to 8-bit numbers by its largest magnitude, a group per row.
__global__ void __launch_bounds__(256)
    quantise_rows_int8(int cols, const half* __restrict__ in, char4* __restrict__ out, float* __restrict__ scales) {
  __shared__ float of_warps[8];
  const uint2* from = reinterpret_cast<const uint2*>(in + static_cast<size_t>(blockIdx.x) * cols);
  char4* to = out + static_cast<size_t>(blockIdx.x) * (cols / 4);
  float most = 0.0f;
  for (int i = threadIdx.x; i < cols / 4; i += 256) {
    const uint2 v = from[i];
    const half2 m =
        __hmax2(__habs2(*reinterpret_cast<const half2*>(&v.x)), __habs2(*reinterpret_cast<const half2*>(&v.y)));
    most = fmaxf(most, fmaxf(__low2float(m), __high2float(m)));
  }
  most = warp_max(most);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = most;
  __syncthreads();
  most = warp_max(of_warps[threadIdx.x % 8]);
  const float scale = 127.0f / fmaxf(most, 1e-8f);
  for (int i = threadIdx.x; i < cols / 4; i += 256) {
    const uint2 v = from[i];
    const float2 a = __half22float2(*reinterpret_cast<const half2*>(&v.x));
    const float2 b = __half22float2(*reinterpret_cast<const half2*>(&v.y));
    to[i] = make_char4(__float2int_rn(a.x * scale), __float2int_rn(a.y * scale), __float2int_rn(b.x * scale),
                       __float2int_rn(b.y * scale));
  }
  if (threadIdx.x == 0) scales[blockIdx.x] = most / 127.0f;
}

// Floats to 8-bit floats (e4m3) with one scale, sixteen per thread.
__global__ void __launch_bounds__(256)
    quantise_fp8(int chunks, const float* __restrict__ scale, const float4* __restrict__ in, uint4* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= chunks) return;
  const float factor = *scale;
  uint4 result;
  __nv_fp8x4_e4m3* to = reinterpret_cast<__nv_fp8x4_e4m3*>(&result);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    float4 v = in[i * 4 + j];
    v.x *= factor;
    v.y *= factor;
    v.z *= factor;
    v.w *= factor;
    to[j] = __nv_fp8x4_e4m3(v);
  }
  out[i] = result;
}
