// Instructions whose registers registers.py chooses: which banks they read, and whether an operand is used again.
#include <cuda_runtime.h>

// 16 sums, 8 other registers; kChoice tells the copies apart.
template <int kChoice>
__global__ void __launch_bounds__(256, 4) multiply_adds(int trips, float4 a, float4 b, float* __restrict__ out) {
  float sum[16], left[4] = {a.x, a.y, a.z, a.w}, right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
  for (int i = 0; i < 16; ++i) sum[i] = threadIdx.x + i * a.x;
#pragma unroll
  for (int i = 0; i < 4; ++i) left[i] += threadIdx.x, right[i] += threadIdx.x;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int round = 0; round < 16; ++round) {
#pragma unroll
      for (int i = 0; i < 16; ++i)
        asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sum[i]) : "f"(left[i % 4]), "f"(right[i / 4]));
    }
  }
#pragma unroll
  for (int i = 1; i < 16; ++i) sum[0] += sum[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum[0];
}
#define CHOICE(n) template __global__ void multiply_adds<n>(int, float4, float4, float*)
CHOICE(0);
CHOICE(1);
CHOICE(2);
CHOICE(3);
CHOICE(4);
CHOICE(5);
CHOICE(6);
CHOICE(7);
CHOICE(8);
CHOICE(9);
CHOICE(10);
CHOICE(11);
CHOICE(12);
CHOICE(13);

enum { kLogic, kAdd3, kImad, kShift, kHalf, kAdd, kMixed };

// The same of other instructions of 32-bit registers; of kMixed every second one is a multiply-add.
template <int kOp>
__device__ __forceinline__ void step(unsigned& sum, unsigned a, unsigned b, int i) {
  if (kOp == kLogic || (kOp == kMixed && i % 2)) asm volatile("lop3.b32 %0, %1, %2, %0, 0x96;" : "+r"(sum) : "r"(a), "r"(b));
  if (kOp == kAdd3)
    asm volatile("{\n.reg .u32 t;\nadd.u32 t, %1, %2;\nadd.u32 %0, t, %0;\n}" : "+r"(sum) : "r"(a), "r"(b));
  if (kOp == kImad) asm volatile("mad.lo.u32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
  if (kOp == kShift) asm volatile("shf.l.wrap.b32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
  if (kOp == kHalf) asm volatile("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
  if (kOp == kAdd) asm volatile("add.f32 %0, %1, %0;" : "+r"(sum) : "r"(a));
  if (kOp == kMixed && i % 2 == 0) asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
}

template <int kOp, int kChoice>
__global__ void __launch_bounds__(256, 4) others(int trips, uint4 a, uint4 b, unsigned* __restrict__ out) {
  unsigned sum[16], left[4] = {a.x, a.y, a.z, a.w}, right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
  for (int i = 0; i < 16; ++i) sum[i] = threadIdx.x ^ i * a.x;
#pragma unroll
  for (int i = 0; i < 4; ++i) left[i] ^= threadIdx.x, right[i] ^= threadIdx.x;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int round = 0; round < 16; ++round) {
#pragma unroll
      for (int i = 0; i < 16; ++i) step<kOp>(sum[i], left[i % 4], right[i / 4], i);
    }
  }
#pragma unroll
  for (int i = 1; i < 16; ++i) sum[0] ^= sum[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum[0];
}
#define OTHERS(op)                                                        \
  template __global__ void others<op, 2>(int, uint4, uint4, unsigned*); \
  template __global__ void others<op, 3>(int, uint4, uint4, unsigned*); \
  template __global__ void others<op, 7>(int, uint4, uint4, unsigned*); \
  template __global__ void others<op, 10>(int, uint4, uint4, unsigned*)
OTHERS(kLogic);
OTHERS(kAdd3);
OTHERS(kImad);
OTHERS(kShift);
OTHERS(kHalf);
OTHERS(kAdd);
OTHERS(kMixed);

// The same of doubles, each in two registers.
template <int kChoice>
__global__ void __launch_bounds__(256, 4) doubles(int trips, double2 a, double2 b, double* __restrict__ out) {
  double sum[8], left[2] = {a.x + threadIdx.x, a.y + threadIdx.x}, right[2] = {b.x + threadIdx.x, b.y + threadIdx.x};
#pragma unroll
  for (int i = 0; i < 8; ++i) sum[i] = threadIdx.x + i * a.x;
#pragma unroll 1
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int round = 0; round < 32; ++round) {
#pragma unroll
      for (int i = 0; i < 8; ++i)
        asm volatile("fma.rn.f64 %0, %1, %2, %0;" : "+d"(sum[i]) : "d"(left[i % 2]), "d"(right[i / 4]));
    }
  }
#pragma unroll
  for (int i = 1; i < 8; ++i) sum[0] += sum[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum[0];
}
template __global__ void doubles<0>(int, double2, double2, double*);
template __global__ void doubles<1>(int, double2, double2, double*);
template __global__ void doubles<7>(int, double2, double2, double*);
template __global__ void doubles<11>(int, double2, double2, double*);
