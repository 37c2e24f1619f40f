// Stencils: every element from its neighbours.

const int radius = 3;
const int block = 256;

__constant__ float weights[radius + 1] = {0.4f, 0.15f, 0.1f, 0.05f};

// 1-D, seven points: a group keeps its 256 elements and the three beyond each end in shared memory; the first
// six threads load the second part of that. The weights are in constant memory.
// Launch: block (256), grid (n / 256); n is a multiple of 256.
// Arguments: in: n + 6 floats, of which the first and last three are halo; out: n floats.
extern "C" __global__ void stencil_1d(const float* in, float* out) {
  __shared__ float tile[block + 2 * radius];
  const int thread = threadIdx.x;
  const int first = blockIdx.x * block;
  tile[thread] = in[first + thread];
  if (thread < 2 * radius) {
    tile[block + thread] = in[first + block + thread];
  }
  __syncthreads();
  float sum = weights[0] * tile[thread + radius];
#pragma unroll
  for (int d = 1; d <= radius; ++d) {
    sum += weights[d] * (tile[thread + radius - d] + tile[thread + radius + d]);
  }
  out[first + thread] = sum;
}

// 2-D, five points, straight from global memory; the elements at the border keep their value.
// Launch: block (32, 8), grid (ceil(width / 32), ceil(height / 8)).
// Arguments: width, height; in, out: width * height floats each.
extern "C" __global__ void stencil_2d(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) {
    return;
  }
  const int i = y * width + x;
  const float centre = in[i];
  float result = centre;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    result = 0.5f * centre + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
  out[i] = result;
}
