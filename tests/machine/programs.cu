// Kernels of small programs whose results a CPU can tell. programs.ptx is made of them by compile.sh.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" {

__device__ unsigned counter;
__device__ int table[4] = {3, 1, 4, 1};
__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};

// ---- scan: of each group, then the sums of groups, by a look back at the groups before
__device__ volatile int states[4096];
__device__ volatile int sums[4096];

__global__ void scan(int n, const int* in, int* out) {
  __shared__ int parts[8];
  __shared__ int before;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(~0u, value, d);
    if (lane >= d) value += other;
  }
  if (lane == 31) parts[warp] = value;
  __syncthreads();
  int below = 0;
  for (int w = 0; w < warp; ++w) below += parts[w];
  value += below;
  if (threadIdx.x == blockDim.x - 1) {
    int sum = 0;
    if (blockIdx.x > 0) {
      while (states[blockIdx.x - 1] == 0) {
      }
      __threadfence();
      sum = sums[blockIdx.x - 1];
    }
    sums[blockIdx.x] = sum + value;
    __threadfence();
    states[blockIdx.x] = 1;
    before = sum;
  }
  __syncthreads();
  if (i < n) out[i] = before + value;
}

// ---- sort: one group, bitonic, in shared memory
__global__ void sort(int* data) {
  __shared__ int keys[1024];
  const int i = threadIdx.x;
  keys[i] = data[blockIdx.x * 1024 + i];
  for (int size = 2; size <= 1024; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const int other = i ^ step;
      if (other > i) {
        const bool up = (i & size) == 0;
        const int a = keys[i], b = keys[other];
        if ((a > b) == up) {
          keys[i] = b;
          keys[other] = a;
        }
      }
    }
  __syncthreads();
  data[blockIdx.x * 1024 + i] = keys[i];
}

__global__ void spmv(int rows, const int* starts, const int* columns, const double* values, const double* x, double* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

__global__ void bfs(int nodes, int level, const int* starts, const int* edges, int* levels, int* changed) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || levels[node] != level) return;
  for (int k = starts[node]; k < starts[node + 1]; ++k)
    if (levels[edges[k]] < 0) {
      levels[edges[k]] = level + 1;
      *changed = 1;
    }
}

__global__ void insert(int n, const unsigned* keys, unsigned* slots, unsigned* counts, unsigned size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned at = key * 2654435761u & (size - 1);
  while (true) {
    const unsigned before = atomicCAS(&slots[at], 0, key);
    if (before == 0 || before == key) break;
    at = (at + 1) & (size - 1);
  }
  atomicAdd(&counts[at], 1);
}

__global__ void histogram(int n, const unsigned char* data, unsigned* bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[data[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

// ---- reduction: the last group adds the sums of all
__global__ void reduce(int n, const float* in, float* part, float* out) {
  __shared__ float sums_of[256];
  __shared__ bool last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sums_of[threadIdx.x] = sum;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums_of[threadIdx.x] += sums_of[threadIdx.x + half];
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = sums_of[0];
    __threadfence();
    last = atomicInc(&counter, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x > 0) return;
  float all = 0;
  for (int i = 0; i < gridDim.x; ++i) all += part[i];
  *out = all;
}

__global__ void nbody(int n, const float4* bodies, float4* forces) {
  __shared__ float4 tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 128; ++j) {
      const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float strength = inverse * inverse * inverse * tile[j].w;
      x += dx * strength;
      y += dy * strength;
      z += dz * strength;
    }
    __syncthreads();
  }
  forces[i] = make_float4(x, y, z, 0);
}

__global__ void stencil(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? in[i - 1] : in[i], right = i < n - 1 ? in[i + 1] : in[i];
  out[i] = weights[0] * left + weights[1] * in[i] + weights[2] * right;
}

// ---- a product of halves by tensor cores: c (m x n) = a (m x k) b (k x n), one warp for 16 x 8
__global__ void product(int n, int k, const __half* a, const __half* b, float* c) {
  __shared__ __align__(16) __half tile_a[16][16];
  __shared__ __align__(16) __half tile_b[16][8];
  const int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 8;
  float sums[4] = {};
  for (int first = 0; first < k; first += 16) {
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile_a[lane / 2][lane % 2 * 8]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + (row + lane / 2) * k + first + lane % 2 * 8));
    asm volatile("cp.async.commit_group;");
    for (int i = lane; i < 128; i += 32) tile_b[i / 8][i % 8] = b[(first + i / 8) * n + column + i % 8];
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    unsigned fa[4], fb[2];
    const unsigned at_a = static_cast<unsigned>(__cvta_generic_to_shared(&tile_a[lane % 16][lane / 16 * 8]));
    const unsigned at_b = static_cast<unsigned>(__cvta_generic_to_shared(&tile_b[lane % 16][0]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(at_a));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(fb[0]), "=r"(fb[1]) : "r"(at_b));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) c[(row + lane / 4 + i / 2 * 8) * n + column + lane % 4 * 2 + i % 2] = sums[i];
}

// ---- what is harder than it looks

/// All groups meet several times, so each has to wait for all others.
__global__ void meetings(unsigned* arrived, int* log, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    log[round * gridDim.x + blockIdx.x] = round > 0 ? log[(round - 1) * gridDim.x + (blockIdx.x + 1) % gridDim.x] + 1 : 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(arrived, 1);
      while (atomicAdd(arrived, 0) < (round + 1) * gridDim.x) {
      }
    }
    __syncthreads();
  }
}

/// Lanes of a warp take a lock one after the other.
__global__ void locks(int* lock, int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *reinterpret_cast<volatile int*>(sum) += threadIdx.x + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

/// The same, where those that wait jump back at once.
__global__ void spins(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *reinterpret_cast<volatile int*>(sum) += 1;
  __threadfence();
  atomicExch(lock, 0);
}

/// Half of the warps bring what the other half takes, by named barriers.
__global__ void pairs(int rounds, const int* in, int* out) {
  __shared__ int box[64];
  const int half = threadIdx.x / 64, at = threadIdx.x % 64;
  for (int round = 0; round < rounds; ++round) {
    if (half == 0) {
      if (round > 0) asm volatile("bar.sync 2, 128;" ::: "memory");
      box[at] = in[round * 64 + at] * 2;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      out[round * 64 + at] = box[at] + 1;
      if (round + 1 < rounds) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  }
}

__global__ void votes(const int* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
  unsigned all = __ballot_sync(~0u, value > 0);
  if (value % 3 == 0) all ^= __match_any_sync(__activemask(), value);
  all += __reduce_add_sync(~0u, value & 15) + __popc(all) + __ffs(value) + __clz(value) + __brev(value);
  int same;
  all ^= __match_all_sync(~0u, value & 1, &same) + same;
  all += __syncthreads_count(value > 3) * 3 + __syncthreads_or(value == 7) + 2 * __syncthreads_and(value != 5);
  all ^= __shfl_xor_sync(~0u, value, 5) + __shfl_down_sync(~0u, value, 3, 16) * 7;
  out[i] = all;
}

__global__ void halves(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half2 pair = __floats2half2_rn(in[i], in[i] * 0.5f);
  const __half2 sum = __hfma2(pair, pair, __float2half2_rn(1.5f));
  const __nv_bfloat16 brain = __float2bfloat16(in[i]);
  const __half most = __hmax(__low2half(sum), __float2half(2.0f));
  out[4 * i] = __low2float(sum);
  out[4 * i + 1] = __high2float(sum);
  out[4 * i + 2] = __bfloat162float(__hadd(brain, brain));
  out[4 * i + 3] = __half2float(__hlt(most, __float2half(3.0f)) ? most : __hneg(most));
}

__global__ void numbers(int n, const long long* in, long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long x = in[2 * i], y = in[2 * i + 1];
  const int a = static_cast<int>(x), b = static_cast<int>(y) | 1;
  const unsigned ua = a, ub = b;
  const double d = static_cast<double>(x) * 0.25;
  const float f = static_cast<float>(a);
  long long r[16] = {x + y, x * y, x / (y | 1), x % (y | 1), a / b, a % b, static_cast<long long>(ua / ub), static_cast<long long>(ua % ub),
                     __mulhi(a, b), static_cast<long long>(__umul64hi(x, y)), x >> (y & 63), static_cast<long long>(d),
                     static_cast<long long>(__float2int_rn(f * 0.3f)), min(x, y), __float_as_int(sqrtf(fabsf(f))), __dp4a(a, b, 5)};
  long long sum = 0;
  for (int k = 0; k < 16; ++k) {
    out[(long long)i * 17 + k] = r[k];
    sum += r[(a >> k) & 15];  // an array that has to lie in memory
  }
  out[(long long)i * 17 + 16] = sum + table[a & 3];
}

// ---- faults

__global__ void beyond(int* data, int at) { data[threadIdx.x + at] = 1; }
__global__ void shared_beyond(int* data, int at) {
  __shared__ int own[32];
  own[threadIdx.x] = 1;
  __syncwarp();
  data[threadIdx.x] = own[threadIdx.x + at];
}
__global__ void misaligned(char* data) { *reinterpret_cast<int*>(data + threadIdx.x * 4 + (threadIdx.x == 3)) = 1; }
__global__ void deadlock(int* data) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 128;");
    data[threadIdx.x] = 1;
  }
}
__global__ void waits(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void traps(int* data) {
  if (data[threadIdx.x] > 2) __trap();
}
__global__ void cubes(int n, cudaTextureObject_t texture, float* out) {
  if (n > 0) out[threadIdx.x] = texCubemap<float>(texture, threadIdx.x, 1.0f, 1.0f);
}

// ---- what kernels print
__global__ void printing(int n, const double* numbers) {
  const int i = threadIdx.x;
  if (i < n) printf("%d of %s: %-8.3f| %5lu %x %c 100%%\n", i, "three", numbers[i], 1ul << (40 * i), 255u + i, 'a' + i);
}

// ---- floats of 8 bits
__global__ void bytes(const float* in, unsigned short* fine, unsigned short* wide, unsigned* halves) {
  const int i = threadIdx.x;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(fine[i]) : "f"(in[2 * i + 1]), "f"(in[2 * i]));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(wide[i]) : "f"(in[2 * i + 1]), "f"(in[2 * i]));
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves[i]) : "h"(fine[i]));
}

}

// ---- assertions
#include <cassert>

extern "C" __global__ void asserts(const int* data, int most) { assert(data[threadIdx.x] <= most); }
