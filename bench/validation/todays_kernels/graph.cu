// Graphs in CSR: search, ranks, labels, shortest paths, triangles.
#include <cuda_runtime.h>

// One level of a breadth-first search: a thread per vertex of the frontier, neighbours are claimed by compare-and-swap.
__global__ void __launch_bounds__(256)
    bfs_top_down(int frontier_size, int level, const int* __restrict__ frontier, const int* __restrict__ begins,
                 const int* __restrict__ neighbours, int* __restrict__ levels, int* __restrict__ next,
                 int* __restrict__ next_size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  const int vertex = frontier[i];
  const int end = begins[vertex + 1];
  for (int edge = begins[vertex]; edge < end; ++edge) {
    const int other = neighbours[edge];
    if (levels[other] < 0 && atomicCAS(&levels[other], -1, level + 1) == -1) next[atomicAdd(next_size, 1)] = other;
  }
}

// One step of PageRank, pulled: a warp per vertex sums what its neighbours send.
__global__ void __launch_bounds__(256)
    page_rank_pull(int vertices, float damping, const int* __restrict__ begins, const int* __restrict__ neighbours,
                   const float* __restrict__ shares, const int* __restrict__ degrees, float* __restrict__ ranks,
                   float* __restrict__ next_shares) {
  const int vertex = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (vertex >= vertices) return;
  const int begin = begins[vertex], end = begins[vertex + 1];
  float sum = 0.0f;
  for (int edge = begin + lane; edge < end; edge += 32) sum += __ldg(&shares[neighbours[edge]]);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
  if (lane == 0) {
    const float rank = (1.0f - damping) / vertices + damping * sum;
    ranks[vertex] = rank;
    next_shares[vertex] = rank / max(degrees[vertex], 1);
  }
}

// Labels of connected parts: each edge puts the smaller label on both of its ends until nothing changes.
__global__ void __launch_bounds__(256)
    label_propagation(int edges, const int2* __restrict__ ends, int* __restrict__ labels, int* __restrict__ changed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool mine = false;
  if (i < edges) {
    const int2 edge = ends[i];
    const int a = labels[edge.x], b = labels[edge.y];
    if (a < b)
      mine = atomicMin(&labels[edge.y], a) > a;
    else if (b < a)
      mine = atomicMin(&labels[edge.x], b) > b;
  }
  if (__syncthreads_or(mine) && threadIdx.x == 0) *changed = 1;
}

// Bellman-Ford: a thread per vertex relaxes its edges, but only where its distance has changed.
__global__ void __launch_bounds__(256)
    relax_edges(int vertices, const int* __restrict__ begins, const int* __restrict__ neighbours,
                const int* __restrict__ weights, const unsigned char* __restrict__ active, int* __restrict__ distances,
                unsigned char* __restrict__ next_active) {
  const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= vertices || active[vertex] == 0) return;
  const int distance = distances[vertex];
  for (int edge = begins[vertex]; edge < begins[vertex + 1]; ++edge) {
    const int other = neighbours[edge], through = distance + weights[edge];
    if (through < distances[other]) {
      atomicMin(&distances[other], through);
      next_active[other] = 1;
    }
  }
}

// Triangles: a thread per edge walks through both sorted lists of neighbours at once.
__global__ void __launch_bounds__(128)
    count_triangles(int edges, const int2* __restrict__ ends, const int* __restrict__ begins,
                    const int* __restrict__ neighbours, unsigned long long* __restrict__ total) {
  int count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < edges; i += gridDim.x * blockDim.x) {
    const int2 edge = ends[i];
    int a = begins[edge.x], b = begins[edge.y];
    const int a_end = begins[edge.x + 1], b_end = begins[edge.y + 1];
    while (a < a_end && b < b_end) {
      const int u = neighbours[a], v = neighbours[b];
      count += u == v;
      a += u <= v;
      b += v <= u;
    }
  }
  count = __reduce_add_sync(0xffffffffu, count);
  if (threadIdx.x % 32 == 0) atomicAdd(total, static_cast<unsigned long long>(count));
}
