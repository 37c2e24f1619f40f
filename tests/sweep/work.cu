// Launches whose work follows the block and the grid, and launches of which it does not. work.ptx is made of this file:
//     nvcc -ptx -arch=sm_80 -o work.ptx work.cu

// A thread an element.
extern "C" __global__ void copy(float* y, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__device__ void sum_of_group(float s, float* out) {
  __shared__ float partial[1024];
  partial[threadIdx.x] = s;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

// All of x, whatever the block and the grid.
extern "C" __global__ void sum(float* out, const float* x, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  sum_of_group(s, out);
}

// Strides as if the block had 256 threads: a smaller one leaves the others' elements out.
extern "C" __global__ void sum_by_256(float* out, const float* x, int n) {
  float s = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) s += x[i];
  sum_of_group(s, out);
}

// A row a group.
extern "C" __global__ void rows(float* out, const float* x, int m) {
  float s = 0;
  for (int i = threadIdx.x; i < m; i += blockDim.x) s += x[blockIdx.x * m + i];
  sum_of_group(s, out);
}

// Tiles of 32 x 32 for blocks of 32 x 8.
extern "C" __global__ void transpose(float* out, const float* in, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) out[x * h + y + j] = in[(y + j) * w + x];
}

// Two elements per thread, for blocks of 256.
extern "C" __global__ void pairs(float* y, const float* x) {
  int i = blockIdx.x * 512 + threadIdx.x;
  y[i] = x[i];
  y[i + 256] = x[i + 256];
}

// Of each row the first w elements.
extern "C" __global__ void scale(float* out, const float* in, int w, int h, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * pitch + x] = 2 * in[y * pitch + x];
}

// From places that data says.
extern "C" __global__ void gather(float* y, const float* x, const int* places, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[places[i]];
}

// Columns of 8 for blocks of 8 along x: one of 4 reaches every sector, and half of the bytes.
extern "C" __global__ void columns(float* out, const float* in, int pitch) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * pitch + x] = in[y * pitch + x];
}

// A column of 256 elements per group: eight groups next to each other share each sector.
extern "C" __global__ void by_column(float* out, const float* in, int pitch) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i % 256 * pitch + i / 256];
}
