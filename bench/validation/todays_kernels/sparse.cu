// Products with sparse matrices.
#include <cuda_runtime.h>

// CSR, a thread per row.
__global__ void __launch_bounds__(128)
    spmv_csr_scalar(int rows, const int* __restrict__ row_begins, const int* __restrict__ columns,
                    const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = row_begins[row]; i < row_begins[row + 1]; ++i) sum += values[i] * __ldg(&x[columns[i]]);
  y[row] = sum;
}

// CSR, kLanes lanes per row, sums by shuffles.
template <int kLanes>
__global__ void __launch_bounds__(256)
    spmv_csr_vector(int rows, const int* __restrict__ row_begins, const int* __restrict__ columns,
                    const double* __restrict__ values, const double* __restrict__ x, double* __restrict__ y) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = thread / kLanes, lane = thread % kLanes;
  if (row >= rows) return;
  const int end = row_begins[row + 1];
  double sum = 0.0;
  for (int i = row_begins[row] + lane; i < end; i += kLanes) sum = fma(values[i], __ldg(&x[columns[i]]), sum);
#pragma unroll
  for (int step = kLanes / 2; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step, kLanes);
  if (lane == 0) y[row] = sum;
}
template __global__ void spmv_csr_vector<8>(int, const int*, const int*, const double*, const double*, double*);
template __global__ void spmv_csr_vector<32>(int, const int*, const int*, const double*, const double*, double*);

// ELLPACK: every row has as many places, columns of -1 are empty.
__global__ void __launch_bounds__(256)
    spmv_ell(int rows, int width, const int* __restrict__ columns, const float* __restrict__ values,
             const float* __restrict__ x, float* __restrict__ y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int i = 0; i < width; ++i) {
    const int column = columns[static_cast<size_t>(i) * rows + row];
    if (column >= 0) sum += values[static_cast<size_t>(i) * rows + row] * __ldg(&x[column]);
  }
  y[row] = sum;
}

// COO: a thread per element, sums by atomics.
__global__ void __launch_bounds__(256)
    spmv_coo(int elements, const int* __restrict__ rows, const int* __restrict__ columns,
             const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements) atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}

// CSR times a dense matrix: a warp per row and 128 columns, elements are handed around by shuffles.
__global__ void __launch_bounds__(128)
    spmm_csr(int rows, int cols, const int* __restrict__ row_begins, const int* __restrict__ columns,
             const float* __restrict__ values, const float* __restrict__ dense, float* __restrict__ out) {
  const int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int begin = row_begins[row], end = row_begins[row + 1];
  const int col = blockIdx.y * 128 + lane * 4;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int base = begin; base < end; base += 32) {
    const int mine = base + lane;
    const int column = mine < end ? columns[mine] : 0;
    const float value = mine < end ? values[mine] : 0.0f;
    const int count = min(32, end - base);
    for (int i = 0; i < count; ++i) {
      const float v = __shfl_sync(0xffffffffu, value, i);
      const int c = __shfl_sync(0xffffffffu, column, i);
      const float4 d = *reinterpret_cast<const float4*>(&dense[static_cast<size_t>(c) * cols + col]);
      sum.x = fmaf(v, d.x, sum.x);
      sum.y = fmaf(v, d.y, sum.y);
      sum.z = fmaf(v, d.z, sum.z);
      sum.w = fmaf(v, d.w, sum.w);
    }
  }
  *reinterpret_cast<float4*>(&out[static_cast<size_t>(row) * cols + col]) = sum;
}
