// A library into which nvcc links its runtime (WARPIPE_LIBRARY), and a program that is linked with it or, with its path
// as an argument, loads it.
#include <cstdio>

#ifdef WARPIPE_LIBRARY

__global__ void scale(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2 * x[i] + 1;
}

extern "C" int scaled_on_device(float* x, int n) {
  float* there = nullptr;
  int version = 0;
  if (cudaRuntimeGetVersion(&version) != cudaSuccess || version / 1000 != CUDART_VERSION / 1000) return 1;
  if (cudaMalloc(&there, n * sizeof(float)) != cudaSuccess) return 2;
  cudaMemcpy(there, x, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(there, n);
  if (cudaGetLastError() != cudaSuccess) return 3;
  return cudaMemcpy(x, there, n * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess ? 0 : 4;
}

#else

#include <dlfcn.h>

extern "C" int scaled_on_device(float* x, int n) __attribute__((weak));

int main(int count, char** words) {
  auto scaled = scaled_on_device;
  if (count > 1) {
    void* const library = dlopen(words[1], RTLD_NOW);
    if (library == nullptr) std::puts(dlerror());
    if (library == nullptr) return 1;
    scaled = reinterpret_cast<decltype(scaled)>(dlsym(library, "scaled_on_device"));
  }
  float x[1000];
  for (int i = 0; i < 1000; ++i) x[i] = static_cast<float>(i);
  const int error = scaled(x, 1000);
  bool good = error == 0;
  for (int i = 0; i < 1000; ++i) good = good && x[i] == static_cast<float>(2 * i + 1);
  std::printf("%s %d\n", good ? "PASS" : "FAIL", error);
  return good ? 0 : 1;
}

#endif
