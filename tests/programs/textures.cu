// What the driver's textures do: `nvcc -ptx -arch=sm_80 -o textures.ptx textures.cu`.
extern "C" {

/// Halfway between neighbours of a row.
__global__ void between(cudaTextureObject_t image, int width, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width) out[y * width + x] = tex2D<float>(image, x + 1.0f, y + 0.5f);
}
/// From linear memory, in turned order, into a surface.
__global__ void turned(cudaTextureObject_t line, cudaSurfaceObject_t surface, int width, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width) surf2Dwrite(tex1Dfetch<float>(line, (rows - 1 - y) * width + x), surface, x * 4, y);
}
/// Of a volume, by coordinates from 0 to 1.
__global__ void of_volume(cudaTextureObject_t volume, int width, int rows, int planes, unsigned char* out) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  const uchar4 texel = tex3D<uchar4>(volume, (x + 0.5f) / width, (y + 0.5f) / rows, (z + 0.5f) / planes);
  out[(z * rows + y) * width + x] = texel.x + texel.y + texel.z + texel.w;
}
}
