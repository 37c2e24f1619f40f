// Prefix sums, histograms and compaction.
#include <cuda_runtime.h>

namespace {

__device__ __forceinline__ int warp_inclusive(int v) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, v, step);
    if (lane >= step) v += other;
  }
  return v;
}

// The sum of what threads before this one have, and of all of the group.
template <int kThreads>
__device__ __forceinline__ int2 group_exclusive(int v) {
  constexpr int kWarps = kThreads / 32;
  __shared__ int of_warps[kWarps];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int inclusive = warp_inclusive(v);
  if (lane == 31) of_warps[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    const int sum = warp_inclusive(lane < kWarps ? of_warps[lane] : 0);
    if (lane < kWarps) of_warps[lane] = sum;
  }
  __syncthreads();
  const int before = warp > 0 ? of_warps[warp - 1] : 0, all = of_warps[kWarps - 1];
  __syncthreads();
  return make_int2(before + inclusive - v, all);
}

}  // namespace

// Inclusive sums within each part of 4096: sixteen elements per thread, shuffles, and each part's total.
__global__ void __launch_bounds__(256)
    scan_parts(int n, const int4* __restrict__ in, int4* __restrict__ out, int* __restrict__ totals) {
  constexpr int kLoads = 4;
  int4 v[kLoads];
  const int first = (blockIdx.x * 256 + threadIdx.x) * kLoads;
  int sum = 0;
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    v[i] = (first + i) * 4 < n ? in[first + i] : make_int4(0, 0, 0, 0);
    v[i].y += v[i].x;
    v[i].z += v[i].y;
    v[i].w += v[i].z;
    const int before = sum;
    sum += v[i].w;
    v[i].x += before;
    v[i].y += before;
    v[i].z += before;
    v[i].w += before;
  }
  const int2 before = group_exclusive<256>(sum);
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    v[i].x += before.x;
    v[i].y += before.x;
    v[i].z += before.x;
    v[i].w += before.x;
    if ((first + i) * 4 < n) out[first + i] = v[i];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = before.y;
}

// Adds to each part the sum of those before it, which a scan of the totals has made.
__global__ void __launch_bounds__(256) add_offsets(int n, const int* __restrict__ offsets, int4* __restrict__ out) {
  const int offset = offsets[blockIdx.x];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int at = blockIdx.x * 1024 + i * 256 + threadIdx.x;
    if (at * 4 < n) {
      int4 v = out[at];
      v.x += offset;
      v.y += offset;
      v.z += offset;
      v.w += offset;
      out[at] = v;
    }
  }
}

// Sums over the whole array in one pass: each part looks back at the states of those before it until one is complete.
__global__ void __launch_bounds__(256)
    scan_look_back(int n, const int* __restrict__ in, int* __restrict__ out, unsigned* __restrict__ next_part,
                   unsigned long long* __restrict__ states) {
  constexpr unsigned long long kPartial = 1ull << 32, kComplete = 2ull << 32;
  __shared__ int shared_part, shared_before;
  if (threadIdx.x == 0) shared_part = atomicAdd(next_part, 1u);
  __syncthreads();
  const int part = shared_part;
  const int i = part * 256 + threadIdx.x;
  const int v = i < n ? in[i] : 0;
  const int2 sums = group_exclusive<256>(v);
  if (threadIdx.x == 0) {
    if (part == 0) {
      atomicExch(&states[0], kComplete | static_cast<unsigned>(sums.y));
      shared_before = 0;
    } else {
      atomicExch(&states[part], kPartial | static_cast<unsigned>(sums.y));
      int before = 0;
      for (int look = part - 1;; --look) {
        unsigned long long state;
        do {
          state = *reinterpret_cast<volatile unsigned long long*>(&states[look]);
        } while (state >> 32 == 0);
        before += static_cast<int>(static_cast<unsigned>(state));
        if (state >> 32 == 2) break;
      }
      atomicExch(&states[part], kComplete | static_cast<unsigned>(before + sums.y));
      shared_before = before;
    }
  }
  __syncthreads();
  if (i < n) out[i] = shared_before + sums.x + v;
}

// Sums within segments that flags begin, by pairs of flag and sum through shuffles, in each warp.
__global__ void __launch_bounds__(256)
    scan_segments(int n, const float* __restrict__ in, const unsigned char* __restrict__ begins,
                  float* __restrict__ out) {
  const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
  float v = i < n ? in[i] : 0.0f;
  int flag = i < n ? begins[i] : 1;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const float other = __shfl_up_sync(0xffffffffu, v, step);
    const int other_flag = __shfl_up_sync(0xffffffffu, flag, step);
    const bool take = lane >= step;
    v += take && flag == 0 ? other : 0.0f;
    flag |= take ? other_flag : 0;
  }
  if (i < n) out[i] = v;
}

// Histogram of bytes: a copy of the bins per warp in shared memory, four bytes per load, then one atomic per bin.
__global__ void __launch_bounds__(256)
    histogram_bytes(int words, const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  __shared__ unsigned bins[8][256];
  for (int i = threadIdx.x; i < 8 * 256; i += 256) (&bins[0][0])[i] = 0;
  __syncthreads();
  unsigned* mine = bins[threadIdx.x / 32];
  for (int i = blockIdx.x * 256 + threadIdx.x; i < words; i += gridDim.x * 256) {
    const unsigned v = in[i];
    atomicAdd(&mine[v & 255], 1u);
    atomicAdd(&mine[v >> 8 & 255], 1u);
    atomicAdd(&mine[v >> 16 & 255], 1u);
    atomicAdd(&mine[v >> 24], 1u);
  }
  __syncthreads();
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) sum += bins[i][threadIdx.x];
  atomicAdd(&out[threadIdx.x], sum);
}

// Keeps the elements above a threshold: votes give places within a warp, one atomic per warp the rest.
__global__ void __launch_bounds__(256) compact_above(int n, float threshold, const float* __restrict__ in,
                                                     float* __restrict__ out, int* __restrict__ count) {
  const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
  const float v = i < n ? in[i] : 0.0f;
  const bool keep = i < n && v > threshold;
  const unsigned kept = __ballot_sync(0xffffffffu, keep);
  int base = 0;
  if (lane == 0) base = atomicAdd(count, __popc(kept));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (keep) out[base + __popc(kept & ((1u << lane) - 1))] = v;
}
