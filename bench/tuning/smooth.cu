// The mean of a point and its four neighbours over an image, as a space of variants. The macros ROWS and COLUMNS (points
// of a thread at a time) and READ_ONLY choose what is compiled; the block, and how many times a thread goes down by the
// height of its group, are chosen at the launch.

#if READ_ONLY
#define LOAD(at) __ldg(from + (at))
#else
#define LOAD(at) from[at]
#endif

extern "C" __global__ void smooth(const float *__restrict__ from, float *__restrict__ to, int width, int height,
                                  int times) {
  int column = blockIdx.x * blockDim.x * COLUMNS + threadIdx.x;
  int row = (blockIdx.y * times * blockDim.y + threadIdx.y) * ROWS;
#pragma unroll 1
  for (int time = 0; time < times; time++, row += blockDim.y * ROWS)
#pragma unroll
    for (int i = 0; i < COLUMNS; i++)
#pragma unroll
      for (int j = 0; j < ROWS; j++) {
        int x = column + i * blockDim.x, y = row + j;
        size_t at = size_t(y) * width + x;
        if (x >= 1 && y >= 1 && x < width - 1 && y < height - 1)
          to[at] = (LOAD(at) + LOAD(at - 1) + LOAD(at + 1) + LOAD(at - width) + LOAD(at + width)) * 0.2f;
      }
}
