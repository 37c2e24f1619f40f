// The other part of parts.cu: variables and functions of which it knows the declarations.
#include <cstdio>

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float of) : side(of) {}
  __device__ float area() const override { return side * side; }
};

static __device__ __noinline__ float own(float x) { return 100 + x; }
template <class T>
__device__ __noinline__ T twice(T x) {
  return x + x;
}

__constant__ float factors[4];
__device__ int visits = 5;
extern __device__ int steps[3];
__device__ float squared(float x) { return x * x; }
__device__ float (*chosen)(float) = squared;
__device__ int* second_step = &steps[1];
__device__ float scaled(float x) { return x * factors[1]; }
__device__ __noinline__ float area_of(const Shape& shape) { return shape.area(); }
__device__ float area_of_square(float side) { return area_of(Square(side)); }

__global__ void there(float* y) {
  const int i = threadIdx.x;
  y[i] = own(twice(static_cast<float>(i))) + steps[0] + *second_step + steps[2];
  if (i == 0) printf("there %d\n", *second_step);
}

void launch_other(float* y, int n) { there<<<1, n>>>(y); }
