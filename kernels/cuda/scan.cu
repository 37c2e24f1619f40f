// Prefix sums inside a group. Dynamic shared memory: 4 bytes an element.

extern __shared__ float tile[];

// Inclusive: log2(block) steps, at each of which every thread adds what lies a distance before it (Hillis and Steele).
// Launch: block (256), grid (n / 256); the block is a power of two, n a multiple of it; shared memory: 4 * block bytes.
// Arguments: in, out: n floats each.
extern "C" __global__ void scan_inclusive(const float* in, float* out) {
  const unsigned thread = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + thread;
  float sum = in[i];
  tile[thread] = sum;
  __syncthreads();
#pragma unroll 1
  for (unsigned distance = 1; distance < blockDim.x; distance *= 2) {
    if (thread >= distance) {
      sum += tile[thread - distance];
    }
    __syncthreads();
    tile[thread] = sum;
    __syncthreads();
  }
  out[i] = sum;
}

// Exclusive, two elements per thread: sums go up a tree and come down again (Blelloch). Fewer additions, but the places
// that a step reaches lie 2 * distance apart, so that up to 16 lanes meet in one bank.
// Launch: block (256), grid (n / 512); the block is a power of two, n a multiple of twice the block; shared memory:
// 8 * block bytes.
// Arguments: in, out: n floats each.
extern "C" __global__ void scan_work_efficient(const float* in, float* out) {
  const unsigned thread = threadIdx.x;
  const unsigned size = 2 * blockDim.x;
  const unsigned first = blockIdx.x * size;
  tile[thread] = in[first + thread];
  tile[thread + blockDim.x] = in[first + thread + blockDim.x];

  unsigned distance = 1;
#pragma unroll 1
  for (unsigned pairs = blockDim.x; pairs > 0; pairs /= 2) {
    __syncthreads();
    if (thread < pairs) {
      const unsigned left = distance * (2 * thread + 1) - 1;
      tile[left + distance] += tile[left];
    }
    distance *= 2;
  }
  if (thread == 0) {
    tile[size - 1] = 0.0f;
  }
#pragma unroll 1
  for (unsigned pairs = 1; pairs < size; pairs *= 2) {
    distance /= 2;
    __syncthreads();
    if (thread < pairs) {
      const unsigned left = distance * (2 * thread + 1) - 1;
      const float below = tile[left];
      const float above = tile[left + distance];
      tile[left] = above;
      tile[left + distance] = above + below;
    }
  }
  __syncthreads();
  out[first + thread] = tile[thread];
  out[first + thread + blockDim.x] = tile[thread + blockDim.x];
}
