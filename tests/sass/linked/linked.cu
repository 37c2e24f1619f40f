// Calls that are left to the loader, by nvcc -rdc=true; and through a pointer.
extern __device__ int outside(int);
__device__ __noinline__ int squared(int x) { return x * x + 3; }
__device__ __noinline__ int looped(int x) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < (x & 7); i++) sum += squared((sum + i) % 1000);
  return sum;
}
#define KERNEL extern "C" __global__ void
KERNEL inside(int *o) { o[threadIdx.x] = squared(o[threadIdx.x]) + looped(o[threadIdx.x + 32]); }
KERNEL calls_outside(int *o) { o[threadIdx.x] = outside(o[threadIdx.x]); }
KERNEL pointed(int *o, int (*f)(int)) { o[threadIdx.x] = f(o[threadIdx.x]); }
