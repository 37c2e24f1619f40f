// Transpose of an n x n matrix of floats: out[x][y] = in[y][x]. Three forms, which differ in how they reach memory.
//
// Launch of all three: block (32, 8), grid (n / 32, n / 32); n is a multiple of 32. A group moves a tile of 32 x 32,
// each thread four elements of it, eight rows apart.
// Arguments: n; in, out: n * n floats each.

const int tile_size = 32;
const int rows = 8;

// Straight from one to the other: a warp loads 32 neighbours (4 segments of 32 bytes) and stores into 32 rows (32
// segments).
extern "C" __global__ void transpose_naive(int n, const float* in, float* out) {
  const int x = blockIdx.x * tile_size + threadIdx.x;
  const int y = blockIdx.y * tile_size + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile_size; j += rows) {
    out[x * n + y + j] = in[(y + j) * n + x];
  }
}

// Through a tile in shared memory: loads and stores both touch neighbours. A column of the tile lies in one
// bank: its 32 lanes are served one after the other.
extern "C" __global__ void transpose_tiled(int n, const float* in, float* out) {
  __shared__ float tile[tile_size][tile_size];
  const int x = blockIdx.x * tile_size + threadIdx.x;
  const int y = blockIdx.y * tile_size + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile_size; j += rows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  }
  __syncthreads();
  const int out_x = blockIdx.y * tile_size + threadIdx.x;
  const int out_y = blockIdx.x * tile_size + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile_size; j += rows) {
    out[(out_y + j) * n + out_x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

// The same with a column of padding, which puts the elements of a column into 32 different banks.
extern "C" __global__ void transpose_padded(int n, const float* in, float* out) {
  __shared__ float tile[tile_size][tile_size + 1];
  const int x = blockIdx.x * tile_size + threadIdx.x;
  const int y = blockIdx.y * tile_size + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile_size; j += rows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  }
  __syncthreads();
  const int out_x = blockIdx.y * tile_size + threadIdx.x;
  const int out_y = blockIdx.x * tile_size + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile_size; j += rows) {
    out[(out_y + j) * n + out_x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

// The last of them, with as many rows of threads as are asked for: the fewer, the more elements per thread moves, all
// loads of which are under way before the first store.
template <int thread_rows>
__device__ void transpose_padded_by(int n, const float* in, float* out) {
  __shared__ float tile[tile_size][tile_size + 1];
  const int x = blockIdx.x * tile_size + threadIdx.x;
  const int y = blockIdx.y * tile_size + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile_size; j += thread_rows) {
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  }
  __syncthreads();
  const int out_x = blockIdx.y * tile_size + threadIdx.x;
  const int out_y = blockIdx.x * tile_size + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile_size; j += thread_rows) {
    out[(out_y + j) * n + out_x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

// One element per thread; launch: block (32, 32).
extern "C" __global__ void transpose_padded_1(int n, const float* in, float* out) {
  transpose_padded_by<32>(n, in, out);
}

// Sixteen elements per thread; launch: block (32, 2).
extern "C" __global__ void transpose_padded_16(int n, const float* in, float* out) {
  transpose_padded_by<2>(n, in, out);
}
