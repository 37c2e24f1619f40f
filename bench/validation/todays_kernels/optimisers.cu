// Optimisers of training: fused updates, norms of gradients, moving averages.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace {

__device__ __forceinline__ void adam_step(float& p, float g, float& m, float& v, float rate, float beta1, float beta2,
                                          float epsilon, float decay, float correction1, float correction2) {
  m = beta1 * m + (1.0f - beta1) * g;
  v = beta2 * v + (1.0f - beta2) * g * g;
  const float step = (m / correction1) / (sqrtf(v / correction2) + epsilon);
  p -= rate * (step + decay * p);
}

}  // namespace

// AdamW, fused: parameters, gradients and both moments in 16-byte accesses, and a copy of the parameters in bfloat16.
__global__ void __launch_bounds__(256)
    adamw_fused(int64_t count, float rate, float beta1, float beta2, float epsilon, float decay, float correction1,
                float correction2, float4* __restrict__ parameters, const float4* __restrict__ gradients,
                float4* __restrict__ first, float4* __restrict__ second, uint2* __restrict__ copy) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count / 4; i += step) {
    float4 p = parameters[i], m = first[i], v = second[i];
    const float4 g = __ldcs(&gradients[i]);
    adam_step(p.x, g.x, m.x, v.x, rate, beta1, beta2, epsilon, decay, correction1, correction2);
    adam_step(p.y, g.y, m.y, v.y, rate, beta1, beta2, epsilon, decay, correction1, correction2);
    adam_step(p.z, g.z, m.z, v.z, rate, beta1, beta2, epsilon, decay, correction1, correction2);
    adam_step(p.w, g.w, m.w, v.w, rate, beta1, beta2, epsilon, decay, correction1, correction2);
    parameters[i] = p;
    first[i] = m;
    second[i] = v;
    const __nv_bfloat162 low = __floats2bfloat162_rn(p.x, p.y), high = __floats2bfloat162_rn(p.z, p.w);
    copy[i] = make_uint2(*reinterpret_cast<const unsigned*>(&low), *reinterpret_cast<const unsigned*>(&high));
  }
}

struct Tensors {
  static constexpr int kMost = 24;
  float* parameters[kMost];
  const float* gradients[kMost];
  float* momenta[kMost];
  int sizes[kMost];
};

// Momentum on many tensors in one launch: the y axis of the grid says which.
__global__ void __launch_bounds__(512)
    sgd_multi_tensor(const __grid_constant__ Tensors tensors, float rate, float momentum, float decay, bool nesterov) {
  const int which = blockIdx.y;
  const int size = tensors.sizes[which];
  float* p = tensors.parameters[which];
  const float* g = tensors.gradients[which];
  float* m = tensors.momenta[which];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    const float value = p[i];
    const float gradient = g[i] + decay * value;
    const float velocity = momentum * m[i] + gradient;
    m[i] = velocity;
    p[i] = value - rate * (nesterov ? gradient + momentum * velocity : velocity);
  }
}

// The sum of squares of all gradients: a group's part by shuffles, then one atomic in double precision.
__global__ void __launch_bounds__(512)
    gradient_norm(int64_t count, const __nv_bfloat162* __restrict__ gradients, double* __restrict__ total) {
  __shared__ float of_warps[16];
  float sum = 0.0f;
  const int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
#pragma unroll 4
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count / 2; i += step) {
    const float2 g = __bfloat1622float2(gradients[i]);
    sum = fmaf(g.x, g.x, fmaf(g.y, g.y, sum));
  }
#pragma unroll
  for (int step2 = 16; step2 > 0; step2 /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step2);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < 16 ? of_warps[threadIdx.x] : 0.0f;
#pragma unroll
    for (int step2 = 8; step2 > 0; step2 /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step2);
    if (threadIdx.x == 0) atomicAdd(total, static_cast<double>(sum));
  }
}

// Scales the gradients down where their norm is above the limit.
__global__ void __launch_bounds__(256)
    clip_gradients(int64_t count, float limit, const double* __restrict__ squares, float4* __restrict__ gradients) {
  const float scale = fminf(1.0f, limit / (sqrtf(static_cast<float>(*squares)) + 1e-6f));
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count / 4) return;
  float4 g = gradients[i];
  g.x *= scale;
  g.y *= scale;
  g.z *= scale;
  g.w *= scale;
  gradients[i] = g;
}

// Moving average of parameters, and the largest change of any of them.
__global__ void __launch_bounds__(256) moving_average(int count, float decay, const float* __restrict__ parameters,
                                                      float* __restrict__ average, unsigned* __restrict__ largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float change = 0.0f;
  if (i < count) {
    const float old = average[i];
    change = (1.0f - decay) * (parameters[i] - old);
    average[i] = old + change;
  }
  const unsigned most = __reduce_max_sync(0xffffffffu, __float_as_uint(fabsf(change)));
  if (threadIdx.x % 32 == 0) atomicMax(largest, most);
}
