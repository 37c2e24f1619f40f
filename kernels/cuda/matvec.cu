// Matrix-vector product y = A x; A is row by row in memory.

// One row a thread: the lanes of a warp read A a row apart (32 segments a load), and x at one address.
// Launch: block (128), grid (ceil(rows / 128)); any block size works.
// Arguments: rows, columns; A: rows * columns floats; x: columns floats; y: rows floats.
extern "C" __global__ void matvec_row_a_thread(int rows, int columns, const float* A, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < columns; ++k) {
    sum += A[row * columns + k] * x[k];
  }
  y[row] = sum;
}

// One row a warp: the lanes read neighbours, then pass their sums from lane to lane.
// Launch: block (32, 4), grid (ceil(rows / 4)); a warp is a row of the block.
// Arguments: as above.
extern "C" __global__ void matvec_row_a_warp(int rows, int columns, const float* A, const float* x, float* y) {
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) {
    return;
  }
  float sum = 0.0f;
#pragma unroll 1
  for (int k = lane; k < columns; k += 32) {
    sum += A[row * columns + k] * x[k];
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  }
  if (lane == 0) {
    y[row] = sum;
  }
}
