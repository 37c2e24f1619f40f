// Sorting and choosing: bitonic networks, radix passes, merges, top-k.
#include <cuda_runtime.h>

// Sorts each run of 2048 keys in shared memory by a bitonic network, two keys per thread, no branch on keys.
__global__ void __launch_bounds__(1024) bitonic_sort_shared(int* __restrict__ keys) {
  constexpr int kKeys = 2048;
  __shared__ int run[kKeys];
  int* mine = keys + static_cast<size_t>(blockIdx.x) * kKeys;
  run[threadIdx.x] = mine[threadIdx.x];
  run[threadIdx.x + 1024] = mine[threadIdx.x + 1024];
  for (int size = 2; size <= kKeys; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int low = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const bool up = (low & size) == 0;
      const int a = run[low], b = run[low + stride];
      run[low] = up ? min(a, b) : max(a, b);
      run[low + stride] = up ? max(a, b) : min(a, b);
    }
  }
  __syncthreads();
  mine[threadIdx.x] = run[threadIdx.x];
  mine[threadIdx.x + 1024] = run[threadIdx.x + 1024];
}

// One step of the bitonic network over runs that are longer than shared memory.
__global__ void __launch_bounds__(256) bitonic_merge_global(unsigned count, unsigned size, unsigned stride,
                                                            const uint2* __restrict__ in, uint2* __restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count / 2) return;
  const unsigned low = 2 * i - (i & (stride - 1));
  const bool up = (low & size) == 0;
  const uint2 a = in[low], b = in[low + stride];
  const bool swap = (a.x > b.x) == up;
  out[low] = swap ? b : a;
  out[low + stride] = swap ? a : b;
}

// Each lane of a warp keeps sorted what it has: warps sort 32 keys by shuffles and write them back.
__global__ void __launch_bounds__(256) warp_sort(int n, float* __restrict__ keys) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  float key = i < n ? keys[i] : __int_as_float(0x7f800000);
#pragma unroll
  for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const float other = __shfl_xor_sync(0xffffffffu, key, stride);
      const bool keep_min = ((lane & stride) == 0) == ((lane & size) == 0);
      key = keep_min ? fminf(key, other) : fmaxf(key, other);
    }
  }
  if (i < n) keys[i] = key;
}

// The first step of a radix pass: how often each of 256 digits occurs in a group's part, counted in shared memory.
__global__ void __launch_bounds__(256)
    radix_histogram(int n, int shift, const unsigned* __restrict__ keys, unsigned* __restrict__ counts) {
  constexpr int kPerThread = 16;
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const int first = blockIdx.x * 256 * kPerThread;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int at = first + i * 256 + threadIdx.x;
    if (at < n) atomicAdd(&bins[keys[at] >> shift & 255], 1u);
  }
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// The last step: ranks within a warp by votes over the bits of digits, then keys and values go to their places.
__global__ void __launch_bounds__(256)
    radix_scatter(int n, int shift, const unsigned* __restrict__ keys, const unsigned* __restrict__ values,
                  const unsigned* __restrict__ offsets, unsigned* __restrict__ keys_out,
                  unsigned* __restrict__ values_out) {
  constexpr int kPerThread = 16, kWarps = 8;
  __shared__ unsigned next[kWarps][256];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int i = lane; i < 256; i += 32) next[warp][i] = 0;
  __syncwarp();
  const int first = (blockIdx.x * kWarps + warp) * 32 * kPerThread;
  unsigned key[kPerThread], rank[kPerThread];
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int at = first + i * 32 + lane;
    key[i] = at < n ? keys[at] : 0xffffffffu;
    const unsigned digit = key[i] >> shift & 255;
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int bit = 0; bit < 8; ++bit) {
      const bool set = digit >> bit & 1;
      const unsigned ballot = __ballot_sync(0xffffffffu, set);
      same &= set ? ballot : ~ballot;
    }
    const unsigned before = __popc(same & ((1u << lane) - 1));
    rank[i] = next[warp][digit] + before;
    __syncwarp();
    if (before == 0) next[warp][digit] += __popc(same);
    __syncwarp();
  }
  __syncthreads();
  {
    unsigned sum = offsets[threadIdx.x * gridDim.x + blockIdx.x];
#pragma unroll
    for (int i = 0; i < kWarps; ++i) {
      const unsigned count = next[i][threadIdx.x];
      next[i][threadIdx.x] = sum;
      sum += count;
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    const int at = first + i * 32 + lane;
    if (at >= n) continue;
    const unsigned to = next[warp][key[i] >> shift & 255] + rank[i];
    keys_out[to] = key[i];
    values_out[to] = values[at];
  }
}

// Merges two sorted runs: each thread finds its part by a binary search along its diagonal, then merges eight keys.
__global__ void __launch_bounds__(256)
    merge_path(int count_a, int count_b, const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ out) {
  constexpr int kPerThread = 8;
  const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * kPerThread;
  if (diagonal >= count_a + count_b) return;
  int low = max(0, diagonal - count_b), high = min(diagonal, count_a);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  int i = low, j = diagonal - low;
  for (int k = 0; k < kPerThread && diagonal + k < count_a + count_b; ++k) {
    const bool from_a = j >= count_b || (i < count_a && a[i] <= b[j]);
    out[diagonal + k] = from_a ? a[i++] : b[j++];
  }
}

// The k largest of each row by radix selection: four rounds of a histogram of eight bits, then those above are kept.
__global__ void __launch_bounds__(512) top_k_radix_select(int cols, int k, const float* __restrict__ in,
                                                          float* __restrict__ values, int* __restrict__ indices) {
  __shared__ unsigned bins[256];
  __shared__ unsigned chosen, left;
  __shared__ int kept, equal;
  const float* from = in + static_cast<size_t>(blockIdx.x) * cols;
  auto ordered = [](float v) {
    const unsigned bits = __float_as_uint(v);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  };
  unsigned prefix = 0;
  int want = k;
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (threadIdx.x < 256) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += 512) {
      const unsigned key = ordered(from[i]);
      if (shift == 24 || key >> (shift + 8) == prefix) atomicAdd(&bins[key >> shift & 255], 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int bin = 255, above = 0;
      while (above + static_cast<int>(bins[bin]) < want) above += bins[bin--];
      chosen = bin;
      left = want - above;
      kept = equal = 0;
    }
    __syncthreads();
    prefix = prefix << 8 | chosen;
    want = left;
    __syncthreads();
  }
  for (int i = threadIdx.x; i < cols; i += 512) {
    const float v = from[i];
    const unsigned key = ordered(v);
    if (key < prefix) continue;
    // Of those that equal the last one, only as many as are left.
    const int slot = key > prefix ? atomicAdd(&kept, 1) : k - want + atomicAdd(&equal, 1);
    if (slot < k) {
      values[blockIdx.x * k + slot] = v;
      indices[blockIdx.x * k + slot] = i;
    }
  }
}

// The two best experts of each token and their weights: a warp per token, an expert per lane, most by shuffles.
__global__ void __launch_bounds__(128) top_two_experts(int tokens, const float* __restrict__ logits,
                                                       float2* __restrict__ weights, int2* __restrict__ experts) {
  const int token = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (token >= tokens) return;
  const float logit = logits[token * 32 + lane];
  auto best = [&](float v) {
    int at = lane;
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
      const float other = __shfl_xor_sync(0xffffffffu, v, step);
      const int other_at = __shfl_xor_sync(0xffffffffu, at, step);
      const bool take = other > v || (other == v && other_at < at);
      v = take ? other : v;
      at = take ? other_at : at;
    }
    return make_float2(v, __int_as_float(at));
  };
  const float2 first = best(logit);
  const int first_at = __float_as_int(first.y);
  const float2 second = best(lane == first_at ? -1e30f : logit);
  const float share = 1.0f / (1.0f + __expf(second.x - first.x));
  if (lane == 0) {
    weights[token] = make_float2(share, 1.0f - share);
    experts[token] = make_int2(first_at, __float_as_int(second.y));
  }
}
