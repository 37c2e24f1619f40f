// Histogram of 256 bins.

// A group counts into bins of its own in shared memory with atomic additions, then adds them to the result, one
// global atomic addition a thread.
// Launch: block (256), any grid; a thread takes ceil((n - its index) / (grid x block)) trips.
// Arguments: n elements; data: n unsigned numbers, of which the lowest byte is counted; bins: 256 counts, added to.
extern "C" __global__ void histogram(int n, const unsigned* data, unsigned* bins) {
  __shared__ unsigned counts[256];
  const int thread = threadIdx.x;
  const int stride = gridDim.x * 256;
  counts[thread] = 0;
  __syncthreads();
#pragma unroll 1
  for (int i = blockIdx.x * 256 + thread; i < n; i += stride) {
    atomicAdd(&counts[data[i] & 255u], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[thread], counts[thread]);
}
