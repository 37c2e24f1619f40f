// A whole program: hipLaunchKernelGGL of a template, events, a class around memory, lambdas, mathematics on both sides.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

void check(hipError_t error, const std::string& what) {
  if (error != hipSuccess) throw std::runtime_error(what + ": " + hipGetErrorName(error));
}

template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t size) : size_(size) { check(hipMalloc((void**)&data_, size * sizeof(T)), "hipMalloc"); }
  ~Buffer() { (void)hipFree(data_); }
  T* get() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

}  // namespace

__host__ __device__ constexpr int groups_for(int n, int size) { return (n + size - 1) / size; }

/// A sum of roots for each group of kSize threads.
template <int kSize>
__global__ void __launch_bounds__(kSize) sums(const float* in, float* out) {
  __shared__ float part[kSize];
  const unsigned lane = threadIdx.x;
  part[lane] = sqrtf(std::max(in[blockIdx.x * kSize + lane], 0.0f));
  __syncthreads();
  for (unsigned half = kSize / 2; half > 0; half /= 2) {
    if (lane < half) part[lane] += part[lane + half];
    __syncthreads();
  }
  if (lane == 0) out[blockIdx.x] = part[0];
}

int main(int argc, char** argv) try {
  const int n = argc > 1 ? std::stoi(argv[1]) : 1 << 16;
  const Buffer<float> in(n), out(groups_for(n, 256));
  hipStream_t stream;
  hipEvent_t start, stop;
  check(hipStreamCreate(&stream), "hipStreamCreate");
  check(hipEventCreate(&start), "hipEventCreate");
  check(hipEventCreate(&stop), "hipEventCreate");
  const auto before = std::chrono::steady_clock::now();
  check(hipEventRecord(start, stream), "hipEventRecord");
  const auto launch = [&](dim3 grid) {
    hipLaunchKernelGGL(HIP_KERNEL_NAME(sums<256>), grid, dim3(256), 0, stream, in.get(), out.get());
  };
  launch(groups_for(n, 256));
  check(hipEventRecord(stop, stream), "hipEventRecord");
  check(hipEventSynchronize(stop), "hipEventSynchronize");
  float milliseconds = 0;
  check(hipEventElapsedTime(&milliseconds, start, stop), "hipEventElapsedTime");
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - before;
  auto result = std::make_unique<float[]>(out.size());
  check(hipMemcpyAsync(result.get(), out.get(), out.size() * sizeof(float), hipMemcpyDeviceToHost, stream), "copy");
  std::cout << std::setprecision(3) << milliseconds << " ms, " << waited.count() << " s, "
            << std::sqrt(std::abs(result[0])) << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
