// A program of two separately compiled parts, linked by nvcc -rdc=true; parts_other.cu is the other.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                     \
  if (cudaError_t error = (call)) {                                     \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
    std::exit(1);                                                       \
  }

struct Shape {
  __device__ virtual float area() const = 0;
};

extern __constant__ float factors[4];
extern __device__ int visits;
extern __device__ float (*chosen)(float);
__device__ int steps[3] = {10, 20, 30};  // the other part's
__device__ float scaled(float x);
__device__ float area_of_square(float side);
void launch_other(float* y, int n);

static __device__ __noinline__ float own(float x) { return x + 1; }  // both parts have an own function of this name
template <class T>
__device__ __noinline__ T twice(T x) {  // and both have this template
  return x + x;
}

__global__ void here(float* y) {
  extern __shared__ float room[];
  const int i = threadIdx.x;
  room[i] = scaled(static_cast<float>(i));
  __syncthreads();
  y[i] = own(room[blockDim.x - 1 - i]) + twice(factors[i % 4]) + chosen(2) + area_of_square(3);
  atomicAdd(&visits, 1);
  if (i == 0) printf("here %d\n", steps[1]);
}

int main() {
  const bool compare = std::getenv("DRIVER_CHECKS") != nullptr;
  constexpr int kThreads = 64;
  const float given[4] = {1, 2, 3, 4};
  float *y = nullptr, got[kThreads], other[kThreads];
  int count = 0;
  CHECK(cudaMalloc(&y, sizeof got));
  CHECK(cudaMemcpyToSymbol(factors, given, sizeof given));
  here<<<1, kThreads, kThreads * sizeof(float)>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost));
  launch_other(y, kThreads);
  CHECK(cudaMemcpy(other, y, sizeof other, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(&count, visits, sizeof count));
  bool good = count == kThreads + 5;
  for (int i = 0; i < kThreads; ++i) {
    const float factor = given[1];
    good = good && got[i] == factor * (kThreads - 1 - i) + 1 + 2 * given[i % 4] + 4 + 9;
    good = good && other[i] == 100 + 2 * i + 10 + 20 + 30;
  }
  std::puts(good || !compare ? "PASS" : "FAIL");
  return good || !compare ? 0 : 1;
}
