// An assertion that fails in the second group: an error of its own, from then on.
#include <cassert>
#include <cstdio>

__global__ void asserts(const int* data, int most) {
  assert(data[blockIdx.x * blockDim.x + threadIdx.x] < most && "too large");
}

int main() {
  int numbers[64], *data = nullptr;
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  cudaMalloc(&data, sizeof numbers);
  cudaMemcpy(data, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  asserts<<<2, 32>>>(data, 62);
  const auto error = cudaDeviceSynchronize(), again = cudaMemcpy(numbers, data, sizeof numbers, cudaMemcpyDeviceToHost);
  std::printf("%d %s, again %d\n", error, cudaGetErrorString(error), again);
  return 0;
}
