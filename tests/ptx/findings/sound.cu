// Kernels as they should be: nothing that a sentence could tell to change would help.
//
//     nvcc -ptx -lineinfo -arch=sm_90 -o sound.ptx sound.cu
#include <mma.h>

#define KERNEL extern "C" __global__ void

KERNEL copy4(float4* __restrict__ out, const float4* __restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

KERNEL axpy(float* __restrict__ y, const float* __restrict__ x, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

KERNEL set(int4* __restrict__ out, int value) {
  const int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) out[k * threads + i] = make_int4(value, value, value, value);
}

KERNEL strided_sum(float* __restrict__ out, const float4* __restrict__ in, int rounds) {
  const int threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 8
  for (int round = 0; round < rounds; ++round) {
    const float4 four = in[round * threads + blockIdx.x * blockDim.x + threadIdx.x];
    sum += four.x + four.y + four.z + four.w;
  }
  for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(~0u, sum, other);
  if (threadIdx.x % 32 == 0) atomicAdd(out + blockIdx.x, sum);
}

KERNEL transpose(float* __restrict__ out, const float* __restrict__ in, int n) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int j = 0; j < 32; j += 8) tile[y + j][x] = in[(top + y + j) * n + left + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8) out[(left + y + j) * n + top + x] = tile[x][y + j];
}

KERNEL stencil3(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

KERNEL stencil5(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = y * n + x;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

// Groups of 256 threads make tiles of 128 x 128, 8 x 8 a thread.
KERNEL product(float* __restrict__ c, const float* __restrict__ a, const float* __restrict__ b, int n) {
  __shared__ float left[8][128 + 4], right[8][128];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  const float* const rows = a + blockIdx.y * 128 * n;
  float sum[8][8] = {};
  for (int k = 0; k < n; k += 8) {
    const float4 of_a = *reinterpret_cast<const float4*>(rows + (t / 2) * n + k + 4 * (t % 2));
    const int at = 4 * (t % 2);
    left[at][t / 2] = of_a.x, left[at + 1][t / 2] = of_a.y, left[at + 2][t / 2] = of_a.z, left[at + 3][t / 2] = of_a.w;
    *reinterpret_cast<float4*>(&right[t / 32][4 * (t % 32)]) =
        *reinterpret_cast<const float4*>(b + (k + t / 32) * n + blockIdx.x * 128 + 4 * (t % 32));
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      float x[8], y[8];
#pragma unroll
      for (int j = 0; j < 8; j += 4) {
        *reinterpret_cast<float4*>(x + j) = *reinterpret_cast<const float4*>(&left[i][16 * j + 4 * ty]);
        *reinterpret_cast<float4*>(y + j) = *reinterpret_cast<const float4*>(&right[i][16 * j + 4 * tx]);
      }
#pragma unroll
      for (int r = 0; r < 8; ++r)
#pragma unroll
        for (int s = 0; s < 8; ++s) sum[r][s] += x[r] * y[s];
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 8; ++r)
#pragma unroll
    for (int s = 0; s < 8; s += 4)
      *reinterpret_cast<float4*>(c + (blockIdx.y * 128 + 16 * (r & 4) + 4 * ty + (r & 3)) * n + blockIdx.x * 128 +
                                 16 * s + 4 * tx) = make_float4(sum[r][s], sum[r][s + 1], sum[r][s + 2], sum[r][s + 3]);
}

KERNEL on_tensors(float* __restrict__ out, const half* __restrict__ in, int rounds) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> a;
  fragment<matrix_b, 16, 16, 16, half, col_major> b;
  fragment<accumulator, 16, 16, 16, float> sums[4];
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  load_matrix_sync(a, in + 256 * warp, 16);
  load_matrix_sync(b, in + 256 * warp, 16);
  for (auto& sum : sums) fill_fragment(sum, 0.0f);
  for (int round = 0; round < rounds; ++round)
    for (auto& sum : sums) mma_sync(sum, a, b, sum);
  for (int i = 0; i < 4; ++i) store_matrix_sync(out + 1024 * warp + 256 * i, sums[i], 16, mem_row_major);
}

KERNEL bodies(float4* __restrict__ forces, const float4* __restrict__ all, int n) {
  __shared__ float4 some[256];
  const float4 own = all[blockIdx.x * 256 + threadIdx.x];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += 256) {
    some[threadIdx.x] = all[first + threadIdx.x];
    __syncthreads();
#pragma unroll 16
    for (int i = 0; i < 256; ++i) {
      const float dx = some[i].x - own.x, dy = some[i].y - own.y, dz = some[i].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
      const float force = some[i].w * inverse * inverse * inverse;
      x += force * dx, y += force * dy, z += force * dz;
    }
    __syncthreads();
  }
  forces[blockIdx.x * 256 + threadIdx.x] = make_float4(x, y, z, 0);
}

KERNEL polynomial(float* __restrict__ out, const float* __restrict__ in, float c, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  float a = 0, b = 1, d = 2, e = 3;
  for (int step = 0; step < steps; ++step) a = a * x + c, b = b * x + c, d = d * x + c, e = e * x + c;
  out[i] = a + b + d + e;
}

KERNEL waves(float* __restrict__ out, const float* __restrict__ in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], sum = 0;
  for (int step = 0; step < steps; ++step) sum += __sinf(x), x += 0.1f;
  out[i] = sum;
}

KERNEL hashes(unsigned* __restrict__ out, int rounds) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = x ^ 0x9e3779b9u;
  for (int round = 0; round < rounds; ++round) {
    x = __funnelshift_l(x, x, 13) ^ y, y += x;
    y = __funnelshift_l(y, y, 7) ^ x, x += y;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x ^ y;
}

// A warp for each row of 1024 numbers.
KERNEL softmax(float* __restrict__ out, const float* __restrict__ in) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  float4 part[8];
  float most = -1e30f, sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    part[i] = reinterpret_cast<const float4*>(in + row * 1024)[32 * i + lane];
    most = fmaxf(most, fmaxf(fmaxf(part[i].x, part[i].y), fmaxf(part[i].z, part[i].w)));
  }
  for (int other = 16; other > 0; other /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, other));
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    part[i] = make_float4(__expf(part[i].x - most), __expf(part[i].y - most), __expf(part[i].z - most),
                          __expf(part[i].w - most));
    sum += part[i].x + part[i].y + part[i].z + part[i].w;
  }
  for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(~0u, sum, other);
  const float share = 1 / sum;
#pragma unroll
  for (int i = 0; i < 8; ++i)
    reinterpret_cast<float4*>(out + row * 1024)[32 * i + lane] =
        make_float4(part[i].x * share, part[i].y * share, part[i].z * share, part[i].w * share);
}

KERNEL matrix_vector(float* __restrict__ y, const float4* __restrict__ a, const float4* __restrict__ x, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int i = lane; i < columns / 4; i += 32) {
    const float4 of_a = a[row * (columns / 4) + i], of_x = x[i];
    sum += of_a.x * of_x.x + of_a.y * of_x.y + of_a.z * of_x.z + of_a.w * of_x.w;
  }
  for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(~0u, sum, other);
  if (lane == 0) y[row] = sum;
}

KERNEL scan(float* __restrict__ out, const float* __restrict__ in) {
  __shared__ float of_warps[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = in[i];
  for (int back = 1; back < 32; back *= 2) {
    const float other = __shfl_up_sync(~0u, sum, back);
    if (lane >= back) sum += other;
  }
  if (lane == 31) of_warps[warp] = sum;
  __syncthreads();
  float before = 0;
  for (int w = 0; w < 7; ++w)
    if (w < warp) before += of_warps[w];
  out[i] = before + sum;
}

KERNEL move_particles(float* __restrict__ x, float* __restrict__ y, const float* __restrict__ vx,
                      const float* __restrict__ vy, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += dt * vx[i];
  y[i] += dt * vy[i];
}

KERNEL grey(uchar4* __restrict__ out, const uchar4* __restrict__ red, const uchar4* __restrict__ green) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const uchar4 r = red[i], g = green[i];
  out[i] = make_uchar4((r.x + g.x) / 2, (r.y + g.y) / 2, (r.z + g.z) / 2, (r.w + g.w) / 2);
}

KERNEL multiply_doubles(double2* __restrict__ out, const double2* __restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double2 z = in[i];
  out[i] = make_double2(z.x * z.x - z.y * z.y, 2 * z.x * z.y);
}

KERNEL mandelbrot(int* __restrict__ out, int width, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float cx = 3.0f * (i % width) / width - 2, cy = 2.0f * (i / width) / width - 1;
  float x = 0, y = 0;
  int n = 0;
  for (; n < most && x * x + y * y < 4; ++n) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy, x = next;
  }
  out[i] = n;
}
