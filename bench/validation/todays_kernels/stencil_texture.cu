// Stencils in two and three dimensions, textures and surfaces.
#include <cuda_runtime.h>

// Transpose of floats through a padded tile: four rows per thread.
__global__ void __launch_bounds__(256)
    transpose_padded(int width, int height, const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[static_cast<size_t>(y + i) * width + x];
  __syncthreads();
  const int to_x = blockIdx.y * 32 + threadIdx.x, to_y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 32; i += 8)
    out[static_cast<size_t>(to_y + i) * height + to_x] = tile[threadIdx.x][threadIdx.y + i];
}

// Five points in two dimensions, one step of Jacobi's method, neighbours through the caches.
__global__ void __launch_bounds__(256) jacobi_2d(int width, int height, const float* __restrict__ in,
                                                 const float* __restrict__ right_side, float* __restrict__ out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= 0 || y <= 0 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  out[i] =
      0.25f * (__ldg(&in[i - 1]) + __ldg(&in[i + 1]) + __ldg(&in[i - width]) + __ldg(&in[i + width]) - right_side[i]);
}

// Eighth order in three dimensions: a plane in shared memory, the column along z in registers, marching along z.
template <int kRadius>
__global__ void __launch_bounds__(512)
    wave_3d(int nx, int ny, int nz, float4 c1, float c0, const float* __restrict__ now, const float* __restrict__ speed,
            float* __restrict__ next) {
  constexpr int kX = 32, kY = 16;
  __shared__ float plane[kY + 2 * kRadius][kX + 2 * kRadius];
  const float c[5] = {c0, c1.x, c1.y, c1.z, c1.w};
  const int x = blockIdx.x * kX + threadIdx.x + kRadius, y = blockIdx.y * kY + threadIdx.y + kRadius;
  const int sx = threadIdx.x + kRadius, sy = threadIdx.y + kRadius;
  const size_t layer = static_cast<size_t>(nx) * ny;
  size_t at = static_cast<size_t>(y) * nx + x;
  float column[2 * kRadius + 1];
#pragma unroll
  for (int i = 0; i < 2 * kRadius; ++i) column[i + 1] = now[at + i * layer];
  at += kRadius * layer;
  for (int z = kRadius; z < nz - kRadius; ++z) {
#pragma unroll
    for (int i = 0; i < 2 * kRadius; ++i) column[i] = column[i + 1];
    column[2 * kRadius] = now[at + kRadius * layer];
    __syncthreads();
    plane[sy][sx] = column[kRadius];
    if (threadIdx.y < kRadius) {
      plane[threadIdx.y][sx] = now[at - kRadius * nx];
      plane[threadIdx.y + kY + kRadius][sx] = now[at + kY * nx];
    }
    if (threadIdx.x < kRadius) {
      plane[sy][threadIdx.x] = now[at - kRadius];
      plane[sy][threadIdx.x + kX + kRadius] = now[at + kX];
    }
    __syncthreads();
    float sum = c[0] * column[kRadius];
#pragma unroll
    for (int i = 1; i <= kRadius; ++i)
      sum += c[i] * (column[kRadius - i] + column[kRadius + i] + plane[sy][sx - i] + plane[sy][sx + i] +
                     plane[sy - i][sx] + plane[sy + i][sx]);
    next[at] = 2.0f * column[kRadius] - next[at] + speed[at] * sum;
    at += layer;
  }
}
template __global__ void wave_3d<4>(int, int, int, float4, float, const float*, const float*, float*);

// Seven points in double precision, two neighbours in x per thread by 16-byte loads.
__global__ void __launch_bounds__(128)
    heat_3d(int nx, int ny, int nz, double factor, const double* __restrict__ in, double* __restrict__ out) {
  const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 2, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z + 1;
  if (y == 0 || y >= ny - 1 || z >= nz - 1 || x >= nx) return;
  const size_t row = nx, layer = static_cast<size_t>(nx) * ny;
  const size_t at = z * layer + y * row + x;
  auto pair = [&](size_t i) { return *reinterpret_cast<const double2*>(&in[i]); };
  const double2 middle = pair(at), up = pair(at - row), down = pair(at + row), below = pair(at - layer),
                above = pair(at + layer);
  const double left = x > 0 ? in[at - 1] : middle.x, right = x + 2 < nx ? in[at + 2] : middle.y;
  double2 result;
  result.x = middle.x + factor * (left + middle.y + up.x + down.x + below.x + above.x - 6.0 * middle.x);
  result.y = middle.y + factor * (middle.x + right + up.y + down.y + below.y + above.y - 6.0 * middle.y);
  *reinterpret_cast<double2*>(&out[at]) = result;
}

// Turns an image about its middle through a texture object with bilinear reads.
__global__ void __launch_bounds__(256) rotate_texture(cudaTextureObject_t image, int width, int height, float cosine,
                                                      float sine, float* __restrict__ out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float u = x - 0.5f * width, v = y - 0.5f * height;
  out[static_cast<size_t>(y) * width + x] =
      tex2D<float>(image, u * cosine - v * sine + 0.5f * width + 0.5f, u * sine + v * cosine + 0.5f * height + 0.5f);
}

// Steps of a ray through a volume texture, sums of what it meets, written to a surface.
__global__ void __launch_bounds__(256) volume_rays(cudaTextureObject_t volume, cudaSurfaceObject_t picture, int width,
                                                   int height, int steps, float density) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float u = (x + 0.5f) / width, v = (y + 0.5f) / height;
  float clear = 1.0f;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int i = 0; i < steps; ++i) {
    const float sample = tex3D<float>(volume, u, v, (i + 0.5f) / steps);
    const float alpha = 1.0f - __expf(-density * sample);
    sum.x += clear * alpha * sample;
    sum.y += clear * alpha * (1.0f - sample);
    sum.z += clear * alpha * 0.5f;
    clear *= 1.0f - alpha;
  }
  sum.w = 1.0f - clear;
  surf2Dwrite(sum, picture, x * static_cast<int>(sizeof(float4)), y);
}
