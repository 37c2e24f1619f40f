// What nvcc 13.0 prints for kernels whose groups differ: triangular, ragged, periodic ones. kinds.ptx: nvcc -ptx
// -arch=sm_80 -lineinfo kinds.cu, with only the names left of the paths in .file lines.

// Softmax of the lower triangle of heads x tokens x tokens numbers, a row a warp, the longest rows first.
extern "C" __global__ void causal_softmax(int rows, int tokens, float scale, const float* in, float* out) {
  const int lane = threadIdx.x % 32;
  const int row = (gridDim.x - blockIdx.x - 1) * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  const int position = row % tokens;
  const float* x = in + (size_t)row * tokens;
  const int fours = position / 4;
  float largest = -1e30f;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = lane; i < fours; i += 32) {
    float before = largest;
    float value[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      value[k] = x[4 * i + k];
      largest = fmaxf(largest, value[k]);
    }
    sum *= expf(scale * (before - largest));
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += expf(scale * (value[k] - largest));
  }
  if (4 * fours + lane <= position) {
    const float before = largest;
    largest = fmaxf(largest, x[4 * fours + lane]);
    sum *= expf(scale * (before - largest));
    sum += expf(scale * (x[4 * fours + lane] - largest));
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, largest, distance);
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    largest = fmaxf(largest, other);
  }
#pragma unroll 1
  for (int i = lane; i <= position; i += 32) out[(size_t)row * tokens + i] = expf(scale * (x[i] - largest)) / sum;
}

// A step of an LU decomposition without pivoting: what lies right of and below the k-th element of the diagonal.
extern "C" __global__ void lu_step(int n, int k, float* A) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row > k && column > k && row < n && column < n) A[row * n + column] -= A[row * n + k] * A[k * n + column];
}

// The whole decomposition as dot products, an element per thread: row x column up to the diagonal.
extern "C" __global__ void lu_products(int n, const float* L, const float* U, float* A) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  const int last = row < column ? row : column;
  float sum = A[row * n + column];
#pragma unroll 1
  for (int i = 0; i < last; ++i) sum -= L[row * n + i] * U[i * n + column];
  A[row * n + column] = sum;
}

// C = L B with L lower triangular, in tiles of 16 x 16: those right of the diagonal are left out.
extern "C" __global__ void triangular_product(int n, const float* L, const float* B, float* C) {
  __shared__ float left[16][16];
  __shared__ float right[16][16];
  const int column = blockIdx.x * 16 + threadIdx.x;
  const int row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0.0f;
#pragma unroll 1
  for (int tile = 0; tile <= blockIdx.y; ++tile) {
    left[threadIdx.y][threadIdx.x] = L[row * n + tile * 16 + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = B[(tile * 16 + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

// y = A x with A in compressed rows, a row a warp.
extern "C" __global__ void csr_rows(int rows, const int* begins, const int* columns, const float* A, const float* x,
                                    float* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
#pragma unroll 1
  for (int i = begins[row] + lane; i < begins[row + 1]; i += 32) sum += A[i] * x[columns[i]];
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0) y[row] = sum;
}

// A binary indexed tree: the node of group g sums as many elements as the lowest bit of g + 1 says, times the threads.
extern "C" __global__ void tree_nodes(const float* in, float* nodes) {
  const unsigned group = blockIdx.x + 1;
  const unsigned leaves = group & (0u - group);
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned i = 0; i < leaves; ++i) sum += in[(group - leaves + i) * blockDim.x + threadIdx.x];
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0) atomicAdd(nodes + blockIdx.x, sum);
}

// Even groups copy, odd ones compute.
extern "C" __global__ void odd_even(int n, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = in[i];
  if (blockIdx.x % 2 == 1) {
#pragma unroll 1
    for (int k = 0; k < 50; ++k) value = value * value + 1.0f;
  }
  out[i] = value;
}

// A triangle of groups: one on or below the diagonal does as many steps as it is away from it, and 1.
extern "C" __global__ void triangle_of_groups(int n, const float* in, float* out) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (blockIdx.x > blockIdx.y) return;
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned k = blockIdx.x; k <= blockIdx.y; ++k) sum += in[k * n + column];
  out[row * n + column] = sum;
}

// Group g does g % 1000 steps.
extern "C" __global__ void thousand_kinds(const float* in, float* out) {
  const unsigned steps = blockIdx.x % 1000;
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned k = 0; k < steps; ++k) sum += in[k * blockDim.x + threadIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Correlations of the columns of a matrix: thread j with all columns behind it, element by element; only the sums of
// the upper triangle.
extern "C" __global__ void correlation(int columns, int rows, const float* data, float* sums) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= columns - 1) return;
#pragma unroll 1
  for (int k = j + 1; k < columns; ++k) {
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < rows; ++i) sum += data[i * columns + j] * data[i * columns + k];
    sums[j * columns + k] = sum;
  }
}

// Passes that differ: pass k of group g goes round the inner loop (7 k + g) % 11 times, and every third stores.
extern "C" __global__ void uneven_passes(int passes, const float* in, float* out) {
  float sum = in[threadIdx.x];
#pragma unroll 1
  for (unsigned k = 0; k < passes; ++k) {
    const unsigned steps = (7 * k + blockIdx.x) % 11;
#pragma unroll 1
    for (unsigned i = 0; i < steps; ++i) sum += in[i * blockDim.x + threadIdx.x];
    if ((k + blockIdx.x) % 3 == 0) out[(blockIdx.x * passes + k) * blockDim.x + threadIdx.x] = sum;
  }
}

// Attention of a head a column of the grid: a tile of queries against the tiles of keys up to its own, which is half.
extern "C" __global__ void causal_tiles(int tokens, const float* keys, const float* queries, float* out) {
  __shared__ float tile[32][33];
  const unsigned mine = gridDim.y - 1 - blockIdx.y;
  const float* head = keys + (size_t)blockIdx.x * tokens * 32;
  const float query = queries[((size_t)blockIdx.x * tokens + mine * 32 + threadIdx.y) * 32 + threadIdx.x];
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned other = 0; other <= mine; ++other) {
    tile[threadIdx.y][threadIdx.x] = head[(other * 32 + threadIdx.y) * 32 + threadIdx.x];
    __syncthreads();
    const unsigned last = other == mine ? threadIdx.y : 31;
#pragma unroll 1
    for (unsigned i = 0; i <= last; ++i) sum += query * tile[i][threadIdx.x];
    __syncthreads();
  }
  out[((size_t)blockIdx.x * tokens + mine * 32 + threadIdx.y) * 32 + threadIdx.x] = sum;
}
