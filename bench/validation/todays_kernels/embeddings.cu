// What stands around the layers of a language model: embeddings, positions, activations, losses.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// Rotary positions on queries or keys, in halves: a thread turns four pairs with a table of cosines and sines.
__global__ void __launch_bounds__(128) rotary(int heads, int head_size, const float* __restrict__ cosines,
                                              const float* __restrict__ sines, half* __restrict__ x) {
  const int token = blockIdx.x;
  const int half_size = head_size / 2, chunks = half_size / 4;
  for (int i = threadIdx.x; i < heads * chunks; i += blockDim.x) {
    const int head = i / chunks, at = i % chunks * 4;
    half* first = x + (static_cast<size_t>(token) * heads + head) * head_size + at;
    half* second = first + half_size;
    const float4 c = *reinterpret_cast<const float4*>(&cosines[token * half_size + at]);
    const float4 s = *reinterpret_cast<const float4*>(&sines[token * half_size + at]);
    uint2 a = *reinterpret_cast<const uint2*>(first), b = *reinterpret_cast<const uint2*>(second);
    half2* as = reinterpret_cast<half2*>(&a);
    half2* bs = reinterpret_cast<half2*>(&b);
    const float2 a0 = __half22float2(as[0]), a1 = __half22float2(as[1]);
    const float2 b0 = __half22float2(bs[0]), b1 = __half22float2(bs[1]);
    as[0] = __floats2half2_rn(a0.x * c.x - b0.x * s.x, a0.y * c.y - b0.y * s.y);
    as[1] = __floats2half2_rn(a1.x * c.z - b1.x * s.z, a1.y * c.w - b1.y * s.w);
    bs[0] = __floats2half2_rn(b0.x * c.x + a0.x * s.x, b0.y * c.y + a0.y * s.y);
    bs[1] = __floats2half2_rn(b1.x * c.z + a1.x * s.z, b1.y * c.w + a1.y * s.w);
    *reinterpret_cast<uint2*>(first) = a;
    *reinterpret_cast<uint2*>(second) = b;
  }
}

// Positions as sines and cosines, computed where they are needed.
__global__ void __launch_bounds__(256) sinusoidal_positions(int size, float log2_base, float* __restrict__ out) {
  const int token = blockIdx.x;
  for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
    const float angle = token * exp2f(-log2_base * (2.0f * i) / size);
    float s, c;
    sincosf(angle, &s, &c);
    reinterpret_cast<float2*>(out + static_cast<size_t>(token) * size)[i] = make_float2(s, c);
  }
}

// The activation of a feed-forward layer: silu(left) times right, both halves of a row.
__global__ void __launch_bounds__(256)
    silu_and_multiply(int size, const half* __restrict__ in, half* __restrict__ out) {
  const uint4* left = reinterpret_cast<const uint4*>(in + static_cast<size_t>(blockIdx.x) * 2 * size);
  const uint4* right = left + size / 8;
  uint4* to = reinterpret_cast<uint4*>(out + static_cast<size_t>(blockIdx.x) * size);
  for (int i = threadIdx.x; i < size / 8; i += blockDim.x) {
    uint4 g = __ldg(&left[i]);
    const uint4 u = __ldg(&right[i]);
    half2* gs = reinterpret_cast<half2*>(&g);
    const half2* us = reinterpret_cast<const half2*>(&u);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float2 a = __half22float2(gs[j]), b = __half22float2(us[j]);
      gs[j] = __floats2half2_rn(__fdividef(a.x, 1.0f + __expf(-a.x)) * b.x, __fdividef(a.y, 1.0f + __expf(-a.y)) * b.y);
    }
    to[i] = g;
  }
}

// Bias and GELU (with erf), in place, two halves per thread in a loop over the whole matrix.
__global__ void __launch_bounds__(256)
    bias_gelu(long long pairs, int cols, const half2* __restrict__ bias, half2* __restrict__ x) {
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < pairs; i += step) {
    const float2 b = __half22float2(bias[i % (cols / 2)]);
    float2 v = __half22float2(x[i]);
    v.x += b.x;
    v.y += b.y;
    v.x = 0.5f * v.x * (1.0f + erff(v.x * 0.70710678f));
    v.y = 0.5f * v.y * (1.0f + erff(v.y * 0.70710678f));
    x[i] = __floats2half2_rn(v.x, v.y);
  }
}

// Rows of a table by the number of each token, with 16-byte loads.
__global__ void __launch_bounds__(128)
    gather_rows(int size, const int* __restrict__ tokens, const half* __restrict__ table, half* __restrict__ out) {
  const int token = __ldg(&tokens[blockIdx.x]);
  const uint4* from = reinterpret_cast<const uint4*>(table + static_cast<size_t>(token) * size);
  uint4* to = reinterpret_cast<uint4*>(out + static_cast<size_t>(blockIdx.x) * size);
  for (int i = threadIdx.x; i < size / 8; i += blockDim.x) to[i] = __ldg(&from[i]);
}

// Gradient of a table: rows are added where their tokens point to; the padding token is left out.
__global__ void __launch_bounds__(128)
    scatter_add_rows(int size, int padding, const int* __restrict__ tokens, const float* __restrict__ grad,
                     float* __restrict__ table_grad) {
  const int token = __ldg(&tokens[blockIdx.x]);
  if (token == padding) return;
  for (int i = threadIdx.x; i < size; i += blockDim.x)
    atomicAdd(&table_grad[static_cast<size_t>(token) * size + i], grad[static_cast<size_t>(blockIdx.x) * size + i]);
}

// Cross entropy with its gradient: a group per token, two passes over its logits; some labels are to be ignored.
__global__ void __launch_bounds__(512)
    cross_entropy(int classes, int ignored, const float* __restrict__ logits, const int* __restrict__ labels,
                  float* __restrict__ losses, float* __restrict__ grad) {
  __shared__ float of_warps[16];
  __shared__ float shared_sum;
  const int label = labels[blockIdx.x];
  const float* from = logits + static_cast<size_t>(blockIdx.x) * classes;
  float* to = grad + static_cast<size_t>(blockIdx.x) * classes;
  if (label == ignored) {
    for (int i = threadIdx.x; i < classes; i += 512) to[i] = 0.0f;
    if (threadIdx.x == 0) losses[blockIdx.x] = 0.0f;
    return;
  }
  float most = -1e30f, sum = 0.0f;
  for (int i = threadIdx.x; i < classes; i += 512) {
    const float v = from[i], new_most = fmaxf(most, v);
    sum = sum * __expf(most - new_most) + __expf(v - new_most);
    most = new_most;
  }
  float all = most;
#pragma unroll
  for (int step = 16; step > 0; step /= 2) all = fmaxf(all, __shfl_xor_sync(0xffffffffu, all, step));
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = all;
  __syncthreads();
  all = of_warps[threadIdx.x % 16];
#pragma unroll
  for (int step = 8; step > 0; step /= 2) all = fmaxf(all, __shfl_xor_sync(0xffffffffu, all, step));
  sum *= __expf(most - all);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  __syncthreads();
  if (threadIdx.x == 0) shared_sum = 0.0f;
  __syncthreads();
  if (threadIdx.x % 32 == 0) atomicAdd(&shared_sum, sum);
  __syncthreads();
  const float inverse = 1.0f / shared_sum;
  for (int i = threadIdx.x; i < classes; i += 512) to[i] = __expf(from[i] - all) * inverse - (i == label ? 1.0f : 0.0f);
  if (threadIdx.x == 0) losses[blockIdx.x] = __logf(shared_sum) + all - from[label];
}
