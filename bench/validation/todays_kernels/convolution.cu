// Convolutions: direct, depthwise, as matrix products, by Winograd's transform, along time.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

__constant__ float filter_taps[32 * 9];

// 3 x 3 over one channel of each image: a tile with its border in shared memory, taps in constant memory.
__global__ void __launch_bounds__(256)
    conv3x3_shared(int width, int height, const float* __restrict__ in, float* __restrict__ out) {
  constexpr int kX = 32, kY = 8;
  __shared__ float tile[kY + 2][kX + 2];
  const int x0 = blockIdx.x * kX - 1, y0 = blockIdx.y * kY - 1;
  const size_t image = static_cast<size_t>(blockIdx.z) * width * height;
  for (int i = threadIdx.y * kX + threadIdx.x; i < (kX + 2) * (kY + 2); i += kX * kY) {
    const int x = x0 + i % (kX + 2), y = y0 + i / (kX + 2);
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    tile[i / (kX + 2)][i % (kX + 2)] = inside ? __ldg(&in[image + static_cast<size_t>(y) * width + x]) : 0.0f;
  }
  __syncthreads();
  const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) sum = fmaf(filter_taps[i * 3 + j], tile[threadIdx.y + i][threadIdx.x + j], sum);
  out[image + static_cast<size_t>(y) * width + x] = sum;
}

// Depthwise, channels last, kSize x kSize: a thread makes four neighbours in x of two channels.
template <int kSize, int kStride>
__global__ void __launch_bounds__(256)
    conv_depthwise(int channels, int width, int height, int out_width, int out_height, const half2* __restrict__ in,
                   const half2* __restrict__ weights, half2* __restrict__ out) {
  constexpr int kOutputs = 4, kPad = kSize / 2;
  const int pairs = channels / 2;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int channel = thread % pairs;
  const int strips = (out_width + kOutputs - 1) / kOutputs;
  const int strip = thread / pairs % strips, y = thread / pairs / strips;
  if (y >= out_height) return;
  const size_t image = static_cast<size_t>(blockIdx.y) * width * height * pairs;
  float2 sums[kOutputs] = {};
#pragma unroll
  for (int i = 0; i < kSize; ++i) {
    const int from_y = y * kStride + i - kPad;
    if (from_y < 0 || from_y >= height) continue;
    float2 taps[kSize];
#pragma unroll
    for (int j = 0; j < kSize; ++j) taps[j] = __half22float2(weights[(i * kSize + j) * pairs + channel]);
#pragma unroll
    for (int j = 0; j < (kOutputs - 1) * kStride + kSize; ++j) {
      const int from_x = strip * kOutputs * kStride + j - kPad;
      if (from_x < 0 || from_x >= width) continue;
      const float2 v = __half22float2(in[image + (static_cast<size_t>(from_y) * width + from_x) * pairs + channel]);
#pragma unroll
      for (int o = 0; o < kOutputs; ++o) {
        const int tap = j - o * kStride;
        if (tap < 0 || tap >= kSize) continue;
        sums[o].x += v.x * taps[tap].x;
        sums[o].y += v.y * taps[tap].y;
      }
    }
  }
  const size_t to = (static_cast<size_t>(blockIdx.y) * out_height + y) * out_width;
#pragma unroll
  for (int o = 0; o < kOutputs; ++o) {
    const int x = strip * kOutputs + o;
    if (x < out_width) out[(to + x) * pairs + channel] = __float22half2_rn(sums[o]);
  }
}
template __global__ void conv_depthwise<3, 1>(int, int, int, int, int, const half2*, const half2*, half2*);
template __global__ void conv_depthwise<5, 2>(int, int, int, int, int, const half2*, const half2*, half2*);

// Lays the patches of an image out as columns of a matrix, a loop over all of its elements.
__global__ void im2col(int channels, int width, int height, int size, int stride, int pad, int out_width,
                       int out_height, const float* __restrict__ in, float* __restrict__ columns) {
  const int total = channels * out_width * out_height;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
    const int x = i % out_width, y = i / out_width % out_height, channel = i / out_width / out_height;
    const float* from = in + static_cast<size_t>(channel) * width * height;
    float* to = columns + (static_cast<size_t>(channel) * size * size * out_height + y) * out_width + x;
    for (int dy = 0; dy < size; ++dy)
      for (int dx = 0; dx < size; ++dx) {
        const int from_x = x * stride - pad + dx, from_y = y * stride - pad + dy;
        *to = from_x >= 0 && from_y >= 0 && from_x < width && from_y < height ? from[from_y * width + from_x] : 0.0f;
        to += out_width * out_height;
      }
  }
}

// 3 x 3 as a product of matrices whose left one is never stored: channels last, wmma, 64 pixels by 64 filters.
__global__ void __launch_bounds__(128)
    conv_implicit_gemm(int channels, int filters, int width, int height, const half* __restrict__ in,
                       const half* __restrict__ weights, float* __restrict__ out) {
  using namespace nvcuda;
  constexpr int kTile = 64, kStep = 32;
  __shared__ __align__(32) half pixels[kTile][kStep + 8];
  __shared__ __align__(32) half taps[kStep][kTile + 8];
  const int warp = threadIdx.x / 32;
  const int pixel0 = blockIdx.x * kTile, filter0 = blockIdx.y * kTile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) wmma::fill_fragment(sums[i], 0.0f);
  for (int tap = 0; tap < 9; ++tap) {
    const int dx = tap % 3 - 1, dy = tap / 3 - 1;
    for (int channel0 = 0; channel0 < channels; channel0 += kStep) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int chunk = i * 128 + threadIdx.x;
        const int pixel = pixel0 + chunk / 4, part = chunk % 4 * 8;
        const int x = pixel % width + dx, y = pixel / width % height + dy, image = pixel / width / height;
        uint4 v = make_uint4(0, 0, 0, 0);
        if (x >= 0 && x < width && y >= 0 && y < height)
          v = *reinterpret_cast<const uint4*>(
              &in[((static_cast<size_t>(image) * height + y) * width + x) * channels + channel0 + part]);
        *reinterpret_cast<uint4*>(&pixels[chunk / 4][part]) = v;
        const int row = chunk / 8, col = chunk % 8 * 8;
        *reinterpret_cast<uint4*>(&taps[row][col]) = *reinterpret_cast<const uint4*>(
            &weights[(static_cast<size_t>(tap) * channels + channel0 + row) * filters + filter0 + col]);
      }
      __syncthreads();
#pragma unroll
      for (int step = 0; step < kStep; step += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
        wmma::load_matrix_sync(left, &pixels[warp * 16][step], kStep + 8);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
          wmma::load_matrix_sync(right, &taps[step][i * 16], kTile + 8);
          wmma::mma_sync(sums[i], left, right, sums[i]);
        }
      }
      __syncthreads();
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    wmma::store_matrix_sync(&out[static_cast<size_t>(pixel0 + warp * 16) * filters + filter0 + i * 16], sums[i],
                            filters, wmma::mem_row_major);
}

// Winograd F(2 x 2, 3 x 3): the transform of the input, a 4 x 4 tile per thread.
__global__ void __launch_bounds__(128) winograd_input(int channels, int width, int height, int tiles_x, int tiles_y,
                                                      const float* __restrict__ in, float* __restrict__ out) {
  const int tile = blockIdx.x * 128 + threadIdx.x, channel = blockIdx.y;
  const int tiles = tiles_x * tiles_y;
  if (tile >= tiles) return;
  const int x0 = tile % tiles_x * 2 - 1, y0 = tile / tiles_x * 2 - 1;
  float d[4][4], t[4][4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int x = x0 + j, y = y0 + i;
      const bool inside = x >= 0 && x < width && y >= 0 && y < height;
      d[i][j] = inside ? in[(static_cast<size_t>(channel) * height + y) * width + x] : 0.0f;
    }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    t[0][j] = d[0][j] - d[2][j];
    t[1][j] = d[1][j] + d[2][j];
    t[2][j] = d[2][j] - d[1][j];
    t[3][j] = d[1][j] - d[3][j];
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float row[4] = {t[i][0] - t[i][2], t[i][1] + t[i][2], t[i][2] - t[i][1], t[i][1] - t[i][3]};
#pragma unroll
    for (int j = 0; j < 4; ++j) out[(static_cast<size_t>(i * 4 + j) * channels + channel) * tiles + tile] = row[j];
  }
}

// Causal convolution along time of four taps with a SiLU behind it, as state space models have it.
__global__ void __launch_bounds__(128)
    conv1d_causal_silu(int channels, int tokens, const float* __restrict__ in, const float* __restrict__ weights,
                       const float* __restrict__ bias, float* __restrict__ out) {
  constexpr int kTaps = 4, kPerThread = 8;
  const int channel = blockIdx.x * 128 + threadIdx.x;
  if (channel >= channels) return;
  const int first = blockIdx.y * kPerThread;
  const size_t sequence = static_cast<size_t>(blockIdx.z) * tokens;
  const float4 w = reinterpret_cast<const float4*>(weights)[channel];
  const float b = bias[channel];
  float window[kTaps];
#pragma unroll
  for (int i = 1; i < kTaps; ++i) {
    const int token = first - kTaps + i;
    window[i] = token >= 0 ? in[(sequence + token) * channels + channel] : 0.0f;
  }
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
#pragma unroll
    for (int j = 0; j + 1 < kTaps; ++j) window[j] = window[j + 1];
    window[kTaps - 1] = in[(sequence + first + i) * channels + channel];
    const float sum = b + w.x * window[0] + w.y * window[1] + w.z * window[2] + w.w * window[3];
    out[(sequence + first + i) * channels + channel] = __fdividef(sum, 1.0f + __expf(-sum));
  }
}
