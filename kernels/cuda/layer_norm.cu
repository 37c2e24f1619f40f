// Layer norm of every row of a matrix: out = (in - mean) / sqrt(variance + epsilon) * gain + bias.

// The sum of a number of each lane of a warp, in every lane.
__device__ float over_warp(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  }
  return value;
}

// One row a warp, so that no barrier is needed; mean first, then the variance around it.
// Launch: block (32, 4), grid (ceil(rows / 4)); a warp is a row of the block.
// Arguments: rows, columns; epsilon; in, out: rows * columns floats each; gain, bias: columns floats each.
extern "C" __global__ void layer_norm(int rows, int columns, float epsilon, const float* in, const float* gain,
                                      const float* bias, float* out) {
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) {
    return;
  }
  in += row * columns;
  out += row * columns;

  float sum = 0.0f;
#pragma unroll 1
  for (int i = lane; i < columns; i += 32) {
    sum += in[i];
  }
  const float mean = over_warp(sum) / columns;

  float squares = 0.0f;
#pragma unroll 1
  for (int i = lane; i < columns; i += 32) {
    const float off = in[i] - mean;
    squares += off * off;
  }
  const float scale = rsqrtf(over_warp(squares) / columns + epsilon);

#pragma unroll 1
  for (int i = lane; i < columns; i += 32) {
    out[i] = (in[i] - mean) * scale * gain[i] + bias[i];
  }
}
