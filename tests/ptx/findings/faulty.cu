// Kernels with one fault each, at the line that names the kernel; `NAME_mended` does the same work without it.
//
//     nvcc -ptx -lineinfo -arch=sm_90 -o faulty.ptx faulty.cu
#define KERNEL extern "C" __global__ void

constexpr int kTile = 32, kRows = 8;

KERNEL columns_written(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    const float value = in[(y + j) * n + x];
    out[x * n + y + j] = value;  // fault of columns_written
  }
}

KERNEL columns_read(float* __restrict__ out, const float* __restrict__ in, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) {
    const float value = in[x * n + y + j];  // fault of columns_read
    out[(y + j) * n + x] = value;
  }
}

KERNEL tile_columns(float* __restrict__ out, const float* __restrict__ in, int n) {
  __shared__ float tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  for (int j = 0; j < kTile; j += kRows) tile[y + j][x] = in[(top + y + j) * n + left + x];
  __syncthreads();
  for (int j = 0; j < kTile; j += kRows) {
    const float value = tile[x][y + j];  // fault of tile_columns
    out[(left + y + j) * n + top + x] = value;
  }
}

KERNEL tile_columns_mended(float* __restrict__ out, const float* __restrict__ in, int n) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * kTile, top = blockIdx.y * kTile;
  for (int j = 0; j < kTile; j += kRows) tile[y + j][x] = in[(top + y + j) * n + left + x];
  __syncthreads();
  for (int j = 0; j < kTile; j += kRows) out[(left + y + j) * n + top + x] = tile[x][y + j];
}

struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};

KERNEL structs_read(float* __restrict__ out, const Particle* __restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float mass = in[i].mass;  // fault of structs_read
  out[i] = 2 * mass;
}

KERNEL structs_read_mended(float* __restrict__ out, const float* __restrict__ masses) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * masses[i];
}

KERNEL row_per_thread(float* __restrict__ out, const float* __restrict__ in, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < columns; ++i)
    sum += in[row * columns + i];  // fault of row_per_thread
  out[row] = sum;
}

KERNEL row_per_thread_mended(float* __restrict__ out, const float* __restrict__ in, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, rows = gridDim.x * blockDim.x;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += in[i * rows + row];
  out[row] = sum;
}

KERNEL interleaved_sum(float* __restrict__ out, const float* __restrict__ in, int rounds) {
  __shared__ float part[2048];
  const int t = threadIdx.x;
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    part[t] = part[t + 1024] = in[(blockIdx.x * rounds + round) * 1024 + t];
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += part[(16 * t + i) & 2047];  // fault of interleaved_sum
    __syncthreads();
  }
  out[blockIdx.x * 1024 + t] = sum;
}

KERNEL interleaved_sum_mended(float* __restrict__ out, const float* __restrict__ in, int rounds) {
  __shared__ float part[2048];
  const int t = threadIdx.x;
  float sum = 0;
  for (int round = 0; round < rounds; ++round) {
    part[t] = part[t + 1024] = in[(blockIdx.x * rounds + round) * 1024 + t];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += part[(t + 64 * i) & 2047];
    __syncthreads();
  }
  out[blockIdx.x * 1024 + t] = sum;
}

KERNEL shared_structs(float* __restrict__ out, const float* __restrict__ in, int rounds) {
  __shared__ float bodies[256][4];
  const int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) bodies[t][k] = in[(blockIdx.x * 4 + k) * 256 + t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < rounds; ++i)
    sum += bodies[(t + i) & 255][2];  // fault of shared_structs
  out[blockIdx.x * 256 + t] = sum;
}

KERNEL shared_structs_mended(float* __restrict__ out, const float* __restrict__ in, int rounds) {
  __shared__ float bodies[4][256];
  const int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) bodies[k][t] = in[(blockIdx.x * 4 + k) * 256 + t];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < rounds; ++i) sum += bodies[2][(t + i) & 255];
  out[blockIdx.x * 256 + t] = sum;
}

KERNEL bins_together(unsigned* __restrict__ out, int rounds) {
  __shared__ unsigned bins[256];
  const int t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
  for (int i = 0; i < rounds; ++i)
    atomicAdd(&bins[(32 * (t & 7) + 3 * i) & 255], 1u);  // fault of bins_together
  __syncthreads();
  out[blockIdx.x * 256 + t] = bins[t];
}

KERNEL bins_together_mended(unsigned* __restrict__ out, int rounds) {
  __shared__ unsigned bins[256];
  const int t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
  for (int i = 0; i < rounds; ++i) atomicAdd(&bins[(t + 3 * i) & 255], 1u);
  __syncthreads();
  out[blockIdx.x * 256 + t] = bins[t];
}

KERNEL one_counter(int* __restrict__ counter, const float* __restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(counter, in[i] > 0);  // fault of one_counter
}

KERNEL one_counter_mended(int* __restrict__ counter, const float* __restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int count = __syncthreads_count(in[i] > 0);
  if (threadIdx.x == 0) atomicAdd(counter, count);
}

KERNEL double_constant(float* __restrict__ out, const float* __restrict__ in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  for (int step = 0; step < steps; ++step)
    value = value * 0.99 + 0.01;  // fault of double_constant
  out[i] = value;
}

KERNEL double_constant_mended(float* __restrict__ out, const float* __restrict__ in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  for (int step = 0; step < steps; ++step) value = value * 0.99f + 0.01f;
  out[i] = value;
}

KERNEL division(float* __restrict__ out, const float* __restrict__ in, float by, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  for (int step = 0; step < steps; ++step)
    value = value / by + value;  // fault of division
  out[i] = value;
}

KERNEL untiled_product(float* __restrict__ c, const float* __restrict__ a, const float* __restrict__ b, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];  // fault of untiled_product
  c[y * n + x] = sum;
}

KERNEL large_shared(float* __restrict__ out, const float* __restrict__ in) {
  extern __shared__ float buffer[];  // fault of large_shared: 100 kB for 128 threads
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  buffer[t] = in[i];
  __syncthreads();
  out[i] = buffer[127 - t] + buffer[t];
}

KERNEL many_registers(float* __restrict__ out, const float* __restrict__ in) {  // fault of many_registers
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 3 * in[i] + 1;
}

KERNEL few_groups(float* __restrict__ out, const float* __restrict__ in, int steps) {  // fault of few_groups
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  for (int step = 0; step < steps; ++step) value = value * 0.99f + 0.01f;
  out[i] = value;
}

KERNEL last_round(float* __restrict__ out, const float* __restrict__ in, int steps) {  // fault of last_round
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = a + 1, c = a + 2, d = a + 3;
  for (int step = 0; step < steps; ++step) {
    a = a * 0.99f + 0.01f, b = b * 0.99f + 0.01f;
    c = c * 0.99f + 0.01f, d = d * 0.99f + 0.01f;
  }
  out[i] = a + b + c + d;
}

KERNEL groups_of_a_warp(float* __restrict__ out, const float* __restrict__ in) {  // fault of groups_of_a_warp
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 3 * in[i] + 1;
}

KERNEL load_after_load(float* __restrict__ out, const float* __restrict__ in, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    sum += in[round * threads + i];  // fault of load_after_load
  out[i] = sum;
}

KERNEL load_after_load_mended(float* __restrict__ out, const float* __restrict__ in, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) sum += in[round * threads + i];
  out[i] = sum;
}

KERNEL indexed_array(float* __restrict__ out, const float* __restrict__ in, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float kept[64];
  for (int k = 0; k < 64; ++k) kept[k] = in[i] + k;
  float sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
    sum += kept[(7 * round + threadIdx.x) & 63];  // fault of indexed_array
  out[i] = sum;
}

KERNEL one_lane_works(float* __restrict__ out, const float* __restrict__ in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  if (threadIdx.x % 32 == 0)
    for (int step = 0; step < 32 * steps; ++step)
      value = value * 0.99f + 0.01f;  // fault of one_lane_works
  out[i] = value;
}

KERNEL one_lane_works_mended(float* __restrict__ out, const float* __restrict__ in, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = in[i];
  for (int step = 0; step < steps; ++step) value = value * 0.99f + 0.01f;
  out[i] = value;
}
