// One function in a loop: kChains values of a thread, each of which waits for its own value of the trip before.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// `a` and `b` keep a value in an ordinary range: most functions are followed by a fused multiplication and addition.
// Short ones are unrolled four times.
#define FUNCTION(name, T, unrolled, expression)                    \
  struct name {                                                    \
    using Type = T;                                                \
    static constexpr int kUnrolled = unrolled;                     \
    static __device__ T next(T x, T a, T b) { return expression; } \
  }
FUNCTION(add_mul, float, 4, (fmaf(x, a, b)));
FUNCTION(fast_exp, float, 4, (fmaf(__expf(x), a, b)));
FUNCTION(exp_f, float, 4, (fmaf(expf(x), a, b)));
FUNCTION(exp2_f, float, 4, (fmaf(exp2f(x), a, b)));
FUNCTION(fast_log, float, 4, (fmaf(__logf(x), a, b)));
FUNCTION(log_f, float, 1, (fmaf(logf(x), a, b)));
FUNCTION(sqrt_f, float, 1, (fmaf(sqrtf(x), a, b)));
FUNCTION(rsqrt_f, float, 4, (fmaf(rsqrtf(x), a, b)));
FUNCTION(reciprocal, float, 1, (fmaf(1.0f / x, a, b)));
FUNCTION(divide, float, 1, (fmaf(b / x, a, b)));
FUNCTION(fast_divide, float, 4, (fmaf(__fdividef(b, x), a, b)));
FUNCTION(sin_f, float, 1, (fmaf(sinf(x), a, b)));
FUNCTION(fast_sin, float, 4, (fmaf(__sinf(x), a, b)));
FUNCTION(tanh_f, float, 1, (fmaf(tanhf(x), a, b)));
FUNCTION(erf_f, float, 1, (fmaf(erff(x), a, b)));
FUNCTION(pow_f, float, 1, (fmaf(powf(x, b), a, b)));
FUNCTION(min_max_f, float, 4, (fminf(fmaxf(x, a), b) + a));
FUNCTION(add_mul_d, double, 4, (fma(x, a, b)));
FUNCTION(exp_d, double, 1, (fma(exp(x), a, b)));
FUNCTION(log_d, double, 1, (fma(log(x), a, b)));
FUNCTION(sqrt_d, double, 1, (fma(sqrt(x), a, b)));
FUNCTION(divide_d, double, 1, (fma(b / x, a, b)));
FUNCTION(add_xor, unsigned, 4, ((x + a) ^ b));
FUNCTION(multiply, unsigned, 4, (x * a + b));
FUNCTION(divide_u, unsigned, 1, (b / x + a));
FUNCTION(divide_by_same, unsigned, 1, (x / a + b));
FUNCTION(modulo_u, unsigned, 1, (b % x + a));
FUNCTION(modulo_s, int, 1, (b % x + a));
FUNCTION(population, unsigned, 4, (__popc(x) + b));
FUNCTION(leading_zeros, unsigned, 4, (__clz(x) + b));
FUNCTION(reverse, unsigned, 4, (__brev(x) + b));
FUNCTION(funnel, unsigned, 4, (__funnelshift_l(x, b, x) + a));
FUNCTION(shift_mask, unsigned, 4, (((x >> 5) & 0xff) + b));
FUNCTION(dot_bytes, unsigned, 4, (__dp4a(x, a, b)));
FUNCTION(permute, unsigned, 4, (__byte_perm(x, a, x) + b));
FUNCTION(min_max_s, int, 4, (min(max(x, a), b) + a));
FUNCTION(select_u, unsigned, 4, ((x & 4) ? x + a : x ^ b));
FUNCTION(multiply_64, unsigned long long, 4, (x * a + b));
FUNCTION(multiply_high, unsigned, 4, (__umulhi(x, a) + b));
FUNCTION(divide_64, unsigned long long, 1, (b / x + a));
FUNCTION(int_to_float, int, 4, (__float_as_int(__int2float_rn(x)) ^ a));
FUNCTION(float_to_int, float, 4, (__int_as_float(__float2int_rn(x) | 0x3f000000)));
FUNCTION(float_to_int_rz, float, 4, (__int_as_float(__float2int_rz(x) | 0x3f000000)));
FUNCTION(float_to_double, int, 4, (__double2hiint(static_cast<double>(__int_as_float(x))) ^ a));
FUNCTION(double_to_float, int, 4, (__float_as_int(static_cast<float>(__hiloint2double(x, x))) ^ a));
FUNCTION(long_to_double, long long, 4, (__double_as_longlong(static_cast<double>(x)) ^ a));
FUNCTION(byte_to_float, unsigned, 4, (__float_as_uint(static_cast<float>(x & 0xff)) ^ a));
FUNCTION(half_and_back, float, 4, (__half2float(__float2half_rn(x)) + a));
FUNCTION(bfloat_and_back, float, 4, (__bfloat162float(__float2bfloat16_rn(x)) + a));
FUNCTION(add_mul_h2, __half2, 4, (__hfma2(x, a, b)));
FUNCTION(add_h2, __half2, 4, (__hadd2_rn(x, a)));
FUNCTION(shuffle_xor, unsigned, 4, (__shfl_xor_sync(~0u, x, 1) + b));
FUNCTION(ballot_of, unsigned, 4, (__ballot_sync(~0u, x & 1) + x));
FUNCTION(all_of, unsigned, 4, ((__all_sync(~0u, x & 1) ? a : b) + x));
FUNCTION(match, unsigned, 4, (__match_any_sync(~0u, x) + b));
FUNCTION(reduce, unsigned, 4, (__reduce_add_sync(~0u, x) + b));

__device__ __half2 as_type(float a, __half2) { return __float2half2_rn(a); }
__device__ float as_type(float a, float) { return a; }
__device__ double as_type(float a, double) { return a; }
template <typename T>
__device__ T as_type(float a, T) {
  return static_cast<T>(a);
}

template <typename Function, int kChains>
__global__ void __launch_bounds__(256, 4)
    evaluate(int trips, float a, float b, float step, typename Function::Type* __restrict__ out) {
  using T = typename Function::Type;
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const T first = as_type(a, T{}), second = as_type(b, T{});
  T values[kChains];
#pragma unroll
  for (int i = 0; i < kChains; ++i) values[i] = as_type(b + step * (threadIdx.x + 256 * i), T{});
#pragma unroll(Function::kUnrolled)
  for (int t = 0; t < trips; ++t) {
#pragma unroll
    for (int i = 0; i < kChains; ++i) values[i] = Function::next(values[i], first, second);
  }
#pragma unroll
  for (int i = 0; i < kChains; ++i) out[thread * kChains + i] = values[i];
}
#define EVALUATE(name, chains) template __global__ void evaluate<name, chains>(int, float, float, float, name::Type*)
EVALUATE(add_mul, 4);
EVALUATE(add_mul, 1);
EVALUATE(fast_exp, 4);
EVALUATE(fast_exp, 1);
EVALUATE(exp_f, 4);
EVALUATE(exp_f, 1);
EVALUATE(exp2_f, 4);
EVALUATE(fast_log, 4);
EVALUATE(log_f, 4);
EVALUATE(log_f, 1);
EVALUATE(sqrt_f, 4);
EVALUATE(sqrt_f, 1);
EVALUATE(rsqrt_f, 4);
EVALUATE(reciprocal, 4);
EVALUATE(reciprocal, 1);
EVALUATE(divide, 4);
EVALUATE(divide, 1);
EVALUATE(fast_divide, 4);
EVALUATE(sin_f, 4);
EVALUATE(sin_f, 1);
EVALUATE(fast_sin, 4);
EVALUATE(fast_sin, 1);
EVALUATE(tanh_f, 4);
EVALUATE(tanh_f, 1);
EVALUATE(erf_f, 4);
EVALUATE(pow_f, 4);
EVALUATE(pow_f, 1);
EVALUATE(min_max_f, 4);
EVALUATE(add_mul_d, 4);
EVALUATE(add_mul_d, 1);
EVALUATE(exp_d, 4);
EVALUATE(exp_d, 1);
EVALUATE(log_d, 4);
EVALUATE(sqrt_d, 4);
EVALUATE(sqrt_d, 1);
EVALUATE(divide_d, 4);
EVALUATE(divide_d, 1);
EVALUATE(add_xor, 4);
EVALUATE(add_xor, 1);
EVALUATE(multiply, 4);
EVALUATE(multiply, 1);
EVALUATE(divide_u, 4);
EVALUATE(divide_u, 1);
EVALUATE(divide_by_same, 4);
EVALUATE(modulo_u, 4);
EVALUATE(modulo_s, 4);
EVALUATE(population, 4);
EVALUATE(population, 1);
EVALUATE(leading_zeros, 4);
EVALUATE(reverse, 4);
EVALUATE(funnel, 4);
EVALUATE(shift_mask, 4);
EVALUATE(dot_bytes, 4);
EVALUATE(permute, 4);
EVALUATE(min_max_s, 4);
EVALUATE(select_u, 4);
EVALUATE(multiply_64, 4);
EVALUATE(multiply_64, 1);
EVALUATE(multiply_high, 4);
EVALUATE(divide_64, 4);
EVALUATE(divide_64, 1);
EVALUATE(int_to_float, 4);
EVALUATE(int_to_float, 1);
EVALUATE(float_to_int, 4);
EVALUATE(float_to_int, 1);
EVALUATE(float_to_int_rz, 4);
EVALUATE(float_to_double, 4);
EVALUATE(float_to_double, 1);
EVALUATE(double_to_float, 4);
EVALUATE(long_to_double, 4);
EVALUATE(byte_to_float, 4);
EVALUATE(half_and_back, 4);
EVALUATE(half_and_back, 1);
EVALUATE(bfloat_and_back, 4);
EVALUATE(add_mul_h2, 4);
EVALUATE(add_mul_h2, 1);
EVALUATE(add_h2, 4);
EVALUATE(shuffle_xor, 4);
EVALUATE(shuffle_xor, 1);
EVALUATE(ballot_of, 4);
EVALUATE(all_of, 4);
EVALUATE(match, 4);
EVALUATE(reduce, 4);
