// saxpy: y = a x + y on n single-precision numbers.

// One element per thread.
// Launch: block (256), grid (ceil(n / 256)); any block size works.
// Arguments: n elements; a; x and y: n floats each, y is overwritten.
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

// The same with a loop that strides over the grid, so that a grid of any size covers the array.
// Launch: block (256), any grid; a thread takes ceil((n - its index) / (grid x block)) trips.
// Arguments: as above.
extern "C" __global__ void saxpy_grid_stride(int n, float a, const float* x, float* y) {
  const int stride = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    y[i] = a * x[i] + y[i];
  }
}
