// CUDA programs of our own, for where an nvcc is: check_nvcc.py builds them with the runtime as a library and linked in.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <queue>
#include <vector>

#define CHECK(call)                                                                  \
  if (cudaError_t error = (call)) {                                                  \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));              \
    std::exit(1);                                                                    \
  }

__constant__ float factors[4];
__device__ int found = 0;

// ---- a sum over rows of a sparse matrix ----
__global__ void spmv(int rows, const int* begins, const int* columns, const float* values, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = begins[row]; i < begins[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum * factors[1];
}

// ---- levels of a graph, a launch each ----
__global__ void visit(int nodes, const int* begins, const int* columns, int* level, int depth, int* changed) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || level[node] != depth) return;
  for (int i = begins[node]; i < begins[node + 1]; ++i)
    if (atomicCAS(&level[columns[i]], -1, depth + 1) == -1) *changed = 1;
}

// ---- a hash table ----
__global__ void insert(int n, const unsigned* keys, unsigned* table, unsigned size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned slot = (key * 2654435761u) % size;
  while (true) {
    const unsigned before = atomicCAS(&table[slot], 0u, key);
    if (before == 0 || before == key) break;
    slot = (slot + 1) % size;
  }
  atomicAdd(&found, 1);
}

// ---- groups that hand on numbers behind barriers of the grid ----
__global__ void hand_on(int* from, int* to, int times) {
  const auto grid = cooperative_groups::this_grid();
  for (int i = 0; i < times; ++i) {
    if (threadIdx.x == 0) to[(blockIdx.x + 1) % gridDim.x] = from[blockIdx.x] + 1;
    grid.sync();
    int* const other = from;
    from = to;
    to = other;
  }
}

// ---- functions in a table, and handed over by the program ----
__device__ float squared(float x) { return x * x; }
__device__ float cubed(float x) { return x * x * x; }
using Of = float (*)(float);
__device__ Of powers[2] = {squared, cubed};
__device__ Of last = cubed;
__global__ void apply(float* y, Of given) {
  const int i = threadIdx.x;
  y[i] = powers[i % 2](static_cast<float>(i)) + given(1);
}

struct Graph {
  std::vector<int> begins{0}, columns;
};

Graph random_graph(int nodes) {
  Graph graph;
  for (int node = 0; node < nodes; ++node) {
    for (int k = std::rand() % 6; k >= 0; --k) graph.columns.push_back(std::rand() % nodes);
    graph.begins.push_back(static_cast<int>(graph.columns.size()));
  }
  return graph;
}

template <class T>
T* on_device(const std::vector<T>& values) {
  T* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return pointer;
}

bool sparse(bool compare) {
  const int rows = 3000;
  const auto graph = random_graph(rows);
  std::vector<float> values(graph.columns.size()), x(rows), y(rows);
  for (auto& v : values) v = static_cast<float>(std::rand() % 10);
  for (auto& v : x) v = static_cast<float>(std::rand() % 10);
  const float given[4] = {1, 2, 3, 4};
  CHECK(cudaMemcpyToSymbol(factors, given, sizeof given));
  auto* const dy = on_device(y);
  spmv<<<(rows + 127) / 128, 128>>>(rows, on_device(graph.begins), on_device(graph.columns), on_device(values),
                                    on_device(x), dy);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(y.data(), dy, rows * sizeof(float), cudaMemcpyDeviceToHost));
  for (int row = 0; compare && row < rows; ++row) {
    float sum = 0;
    for (int i = graph.begins[row]; i < graph.begins[row + 1]; ++i) sum += values[i] * x[graph.columns[i]];
    if (y[row] != 2 * sum) return false;
  }
  return true;
}

bool levels(bool compare) {
  const int nodes = 4000;
  const auto graph = random_graph(nodes);
  std::vector<int> level(nodes, -1), wanted(nodes, -1);
  level[0] = wanted[0] = 0;
  auto *const begins = on_device(graph.begins), *const columns = on_device(graph.columns), *const dl = on_device(level);
  int* changed = nullptr;
  CHECK(cudaMallocManaged(&changed, sizeof(int)));
  *changed = 1;
  int depth = 0;
  for (; *changed != 0 && depth < nodes; ++depth) {
    *changed = 0;
    visit<<<(nodes + 255) / 256, 256>>>(nodes, begins, columns, dl, depth, changed);
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaMemcpy(level.data(), dl, nodes * sizeof(int), cudaMemcpyDeviceToHost));
  std::queue<int> next({0});
  for (; !next.empty(); next.pop())
    for (int i = graph.begins[next.front()]; i < graph.begins[next.front() + 1]; ++i)
      if (const int to = graph.columns[i]; wanted[to] < 0) {
        wanted[to] = wanted[next.front()] + 1;
        next.push(to);
      }
  return !compare || level == wanted;
}

bool table(bool compare) {
  const int n = 10000;
  std::vector<unsigned> keys(n), slots(1 << 15, 0);
  for (auto& key : keys) key = 1 + static_cast<unsigned>(std::rand());
  auto* const d = on_device(slots);
  insert<<<(n + 255) / 256, 256>>>(n, on_device(keys), d, static_cast<unsigned>(slots.size()));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(slots.data(), d, slots.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, found, sizeof count));
  if (!compare) return true;
  if (count != n) return false;
  for (const auto key : keys) {
    unsigned slot = (key * 2654435761u) % slots.size();
    while (slots[slot] != 0 && slots[slot] != key) slot = (slot + 1) % slots.size();
    if (slots[slot] != key) return false;
  }
  return true;
}

bool hand_around(bool compare) {
  constexpr int kGroups = 40, kTimes = 6;
  std::vector<int> numbers(kGroups);
  for (int i = 0; i < kGroups; ++i) numbers[i] = 100 * i;
  int *from = on_device(numbers), *to = on_device(numbers), times = kTimes;
  void* arguments[] = {&from, &to, &times};
  const auto* const kernel = reinterpret_cast<void*>(hand_on);
  CHECK(cudaLaunchCooperativeKernel(kernel, kGroups, 64, arguments, 0, nullptr));
  CHECK(cudaMemcpy(numbers.data(), from, kGroups * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < kGroups && compare; ++i)
    if (numbers[(i + kTimes) % kGroups] != 100 * i + kTimes) return false;
  // More groups than reside at once would wait for ever.
  return cudaLaunchCooperativeKernel(kernel, 100000, 64, arguments, 0, nullptr) == cudaErrorCooperativeLaunchTooLarge &&
         cudaGetLastError() != cudaSuccess;
}

bool functions(bool compare) {
  std::vector<float> y(64);
  auto* const d = on_device(y);
  Of given = nullptr;
  CHECK(cudaMemcpyFromSymbol(&given, last, sizeof given));
  apply<<<1, 64>>>(d, given);
  CHECK(cudaMemcpy(y.data(), d, y.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64 && compare; ++i)
    if (y[i] != static_cast<float>(i % 2 == 0 ? i * i : i * i * i) + 1) return false;
  return true;
}

int main() {
  const bool compare = std::getenv("DRIVER_CHECKS") != nullptr;  // where kernels are executed
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  std::printf("%s, %d.%d, %d units, %zu bytes shared\n", device.name, device.major, device.minor,
              device.multiProcessorCount, device.sharedMemPerBlockOptin);
  if (!sparse(compare) || !levels(compare) || !table(compare) || !hand_around(compare) ||
      !functions(compare)) {
    std::puts("FAIL");
    return 1;
  }
  std::puts("PASS");
  return 0;
}
