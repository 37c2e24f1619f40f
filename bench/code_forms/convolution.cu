// A filter of 15 x 15 over an image of 4096 x 4096, as a space of variants: a kernel of our own after the description of
// the kernel that was timed (README.md). The macros BX, BY (block), TX, TY (outputs per thread), READ_ONLY and PADDING
// choose the variant.

constexpr int kImage = 4096, kFilter = 15, kBorder = kFilter - 1;
constexpr int kWidth = BX * TX + kBorder, kHeight = BY * TY + kBorder;
// With padding a row begins at the bank of the row before it, where blocks are not whole warps wide.
constexpr int kPadding = PADDING && BX % 32 != 0 ? (32 - kWidth % 32) % 32 : 0;

__constant__ float filter[kFilter * kFilter];

extern "C" __global__ void __launch_bounds__(BX *BY) convolution(float *__restrict__ output, const float *input) {
  __shared__ float tile[kHeight][kWidth + kPadding];
  int left = blockIdx.x * BX * TX, top = blockIdx.y * BY * TY;
#pragma unroll
  for (int y = threadIdx.y; y < kHeight; y += BY)
#pragma unroll
    for (int x = threadIdx.x; x < kWidth; x += BX)
      if (top + y < kImage + kBorder && left + x < kImage + kBorder) {
        const float *from = input + (top + y) * (kImage + kBorder) + left + x;
        tile[y][x] = READ_ONLY ? __ldg(from) : *from;
      }
  __syncthreads();

  float sums[TY][TX] = {};
#pragma unroll
  for (int i = 0; i < kFilter; i++)
#pragma unroll
    for (int j = 0; j < kFilter; j++)
#pragma unroll
      for (int y = 0; y < TY; y++)
#pragma unroll
        for (int x = 0; x < TX; x++)
          sums[y][x] += tile[threadIdx.y + y * BY + i][threadIdx.x + x * BX + j] * filter[i * kFilter + j];

#pragma unroll
  for (int y = 0; y < TY; y++)
#pragma unroll
    for (int x = 0; x < TX; x++) {
      int row = top + threadIdx.y + y * BY, column = left + threadIdx.x + x * BX;
      if (row < kImage && column < kImage) output[row * kImage + column] = sums[y][x];
    }
}
