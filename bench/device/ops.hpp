#pragma once

#include <cmath>
#include <cstring>

#include "gpu.hpp"

/// The steps of chains. A step takes the value left by the step before it. `apply` is executed by the GPU: inline PTX,
/// chosen to keep the assembler from merging two steps (x + a + b needs all three inputs of an IADD3; rcp(rcp(x)) would
/// vanish); check_sass.py checks the machine code. `step` is the same for the host, which checks the results, and for
/// HIP.
#if WARPIPE_PTX
#define WARPIPE_STEP(ptx, constraint) \
  asm volatile(ptx : "+" constraint(x) : constraint(o.a), constraint(o.b), constraint(o.c), constraint(o.d))
#else
#define WARPIPE_STEP(ptx, constraint) \
  x = step(x, o);                     \
  opaque(x)
#endif

#define WARPIPE_OP(Type, text, ValueType, constraint, ptx, expression)                     \
  struct Type : OpDefaults<ValueType> {                                                    \
    static constexpr const char* name = text;                                              \
    __host__ __device__ static ValueType step(ValueType x, const Operands<ValueType>& o) { \
      (void)o;                                                                             \
      return expression;                                                                   \
    }                                                                                      \
    __device__ static void apply(ValueType& x, const Operands<ValueType>& o) { WARPIPE_STEP(ptx, constraint); }

namespace measure {

/// Kernel arguments, to hide their values from the compiler.
template <class Value>
struct Operands {
  Value a, b, c, d;
};

template <class T>
struct OpDefaults {
  using Value = T;
  static constexpr int kShort = 64;  ///< steps in the loop of the short kernel, over all chains
  static constexpr int kLeastComputeCapability = 0;
  static constexpr bool kNeedsPtx = false;       ///< no other way to express it here
  static constexpr int kOneInstructionFrom = 0;  ///< compute capability; below it a step is several of the op
  static constexpr int kInstructionsBefore = 1;  ///< and their number
  static constexpr double kTolerance = 0;        ///< relative; the results of most steps are exact
};

namespace special {
#if defined(__HIP_DEVICE_COMPILE__)
__device__ inline float rcp(float x) { return __builtin_amdgcn_rcpf(x); }
__device__ inline float rsqrt(float x) { return __builtin_amdgcn_rsqf(x); }
__device__ inline float sqrt(float x) { return __builtin_amdgcn_sqrtf(x); }
__device__ inline float sin(float x) { return __builtin_amdgcn_sinf(x * 0.15915494309f); }
__device__ inline float cos(float x) { return __builtin_amdgcn_cosf(x * 0.15915494309f); }
#else
inline __host__ __device__ float rcp(float x) { return 1.0f / x; }
inline __host__ __device__ float rsqrt(float x) { return 1.0f / sqrtf(x); }
inline __host__ __device__ float sqrt(float x) { return sqrtf(x); }
inline __host__ __device__ float sin(float x) { return sinf(x); }
inline __host__ __device__ float cos(float x) { return cosf(x); }
#endif
}  // namespace special

// Whole numbers. `shift` is a funnel shift: a plain shift would soon shift zeros.
// clang-format off
WARPIPE_OP(Iadd, "iadd", unsigned, "r", "{.reg .u32 t; add.u32 t,%0,%1; add.u32 %0,t,%2;}", x + o.a + o.b)
  static constexpr int kOneInstructionFrom = 70;  // IADD3; before, two IADD
  static constexpr int kInstructionsBefore = 2; };
WARPIPE_OP(Imul, "imul", unsigned, "r", "mul.lo.u32 %0,%0,%0;", x * x) };
WARPIPE_OP(Imad, "imad", unsigned, "r", "mad.lo.u32 %0,%0,%1,%2;", x * o.a + o.b) };
WARPIPE_OP(Shift, "shift", unsigned, "r", "shf.l.wrap.b32 %0,%2,%0,%3;",
           (x << (o.c & 31u)) | (o.b >> (32u - (o.c & 31u))))
  static constexpr bool kNeedsPtx = true; };
WARPIPE_OP(Logic, "logic", unsigned, "r", "lop3.b32 %0,%0,%1,%2,0x96; lop3.b32 %0,%0,%3,%4,0xe8;",
           (((x ^ o.a ^ o.b) & o.c) | ((x ^ o.a ^ o.b) & o.d) | (o.c & o.d)))
  static constexpr bool kNeedsPtx = true; };
WARPIPE_OP(Select, "select", unsigned, "r",
           "{.reg .pred p,q; setp.ne.u32 p,%3,0; setp.ne.u32 q,%4,0; selp.u32 %0,%0,%1,p; selp.u32 %0,%0,%2,q;}",
           o.d != 0 ? (o.c != 0 ? x : o.a) : o.b) };
WARPIPE_OP(Compare, "compare", unsigned, "r",
           "{.reg .pred p; setp.lt.u32 p,%0,%1; selp.u32 %0,%3,%4,p;}", x < o.a ? o.c : o.d) };
WARPIPE_OP(Convert, "convert", unsigned, "r",
           "{.reg .f32 f; cvt.rn.f32.s32 f,%0; cvt.rzi.s32.f32 %0,f;}",
           static_cast<unsigned>(static_cast<int>(static_cast<float>(static_cast<int>(x))))) };

// Single, double and half precision.
WARPIPE_OP(Fadd, "fadd", float, "f", "add.rn.f32 %0,%0,%1;", x + o.a) };
WARPIPE_OP(Fmul, "fmul", float, "f", "mul.rn.f32 %0,%0,%1;", x * o.a) };
WARPIPE_OP(Ffma, "ffma", float, "f", "fma.rn.f32 %0,%0,%1,%2;", fmaf(x, o.a, o.b)) };
WARPIPE_OP(Fdiv, "fdiv", float, "f", "div.rn.f32 %0,%0,%1;", x / o.a)
  static constexpr int kShort = 8; };
WARPIPE_OP(Dadd, "dadd", double, "d", "add.rn.f64 %0,%0,%1;", x + o.a) };
WARPIPE_OP(Dmul, "dmul", double, "d", "mul.rn.f64 %0,%0,%1;", x * o.a) };
WARPIPE_OP(Dfma, "dfma", double, "d", "fma.rn.f64 %0,%0,%1,%2;", fma(x, o.a, o.b)) };
WARPIPE_OP(Ddiv, "ddiv", double, "d", "div.rn.f64 %0,%0,%1;", x / o.a)
  static constexpr int kShort = 8; };
WARPIPE_OP(Dsqrt, "dsqrt", double, "d", "sqrt.rn.f64 %0,%0;", ::sqrt(x))
  static constexpr int kShort = 8; };

// Special functions: the hardware's own, with their own rounding. A sine or cosine includes its range reduction.
WARPIPE_OP(Rcp, "rcp", float, "f", "rcp.approx.ftz.f32 %0,%0; add.rn.f32 %0,%0,%1;", special::rcp(x) + o.a)
  static constexpr double kTolerance = 1e-4; };
WARPIPE_OP(Rsqrt, "rsqrt", float, "f", "rsqrt.approx.ftz.f32 %0,%0;", special::rsqrt(x))
  static constexpr double kTolerance = 1e-4; };
WARPIPE_OP(Sqrt, "sqrt", float, "f", "sqrt.approx.ftz.f32 %0,%0;", special::sqrt(x))
  static constexpr double kTolerance = 1e-4; };
WARPIPE_OP(Cos, "cos", float, "f", "cos.approx.ftz.f32 %0,%0;", special::cos(x))
  static constexpr double kTolerance = 1e-3; };
WARPIPE_OP(Sin, "sin", float, "f", "sin.approx.ftz.f32 %0,%0;", special::sin(x))
  static constexpr double kTolerance = 0.05; };  // a long chain tends to 0 as sqrt(3 / steps), and errors add up
WARPIPE_OP(Exp2, "exp2", float, "f", "ex2.approx.ftz.f32 %0,%0;", exp2f(x))
  static constexpr double kTolerance = 1e-4; };
WARPIPE_OP(Log2, "log2", float, "f", "lg2.approx.ftz.f32 %0,%0;", log2f(x))
  static constexpr double kTolerance = 1e-4; };
// clang-format on

/// Two halves at a time. x * 1 + 0, to spare the host arithmetic on halves.
struct Hfma : OpDefaults<unsigned> {
  static constexpr const char* name = "hfma";
  __host__ __device__ static unsigned step(unsigned x, const Operands<unsigned>& o) {
#if defined(__HIP_DEVICE_COMPILE__)
    typedef _Float16 Halves __attribute__((ext_vector_type(2)));
    const auto halves = [](unsigned bits) { return __builtin_bit_cast(Halves, bits); };
    return __builtin_bit_cast(unsigned, halves(x) * halves(o.a) + halves(o.b));
#else
    (void)o;
    return x;
#endif
  }
  __device__ static void apply(unsigned& x, const Operands<unsigned>& o) {
    WARPIPE_STEP("fma.rn.f16x2 %0,%0,%1,%2;", "r");
  }
};

/// All lanes hold the same value, so it comes back unchanged.
struct Shuffle : OpDefaults<unsigned> {
  static constexpr const char* name = "shuffle";
  __host__ __device__ static unsigned step(unsigned x, const Operands<unsigned>&) {
#if defined(__HIP_DEVICE_COMPILE__)
    return __shfl_xor(x, 1);
#else
    return x;
#endif
  }
  __device__ static void apply(unsigned& x, const Operands<unsigned>& o) {
    // With a distance known to the assembler, two of them would vanish.
    WARPIPE_STEP("shfl.sync.bfly.b32 %0,%0,%3,0x1f,0xffffffff;", "r");
  }
};

/// A comparison makes the predicate, the ballot turns it into a number again.
struct Vote : OpDefaults<unsigned> {
  static constexpr const char* name = "vote";
  __host__ __device__ static unsigned step(unsigned x, const Operands<unsigned>& o) {
#if defined(__HIP_DEVICE_COMPILE__)
    return static_cast<unsigned>(__ballot(x != o.a));
#else
    return x != o.a ? ~0u : 0u;
#endif
  }
  __device__ static void apply(unsigned& x, const Operands<unsigned>& o) {
    WARPIPE_STEP("{.reg .pred p; setp.ne.u32 p,%0,%1; vote.sync.ballot.b32 %0,p,0xffffffff;}", "r");
  }
};

/// Each entry holds the offset in bytes of the next entry.
static __constant__ unsigned constant_ring[16] = {4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 0};

struct ConstantLoad : OpDefaults<unsigned> {
  static constexpr const char* name = "constant.load";
  static constexpr bool kNeedsPtx = true;  // other compilers load from global memory where lanes may differ
  __host__ __device__ static unsigned step(unsigned x, const Operands<unsigned>&) { return (x + 4) % 64; }
  __device__ static void apply(unsigned& x, const Operands<unsigned>&) {
    x = *reinterpret_cast<const unsigned*>(reinterpret_cast<const char*>(constant_ring) + x);
#if WARPIPE_PTX
    asm volatile("" : "+r"(x));
#else
    opaque(x);
#endif
  }
};

/// The sums of a 16 x 16 by 16 x 8 multiplication of halves by a warp at once: four per lane. A row `mma` of a device
/// table means the same.
struct Sums {
  float value[4];
  __host__ __device__ bool operator!=(const Sums& other) const {
    return value[0] != other.value[0] || value[1] != other.value[1] || value[2] != other.value[2] ||
           value[3] != other.value[3];
  }
};

/// c = a * b + c with a = b = 0, chained through c.
struct Mma : OpDefaults<Sums> {
  static constexpr const char* name = "mma";
  static constexpr int kLeastComputeCapability = 80;
  static constexpr bool kNeedsPtx = true;
  __host__ __device__ static Sums step(Sums x, const Operands<Sums>&) { return x; }
  __device__ static void apply(Sums& x, const Operands<Sums>& o) {
#if WARPIPE_PTX && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+f"(x.value[0]), "+f"(x.value[1]), "+f"(x.value[2]), "+f"(x.value[3])
                 : "r"(__float_as_uint(o.a.value[0])), "r"(__float_as_uint(o.a.value[1])),
                   "r"(__float_as_uint(o.a.value[2])), "r"(__float_as_uint(o.a.value[3])),
                   "r"(__float_as_uint(o.b.value[0])), "r"(__float_as_uint(o.b.value[1])));
#else
    (void)x;
    (void)o;
#endif
  }
};

/// Operands that keep a chain within the range of numbers for long.
template <class Op>
Operands<unsigned> operands(const Op&, unsigned) {
  return {0x9e3779b1u, 0x7f4a7c15u, 7u, 5u};
}
template <class Op>
Operands<float> operands(const Op&, float) {
  return {0.99951171875f, 0.5f, 1.0f, 1.0f};
}
template <class Op>
Operands<double> operands(const Op&, double) {
  return {0.99951171875, 0.5, 1.0, 1.0};
}
template <class Op>
Operands<Sums> operands(const Op&, Sums) {
  return {};
}
inline Operands<unsigned> operands(const Compare&, unsigned) { return {1000u, 0u, 2000u, 500u}; }
inline Operands<unsigned> operands(const Hfma&, unsigned) { return {0x3c003c00u, 0u, 0u, 0u}; }

/// The start of chain number c.
inline void start_value(int c, unsigned& value) { value = 4u * static_cast<unsigned>(c); }
inline void start_value(int c, float& value) { value = 1.25f + 0.125f * static_cast<float>(c); }
inline void start_value(int c, double& value) { value = 1.25 + 0.125 * c; }
inline void start_value(int c, Sums& value) {
  for (float& sum : value.value) start_value(c, sum);
}

/// Whether a result equals the host's result for the same chain.
inline bool agrees(unsigned found, unsigned expected, double) { return found == expected; }
inline bool agrees(double found, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected) || tolerance == 0) return found == expected;
  return std::fabs(found - expected) <= tolerance * std::fabs(expected);
}
inline bool agrees(const Sums& found, const Sums& expected, double) { return !(found != expected); }

}  // namespace measure
