// Normalisations over rows, channels and groups of channels.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

namespace {

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) v += __shfl_xor_sync(0xffffffffu, v, step);
  return v;
}

// The sum over a group of kThreads, in all of its threads.
template <int kThreads>
__device__ __forceinline__ float group_sum(float v) {
  constexpr int kWarps = kThreads / 32;
  __shared__ float of_warps[kWarps];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < kWarps ? of_warps[threadIdx.x % 32] : 0.0f;
  __syncthreads();
  return warp_sum(v);
}

}  // namespace

// Layer normalisation of rows of kCols floats, a warp per row, the row in registers.
template <int kCols>
__global__ void __launch_bounds__(256)
    layer_norm_warp(int rows, float epsilon, const float* __restrict__ in, const float* __restrict__ gamma,
                    const float* __restrict__ beta, float* __restrict__ out) {
  constexpr int kLoads = kCols / 128;
  const int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float4* from = reinterpret_cast<const float4*>(in + static_cast<size_t>(row) * kCols);
  float4 v[kLoads];
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    v[i] = from[i * 32 + lane];
    sum += v[i].x + v[i].y + v[i].z + v[i].w;
  }
  const float mean = warp_sum(sum) * (1.0f / kCols);
  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    v[i].x -= mean;
    v[i].y -= mean;
    v[i].z -= mean;
    v[i].w -= mean;
    squares += v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z + v[i].w * v[i].w;
  }
  const float scale = rsqrtf(warp_sum(squares) * (1.0f / kCols) + epsilon);
  float4* to = reinterpret_cast<float4*>(out + static_cast<size_t>(row) * kCols);
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    const float4 g = __ldg(reinterpret_cast<const float4*>(gamma) + i * 32 + lane);
    const float4 b = __ldg(reinterpret_cast<const float4*>(beta) + i * 32 + lane);
    to[i * 32 + lane] = make_float4(v[i].x * scale * g.x + b.x, v[i].y * scale * g.y + b.y, v[i].z * scale * g.z + b.z,
                                    v[i].w * scale * g.w + b.w);
  }
}
template __global__ void layer_norm_warp<1024>(int, float, const float*, const float*, const float*, float*);

// Root-mean-square normalisation in bfloat16 with the residual added first, a group per row, 16-byte loads.
__global__ void __launch_bounds__(256)
    rms_norm_residual(int cols, float epsilon, const __nv_bfloat16* __restrict__ in,
                      __nv_bfloat16* __restrict__ residual, const __nv_bfloat16* __restrict__ weight,
                      __nv_bfloat16* __restrict__ out) {
  extern __shared__ uint4 row_chunks[];
  const size_t row = static_cast<size_t>(blockIdx.x) * cols;
  const int chunks = cols / 8;
  float squares = 0.0f;
  for (int i = threadIdx.x; i < chunks; i += 256) {
    uint4 x = reinterpret_cast<const uint4*>(in + row)[i];
    const uint4 r = reinterpret_cast<const uint4*>(residual + row)[i];
    __nv_bfloat162* xs = reinterpret_cast<__nv_bfloat162*>(&x);
    const __nv_bfloat162* rs = reinterpret_cast<const __nv_bfloat162*>(&r);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float2 a = __bfloat1622float2(xs[j]), b = __bfloat1622float2(rs[j]);
      const float2 s = make_float2(a.x + b.x, a.y + b.y);
      squares += s.x * s.x + s.y * s.y;
      xs[j] = __float22bfloat162_rn(s);
    }
    reinterpret_cast<uint4*>(residual + row)[i] = x;
    row_chunks[i] = x;
  }
  const float scale = rsqrtf(group_sum<256>(squares) / cols + epsilon);
  for (int i = threadIdx.x; i < chunks; i += 256) {
    uint4 x = row_chunks[i];
    const uint4 w = __ldg(reinterpret_cast<const uint4*>(weight) + i);
    __nv_bfloat162* xs = reinterpret_cast<__nv_bfloat162*>(&x);
    const __nv_bfloat162* ws = reinterpret_cast<const __nv_bfloat162*>(&w);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float2 a = __bfloat1622float2(xs[j]), b = __bfloat1622float2(ws[j]);
      xs[j] = __float22bfloat162_rn(make_float2(a.x * scale * b.x, a.y * scale * b.y));
    }
    reinterpret_cast<uint4*>(out + row)[i] = x;
  }
}

// Softmax of rows, a group per row: most and sum in one pass (online), then the second pass writes.
__global__ void __launch_bounds__(256) softmax_online(int cols, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float most_of_warps[8], sum_of_warps[8];
  const float* from = in + static_cast<size_t>(blockIdx.x) * cols;
  float* to = out + static_cast<size_t>(blockIdx.x) * cols;
  float most = -1e30f, sum = 0.0f;
  for (int i = threadIdx.x; i < cols; i += 256) {
    const float v = from[i];
    const float new_most = fmaxf(most, v);
    sum = sum * __expf(most - new_most) + __expf(v - new_most);
    most = new_most;
  }
  const float warp_most = [&] {
    float v = most;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, step));
    return v;
  }();
  sum = warp_sum(sum * __expf(most - warp_most));
  if (threadIdx.x % 32 == 0) {
    most_of_warps[threadIdx.x / 32] = warp_most;
    sum_of_warps[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  most = most_of_warps[0];
#pragma unroll
  for (int i = 1; i < 8; ++i) most = fmaxf(most, most_of_warps[i]);
  sum = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += sum_of_warps[i] * __expf(most_of_warps[i] - most);
  const float inverse = 1.0f / sum;
  for (int i = threadIdx.x; i < cols; i += 256) to[i] = __expf(from[i] - most) * inverse;
}

// Softmax of short rows with a mask of the triangle above: a warp per row of kCols scores, all in registers.
template <int kCols>
__global__ void __launch_bounds__(128)
    softmax_causal_warp(int rows, int queries, float scale, const __nv_bfloat16* __restrict__ in,
                        __nv_bfloat16* __restrict__ out) {
  constexpr int kEach = kCols / 32;
  const int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int query = row % queries;
  float v[kEach];
  float most = -1e30f;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int key = i * 32 + lane;
    v[i] = key <= query ? __bfloat162float(in[static_cast<size_t>(row) * kCols + key]) * scale : -1e30f;
    most = fmaxf(most, v[i]);
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, step));
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    v[i] = __expf(v[i] - most);
    sum += v[i];
  }
  const float inverse = 1.0f / warp_sum(sum);
#pragma unroll
  for (int i = 0; i < kEach; ++i)
    out[static_cast<size_t>(row) * kCols + i * 32 + lane] = __float2bfloat16(v[i] * inverse);
}
template __global__ void softmax_causal_warp<512>(int, int, float, const __nv_bfloat16*, __nv_bfloat16*);

// Batch normalisation: mean and inverse deviation of each channel, a group per channel, Welford's sums put together.
__global__ void __launch_bounds__(512)
    batch_norm_statistics(int images, int channels, int pixels, float epsilon, const float* __restrict__ in,
                          float* __restrict__ mean_out, float* __restrict__ inverse_out) {
  __shared__ float means[16], m2s[16], counts[16];
  const int channel = blockIdx.x;
  float mean = 0.0f, m2 = 0.0f, count = 0.0f;
  for (int image = threadIdx.y; image < images; image += blockDim.y) {
    const float* from = in + (static_cast<size_t>(image) * channels + channel) * pixels;
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
      const float v = from[i], d = v - mean;
      count += 1.0f;
      mean += d / count;
      m2 += d * (v - mean);
    }
  }
  auto put_together = [&](float other_mean, float other_m2, float other_count) {
    const float all = fmaxf(count + other_count, 1.0f), d = other_mean - mean;
    mean += d * other_count / all;
    m2 += other_m2 + d * d * count * other_count / all;
    count += other_count;
  };
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    put_together(__shfl_xor_sync(0xffffffffu, mean, step), __shfl_xor_sync(0xffffffffu, m2, step),
                 __shfl_xor_sync(0xffffffffu, count, step));
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (thread % 32 == 0) {
    means[thread / 32] = mean;
    m2s[thread / 32] = m2;
    counts[thread / 32] = count;
  }
  __syncthreads();
  if (thread < 32) {
    mean = thread < 16 ? means[thread] : 0.0f;
    m2 = thread < 16 ? m2s[thread] : 0.0f;
    count = thread < 16 ? counts[thread] : 0.0f;
#pragma unroll
    for (int step = 8; step > 0; step /= 2)
      put_together(__shfl_xor_sync(0xffffffffu, mean, step), __shfl_xor_sync(0xffffffffu, m2, step),
                   __shfl_xor_sync(0xffffffffu, count, step));
    if (thread == 0) {
      mean_out[channel] = mean;
      inverse_out[channel] = rsqrtf(m2 / count + epsilon);
    }
  }
}

// Group normalisation, channels last: sums by cooperative groups, then a second pass writes.
__global__ void __launch_bounds__(256)
    group_norm(int channels, int groups, int pixels, float epsilon, const float* __restrict__ in,
               const float* __restrict__ gamma, const float* __restrict__ beta, float* __restrict__ out) {
  __shared__ float2 of_warps[8];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int per_group = channels / groups;
  const int group = blockIdx.x, image = blockIdx.y;
  const size_t base = static_cast<size_t>(image) * pixels * channels + group * per_group;
  const int total = pixels * per_group;
  float sum = 0.0f, squares = 0.0f;
  for (int i = block.thread_rank(); i < total; i += block.size()) {
    const float v = in[base + static_cast<size_t>(i / per_group) * channels + i % per_group];
    sum += v;
    squares += v * v;
  }
  sum = cg::reduce(warp, sum, cg::plus<float>());
  squares = cg::reduce(warp, squares, cg::plus<float>());
  if (warp.thread_rank() == 0) of_warps[warp.meta_group_rank()] = make_float2(sum, squares);
  block.sync();
  sum = squares = 0.0f;
  for (int i = 0; i < warp.meta_group_size(); ++i) {
    sum += of_warps[i].x;
    squares += of_warps[i].y;
  }
  const float mean = sum / total;
  const float scale = rsqrtf(squares / total - mean * mean + epsilon);
  for (int i = block.thread_rank(); i < total; i += block.size()) {
    const int channel = i % per_group;
    const size_t at = base + static_cast<size_t>(i / per_group) * channels + channel;
    out[at] = (in[at] - mean) * scale * gamma[group * per_group + channel] + beta[group * per_group + channel];
  }
}

// Backward of layer normalisation to its input, a group per row.
__global__ void __launch_bounds__(256)
    layer_norm_backward(int cols, const float* __restrict__ grad, const float* __restrict__ in,
                        const float* __restrict__ gamma, const float* __restrict__ means,
                        const float* __restrict__ inverses, float* __restrict__ grad_in) {
  const size_t row = static_cast<size_t>(blockIdx.x) * cols;
  const float mean = means[blockIdx.x], inverse = inverses[blockIdx.x];
  float sum = 0.0f, product = 0.0f;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    const float g = grad[row + i] * gamma[i];
    sum += g;
    product += g * (in[row + i] - mean) * inverse;
  }
  sum = group_sum<256>(sum) / cols;
  __syncthreads();
  product = group_sum<256>(product) / cols;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    const float x = (in[row + i] - mean) * inverse;
    grad_in[row + i] = inverse * (grad[row + i] * gamma[i] - sum - x * product);
  }
}
