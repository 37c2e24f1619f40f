// What nvcc 13.0 prints for parts of the language that the shipped kernels do not use: calls, local arrays, a switch,
// doubles, votes, bit fields, 8-bit and 16-bit data, atomics of all kinds, tables in constant and global memory, nested
// loops with exits in the middle. language.ptx: nvcc -ptx -arch=sm_80 -lineinfo language.cu, with only the names left
// of the paths in .file lines.

__device__ int table[5] = {2, 3, 5, 7, 11};
__constant__ double scale = 0.125;

__device__ __noinline__ float weigh(float x, int k) { return k & 1 ? x * 2.0f : x + 3.0f; }
__device__ __noinline__ void split(float x, float* whole, float* rest) {
  *whole = truncf(x);
  *rest = x - *whole;
}

extern "C" __global__ void calls(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float whole;
    float rest;
    split(weigh(in[i], i), &whole, &rest);
    out[i] = whole * rest;
  }
}

extern "C" __global__ void local_array(int shift, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own[8];
  for (int k = 0; k < 8; ++k) {
    own[k] = in[8 * i + k];
  }
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < 8; ++k) {
    sum += own[(k + shift) & 7] * k;
  }
  out[i] = sum;
}

extern "C" __global__ void switches(int mode, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  switch (mode + threadIdx.x / 32) {
    case 0:
      v = v * v;
      break;
    case 1:
      v = sqrtf(v);
      break;
    case 2:
      v = v + 1.0f;
      break;
    case 3:
      v = 1.0f / v;
      break;
    case 4:
      v = __expf(v);
      break;
    case 5:
      v = fabsf(v) - 7.0f;
      break;
    case 6:
      v = __sinf(v);
      break;
    case 7:
      v = __cosf(v) + sinf(v);
      break;
    default:
      v = 0.0f;
  }
  out[i] = v;
}

extern "C" __global__ void doubles(int n, double a, const double* x, double* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = sqrt(a * x[i] + y[i]) / x[i] + scale;
  }
}

extern "C" __global__ void integers(unsigned n, const unsigned char* bytes, short* words, long long* wide, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int b = bytes[i];
  words[i] = static_cast<short>(words[i] / 3 + b % 7);
  wide[i] = wide[i] * b + __mul64hi(wide[i], n) - (wide[i] >> 3);
  out[i] = __popc(b) + __clz(b) + __brev(b) + __ffs(b) + __byte_perm(b, n, 0x3210) + min(b, 9) + max(b, 2) +
           abs(b - 5) + __umulhi(b, n) + b / n + (b << 2 | 1) + (b ^ n) + __funnelshift_l(b, n, 3) + table[b % 5] +
           __sad(b, 4, 3);
}

extern "C" __global__ void lanes(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = in[i];
  const unsigned positive = __ballot_sync(0xffffffffu, v > 0);
  const bool some = __any_sync(0xffffffffu, v > 9);
  const bool every = __all_sync(0xffffffffu, v > -9);
  __syncwarp();
  out[i] = __popc(positive) + some + 2 * every + __shfl_sync(0xffffffffu, v, 3) + __shfl_up_sync(0xffffffffu, v, 1) +
           __syncthreads_count(v > 0);
}

extern "C" __global__ void atomics(int* counts, float* sums, unsigned long long* wide) {
  __shared__ int lowest;
  lowest = 0;
  __syncthreads();
  const int v = threadIdx.x;
  atomicMin(&lowest, v);
  atomicMax(counts, v);
  atomicAdd(sums, 1.0f);
  atomicAdd(wide, 1ull);
  atomicExch(counts + 1, v);
  const int old = atomicCAS(counts + 2, v, v + 1);
  atomicOr(counts + 3, old);
  __threadfence();
  __threadfence_block();
}

extern "C" __global__ void exits(int n, int m, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int r = 0; r < n; ++r) {
    if (r == i) {
      continue;
    }
#pragma unroll 1
    for (int k = 0; k <= r; k += 2) {
      if (k == m) {
        break;
      }
      sum += in[r * m + k];
    }
  }
  out[i] = sum;
}

// The number of trips depends on data.
extern "C" __global__ void collatz(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i];
  unsigned steps = 0;
#pragma unroll 1
  while (v > 1) {
    v = v & 1 ? 3 * v + 1 : v / 2;
    ++steps;
  }
  out[i] = steps;
}
