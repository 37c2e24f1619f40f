// Products by wmma, of all types and shapes that are executed: each kernel multiplies one pair of matrices.
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;

/// d = a b + c of one warp; a is row after row or column after column, as its type says, and so on.
template <int m, int n, int k, class T, class Sum, class LayoutOfA, class LayoutOfB, class Number>
__device__ void multiply(const Number* a, int pitch_a, const Number* b, int pitch_b, Sum* c, int pitch_c,
                         wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutOfA> left;
  wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutOfB> right;
  wmma::fragment<wmma::accumulator, m, n, k, Sum> sums;
  wmma::load_matrix_sync(left, a, pitch_a);
  wmma::load_matrix_sync(right, b, pitch_b);
  wmma::load_matrix_sync(sums, c, pitch_c, layout);
  wmma::mma_sync(sums, left, right, sums);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = sums.x[i] + sums.x[i];
  wmma::store_matrix_sync(c, sums, pitch_c, layout);
}

using Rows = wmma::row_major;
using Columns = wmma::col_major;

extern "C" {

__global__ void halves_16(const __half* a, const __half* b, float* c, int pitch) {
  multiply<16, 16, 16, __half, float, Rows, Columns>(a, pitch, b, pitch, c, pitch, wmma::mem_row_major);
}
/// By way of shared memory, and with sums of halves.
__global__ void halves_8(const __half* a, const __half* b, __half* c, int pitch) {
  __shared__ __half tile[8 * 16];
  for (int i = threadIdx.x; i < 8 * 16; i += 32) tile[i] = a[i / 16 * pitch + i % 16];
  __syncwarp();
  multiply<8, 32, 16, __half, __half, Rows, Rows>(tile, 16, b, pitch, c, pitch, wmma::mem_col_major);
}
__global__ void halves_32(const __half* a, const __half* b, float* c, int pitch) {
  multiply<32, 8, 16, __half, float, Columns, Rows>(a, pitch, b, pitch, c, pitch, wmma::mem_row_major);
}
__global__ void brains(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int pitch) {
  multiply<16, 16, 16, __nv_bfloat16, float, Columns, Columns>(a, pitch, b, pitch, c, pitch, wmma::mem_col_major);
}
__global__ void bytes_of_matrices(const signed char* a, const signed char* b, int* c, int pitch) {
  multiply<32, 8, 16, signed char, int, Rows, Columns>(a, pitch, b, pitch, c, pitch, wmma::mem_row_major);
}
__global__ void bytes_without_sign(const unsigned char* a, const unsigned char* b, int* c, int pitch) {
  multiply<16, 16, 16, unsigned char, int, Columns, Rows>(a, pitch, b, pitch, c, pitch, wmma::mem_row_major);
}
__global__ void tensors(const float* a, const float* b, float* c, int pitch) {
  multiply<16, 16, 8, wmma::precision::tf32, float, Rows, Columns>(a, pitch, b, pitch, c, pitch, wmma::mem_row_major);
}
__global__ void doubles(const double* a, const double* b, double* c, int pitch) {
  multiply<8, 8, 4, double, double, Rows, Columns>(a, pitch, b, pitch, c, pitch, wmma::mem_row_major);
}
}
