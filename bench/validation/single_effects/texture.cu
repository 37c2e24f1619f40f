// Reads of textures and surfaces: channels, filter, dimensions, size of the image.
#include <cuda_runtime.h>

// What the images are is in arrays.py, by these names.
struct small_point {};
struct small {};
struct middle {};
struct large {};

__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

// Rows of 32 texels from one image, `step` rows from one read to the next. A `fraction` of 0 reads at texel centres.
template <typename T, typename Image>
__global__ void __launch_bounds__(256, 8) texels_2d(cudaTextureObject_t image, int trips, int step, int x_mask,
                                                    int y_mask, float fraction, float* __restrict__ out) {
  const int x = (blockIdx.x * 32 + threadIdx.x) & x_mask, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t)
    sum += sum_of(tex2D<T>(image, x + 0.5f + fraction, ((y + t * step) & y_mask) + 0.5f + fraction));
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 32 + threadIdx.x] = sum;
}
template __global__ void texels_2d<float, small_point>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_2d<float, small>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_2d<float, middle>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_2d<float, large>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_2d<float4, small_point>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_2d<float4, small>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_2d<float4, middle>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_2d<float4, large>(cudaTextureObject_t, int, int, int, int, float, float*);

// The same in three dimensions, a step along z from one read to the next.
template <typename T, typename Image>
__global__ void __launch_bounds__(256, 8) texels_3d(cudaTextureObject_t image, int trips, int x_mask, int y_mask,
                                                    int z_mask, float fraction, float* __restrict__ out) {
  const int x = (blockIdx.x * 32 + threadIdx.x) & x_mask, y = (blockIdx.y * 8 + threadIdx.y) & y_mask;
  float sum = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t)
    sum += sum_of(tex3D<T>(image, x + 0.5f + fraction, y + 0.5f + fraction, (t & z_mask) + 0.5f + fraction));
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 32 + threadIdx.x] = sum;
}
template __global__ void texels_3d<float, small_point>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_3d<float, small>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_3d<float, middle>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_3d<float, large>(cudaTextureObject_t, int, int, int, int, float, float*);
template __global__ void texels_3d<float4, small>(cudaTextureObject_t, int, int, int, int, float, float*);

// Reads of a surface, as texels_2d.
template <typename T, typename Image>
__global__ void __launch_bounds__(256, 8)
    surface_reads(cudaSurfaceObject_t image, int trips, int step, int x_mask, int y_mask, float* __restrict__ out) {
  const int x = (blockIdx.x * 32 + threadIdx.x) & x_mask, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
#pragma unroll 4
  for (int t = 0; t < trips; ++t)
    sum += sum_of(surf2Dread<T>(image, x * static_cast<int>(sizeof(T)), (y + t * step) & y_mask));
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 32 + threadIdx.x] = sum;
}
template __global__ void surface_reads<float, small>(cudaSurfaceObject_t, int, int, int, int, float*);
template __global__ void surface_reads<float, middle>(cudaSurfaceObject_t, int, int, int, int, float*);
template __global__ void surface_reads<float, large>(cudaSurfaceObject_t, int, int, int, int, float*);
template __global__ void surface_reads<float4, small>(cudaSurfaceObject_t, int, int, int, int, float*);
