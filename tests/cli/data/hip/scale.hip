// A whole program: a launch by <<<>>>, checks of every call, containers and streams of the standard library.
#include <hip/hip_runtime.h>

#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#define HIP_CHECK(call)                                                                            \
  do {                                                                                             \
    const hipError_t error = (call);                                                               \
    if (error != hipSuccess) {                                                                     \
      std::cerr << hipGetErrorString(error) << " at " << __FILE__ << ':' << __LINE__ << std::endl; \
      std::exit(EXIT_FAILURE);                                                                     \
    }                                                                                              \
  } while (0)

__global__ void scale(const float* in, float* out, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by * in[i];
}

int main() {
  const int n = 1 << 20;
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  std::cout << properties.name << ", waves of " << properties.warpSize << '\n';
  float *in = nullptr, *out = nullptr;
  HIP_CHECK(hipMalloc(&in, n * sizeof(float)));
  HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&out), n * sizeof(float)));
  HIP_CHECK(hipMemcpy(in, values.data(), n * sizeof(float), hipMemcpyHostToDevice));
  scale<<<dim3((n + 255) / 256), 256, 0, hipStreamDefault>>>(in, out, 2.0f, n);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipMemcpy(values.data(), out, n * sizeof(float), hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(in));
  HIP_CHECK(hipFree(out));
  std::cout << values.back() << std::endl;
}
