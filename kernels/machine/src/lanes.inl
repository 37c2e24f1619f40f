// Functions over the numbers of 32 lanes, written as plain loops that a compiler makes vector instructions of. Included
// by one source for each set of vector instructions, within an unnamed namespace. Nothing here rounds in another way
// than the others: products and sums stay apart, and a fused one is rounded once on every host.

#if defined(__clang__)
#define WARPIPE_EACH_LANE \
  _Pragma("clang loop vectorize(assume_safety) interleave(disable)") for (std::size_t i = 0; i < kLanes; ++i)
#else
#define WARPIPE_EACH_LANE _Pragma("GCC ivdep") for (std::size_t i = 0; i < kLanes; ++i)
#endif

using isa::Comparison;
using isa::LaneOp;
using isa::LaneOperation;
using isa::Rounding;
using isa::Type;
using Kind = Type::Kind;
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S8 = std::int8_t;
using S16 = std::int16_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

template <class T>
using Cell = std::conditional_t<sizeof(T) == 8, U64, U32>;
/// Arithmetic that wraps around.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, U64, U32>;

constexpr U32 kNoNumber32 = 0x7fffffff;
constexpr U64 kNoNumber64 = 0xfff8000000000000;

template <class T>
inline T get(Cell<T> cell) {
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_bit_cast(T, cell);
  else
    return static_cast<T>(cell);
}

template <class T>
inline Cell<T> put(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? 1 : 0;
  else if constexpr (std::is_same_v<T, float>)
    return value != value ? kNoNumber32 : __builtin_bit_cast(U32, value);
  else if constexpr (std::is_same_v<T, double>)
    return value != value ? kNoNumber64 : __builtin_bit_cast(U64, value);
  else
    return static_cast<Cell<T>>(static_cast<std::make_unsigned_t<T>>(value));
}

template <class T>
inline const Cell<T>* numbers(const Lanes& lanes, Operand operand) {
  return static_cast<const Cell<T>*>(
      __builtin_assume_aligned(lanes.base[operand & 1] + (operand & ~Operand{1}), kAlignment));
}
template <class T>
inline Cell<T>* results(const Lanes& lanes, const Step& step) {
  return static_cast<Cell<T>*>(__builtin_assume_aligned(lanes.base[0] + step.out, kAlignment));
}
inline const U32* mask_of(const Lanes& lanes, const Step& step) {
  return static_cast<const U32*>(__builtin_assume_aligned(lanes.mask + step.first_lane, kAlignment));
}

template <class Op, class R, class A>
void unary(Lanes& lanes, const Step& step) {
  const auto* a = numbers<A>(lanes, step.in[0]);
  auto* out = results<R>(lanes, step);
  const auto* mask = mask_of(lanes, step);
  WARPIPE_EACH_LANE {
    const Cell<R> value = put<R>(Op::of(get<A>(a[i])));
    out[i] = mask[i] != 0 ? value : out[i];
  }
}

template <class Op, class R, class A, class B>
void binary(Lanes& lanes, const Step& step) {
  const auto* a = numbers<A>(lanes, step.in[0]);
  const auto* b = numbers<B>(lanes, step.in[1]);
  auto* out = results<R>(lanes, step);
  const auto* mask = mask_of(lanes, step);
  WARPIPE_EACH_LANE {
    const Cell<R> value = put<R>(Op::of(get<A>(a[i]), get<B>(b[i])));
    out[i] = mask[i] != 0 ? value : out[i];
  }
}

template <class Op, class R, class A, class B, class C>
void ternary(Lanes& lanes, const Step& step) {
  const auto* a = numbers<A>(lanes, step.in[0]);
  const auto* b = numbers<B>(lanes, step.in[1]);
  const auto* c = numbers<C>(lanes, step.in[2]);
  auto* out = results<R>(lanes, step);
  const auto* mask = mask_of(lanes, step);
  WARPIPE_EACH_LANE {
    const Cell<R> value = put<R>(Op::of(get<A>(a[i]), get<B>(b[i]), get<C>(c[i])));
    out[i] = mask[i] != 0 ? value : out[i];
  }
}

// ---- by type

/// Calls a template with the C++ type of a type of numbers; null for others.
template <class Pick>
Function of_whole(Type type, const Pick& pick) {
  const bool has_sign = type.kind == Kind::Signed;
  switch (type.bits) {
    case 8:
      return has_sign ? pick(S8{}) : pick(U8{});
    case 16:
      return has_sign ? pick(S16{}) : pick(U16{});
    case 32:
      return has_sign ? pick(S32{}) : pick(U32{});
    case 64:
      return has_sign ? pick(S64{}) : pick(U64{});
    default:
      return nullptr;
  }
}
/// Where the sign makes no difference.
template <class Pick>
Function of_bits(Type type, const Pick& pick) {
  switch (type.bits) {
    case 1:
    case 32:
      return pick(U32{});
    case 16:
      return pick(U16{});
    case 64:
      return pick(U64{});
    default:
      return nullptr;
  }
}
template <class Pick>
Function of_float(Type type, const Pick& pick) {
  return type.bits == 32 ? pick(float{}) : type.bits == 64 ? pick(double{}) : nullptr;
}
inline bool is_float_type(Type type) { return type.kind == Kind::Float; }
template <class Pick>
Function of_number(Type type, const Pick& pick) {
  return is_float_type(type) ? of_float(type, pick) : of_whole(type, pick);
}

// ---- what is computed

struct Move {
  template <class T>
  static T of(T a) {
    return a;
  }
};
struct Add {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a + b;
    else
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  }
  template <class T>
  static T of(T a, T b, T c) {
    return of(of(a, b), c);
  }
};
struct Subtract {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a - b;
    else
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
  }
  template <class T>
  static T of(T a, T b, T c) {
    return of(of(a, b), c);
  }
};
struct Multiply {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return a * b;
    else
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  }
};
struct MultiplyAdd {
  static float of(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double of(double a, double b, double c) { return __builtin_fma(a, b, c); }
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(Multiply::of(a, b), c);
  }
};
template <class T>
using Wide = std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, S16, U16>,
                                std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, S32, U32>,
                                                   std::conditional_t<std::is_signed_v<T>, S64, U64>>>;
__extension__ using S128 = __int128;
__extension__ using U128 = unsigned __int128;
struct MultiplyWide {
  template <class T>
  static Wide<T> of(T a, T b) {
    return Multiply::of(static_cast<Wide<T>>(a), static_cast<Wide<T>>(b));
  }
  template <class T>
  static Wide<T> of(T a, T b, Wide<T> c) {
    return Add::of(of(a, b), c);
  }
};
struct MultiplyHigh {
  template <class T>
  static T of(T a, T b) {
    if constexpr (sizeof(T) == 8)
      return static_cast<T>((static_cast<std::conditional_t<std::is_signed_v<T>, S128, U128>>(a) * b) >> 64);
    else
      return static_cast<T>(MultiplyWide::of(a, b) >> (8 * sizeof(T)));
  }
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(of(a, b), c);
  }
};
/// By zero the quotient is all ones, as GPUs give it.
struct Divide {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      return a / b;
    } else if constexpr (sizeof(T) <= 4) {
      // Of numbers of 32 bits a quotient of doubles, cut, is exact.
      const double quotient = static_cast<double>(a) / static_cast<double>(b == 0 ? T{1} : b);
      return b == 0 ? static_cast<T>(~T{0}) : static_cast<T>(static_cast<S64>(quotient));
    } else {
      if (b == 0) return static_cast<T>(~T{0});
      if constexpr (std::is_signed_v<T>)
        if (b == -1) return Subtract::of(T{0}, a);
      return a / b;
    }
  }
};
struct Remainder {
  template <class T>
  static T of(T a, T b) {
    return b == 0 ? a : Subtract::of(a, Multiply::of(Divide::of(a, b), b));
  }
};
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      // Of two zeros the negative one is less; what is no number is left out.
      const T less = a < b ? a : b < a ? b : __builtin_signbit(a) ? a : b;
      return a != a ? b : b != b ? a : less;
    } else {
      return a < b ? a : b;
    }
  }
};
struct Maximum {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      const T more = a > b ? a : b > a ? b : __builtin_signbit(a) ? b : a;
      return a != a ? b : b != b ? a : more;
    } else {
      return a < b ? b : a;
    }
  }
};
/// Of bits, what is no number stays as it is.
template <class T>
struct FloatSign {
  static constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
};
struct AbsoluteOfFloat {
  template <class T>
  static T of(T a) {
    return a & static_cast<T>(~FloatSign<T>::kSign);
  }
};
struct NegateFloat {
  template <class T>
  static T of(T a) {
    return a ^ FloatSign<T>::kSign;
  }
};
struct CopySign {
  template <class T>
  static T of(T a, T b) {
    return (a & FloatSign<T>::kSign) | (b & static_cast<T>(~FloatSign<T>::kSign));
  }
};
struct Absolute {
  template <class T>
  static T of(T a) {
    return a < 0 ? Subtract::of(T{0}, a) : a;
  }
};
struct AbsoluteDifference {
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(a < b ? Subtract::of(b, a) : Subtract::of(a, b), c);
  }
};
struct Negate {
  template <class T>
  static T of(T a) {
    return Subtract::of(T{0}, a);
  }
};
struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct AndNot {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & static_cast<T>(~b));
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct NotTruth {
  static U32 of(U32 a) { return a ^ 1; }
};
struct IsZero {
  template <class T>
  static T of(T a) {
    return a == 0 ? T{1} : T{0};
  }
};
struct ShiftLeft {
  template <class T>
  static T of(T a, U32 by) {
    constexpr U32 kBits = 8 * sizeof(T);
    return by >= kBits ? T{0} : static_cast<T>(static_cast<Wrapping<T>>(a) << (by & (kBits - 1)));
  }
};
struct ShiftRight {
  template <class T>
  static T of(T a, U32 by) {
    constexpr U32 kBits = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> (by >= kBits ? kBits - 1 : by));
    else
      return by >= kBits ? T{0} : static_cast<T>(a >> (by & (kBits - 1)));
  }
};
template <bool left, bool wraps>
struct Funnel {
  static U32 of(U32 low, U32 high, U32 by) {
    const U32 distance = wraps ? by & 31 : by > 32 ? 32 : by;
    const U64 joined = (U64{high} << 32) | low;
    return static_cast<U32>(left ? (joined << distance) >> 32 : joined >> distance);
  }
};
struct Select {
  template <class T>
  static T of(T a, T b, U32 first) {
    return first != 0 ? a : b;
  }
};
struct PopulationCount {
  static U32 of(U32 a) { return static_cast<U32>(__builtin_popcount(a)); }
  static U32 of(U64 a) { return static_cast<U32>(__builtin_popcountll(a)); }
};
struct LeadingZeros {
  static U32 of(U32 a) { return a == 0 ? 32 : static_cast<U32>(__builtin_clz(a)); }
  static U32 of(U64 a) { return a == 0 ? 64 : static_cast<U32>(__builtin_clzll(a)); }
};
struct ReverseBits {
  static U32 of(U32 a) {
    a = ((a >> 1) & 0x55555555) | ((a & 0x55555555) << 1);
    a = ((a >> 2) & 0x33333333) | ((a & 0x33333333) << 2);
    a = ((a >> 4) & 0x0f0f0f0f) | ((a & 0x0f0f0f0f) << 4);
    a = ((a >> 8) & 0x00ff00ff) | ((a & 0x00ff00ff) << 8);
    return (a >> 16) | (a << 16);
  }
};
struct ExtractBits {
  template <class T>
  static T of(T a, U32 place, U32 count) {
    const U32 position = place & 255, length = count & 255;
    const T moved = ShiftRight::of(a, position);
    if (length == 0) return 0;
    if (length >= 32) return moved;
    return static_cast<T>(static_cast<T>(static_cast<U32>(moved) << (32 - length)) >> (32 - length));
  }
};
struct InsertBits {
  static U32 of(U32 a, U32 b, U32 place, U32 count) {
    const U32 position = place & 255, length = count & 255;
    const U32 ones = length >= 32 ? ~U32{0} : (U32{1} << length) - 1;
    const U32 mask = position >= 32 ? 0 : ones << (position & 31);
    const U32 moved = position >= 32 ? 0 : a << (position & 31);
    return (b & ~mask) | (moved & mask);
  }
};
struct Permute {
  static U32 of(U32 low, U32 high, U32 selector) {
    const U64 bytes = (U64{high} << 32) | low;
    U32 result = 0;
    for (U32 byte = 0; byte < 4; ++byte) {
      const U32 which = (selector >> (4 * byte)) & 15;
      const U32 taken = static_cast<U32>(bytes >> (8 * (which & 7))) & 255;
      const U32 sign = (taken & 128) != 0 ? 255 : 0;
      result |= ((which & 8) != 0 ? sign : taken) << (8 * byte);
    }
    return result;
  }
};
struct SquareRoot {
  static float of(float a) { return __builtin_sqrtf(a); }
  static double of(double a) { return __builtin_sqrt(a); }
};
struct Reciprocal {
  template <class T>
  static T of(T a) {
    return T{1} / a;
  }
};
struct ReciprocalRoot {
  template <class T>
  static T of(T a) {
    return static_cast<T>(1.0 / __builtin_sqrt(static_cast<double>(a)));
  }
};
/// 2^x by a polynomial of doubles of the part behind the point, and the exponent. Rounded to a float it is the nearest
/// one but for rare ties.
struct PowerOfTwo {
  static float of(float a) {
    const double x = a < -160.0F ? -160.0 : a > 130.0F ? 130.0 : static_cast<double>(a);
    return a != a ? a : static_cast<float>(of_double(x));
  }
  /// @param x  within -1000 and 1000
  static double of_double(double x) {
    const double whole = __builtin_rint(x);
    const double t = (x - whole) * 0.693147180559945309417;
    double sum = 1.0 / 6227020800.0;
    sum = sum * t + 1.0 / 479001600.0;
    sum = sum * t + 1.0 / 39916800.0;
    sum = sum * t + 1.0 / 3628800.0;
    sum = sum * t + 1.0 / 362880.0;
    sum = sum * t + 1.0 / 40320.0;
    sum = sum * t + 1.0 / 5040.0;
    sum = sum * t + 1.0 / 720.0;
    sum = sum * t + 1.0 / 120.0;
    sum = sum * t + 1.0 / 24.0;
    sum = sum * t + 1.0 / 6.0;
    sum = sum * t + 0.5;
    sum = sum * t + 1.0;
    sum = sum * t + 1.0;
    const double power =
        __builtin_bit_cast(double, static_cast<U64>(static_cast<S64>(static_cast<S32>(whole)) + 1023) << 52);
    return sum * power;
  }
};
struct HyperbolicTangent {
  static float of(float a) {
    const double x = static_cast<double>(a), size = x < 0 ? -x : x, z = x * x;
    double series = 62.0 / 2835.0;
    series = series * z - 17.0 / 315.0;
    series = series * z + 2.0 / 15.0;
    series = series * z - 1.0 / 3.0;
    series = series * z * x + x;
    const double power = PowerOfTwo::of_double((size > 20.0 ? 20.0 : size) * 2.88539008177792681472);
    const double far = 1.0 - 2.0 / (power + 1.0);
    return a != a ? a : static_cast<float>(size < 0.03125 ? series : x < 0 ? -far : far);
  }
};
/// The binary logarithm: the exponent, and a series of the mantissa between the roots of 1/2 and 2.
struct BinaryLogarithm {
  static float of(float a) {
    const U64 bits = __builtin_bit_cast(U64, static_cast<double>(a));
    const U64 from = bits - 0x3fe6a09e667f3bcd;  // of the root of 1/2
    const double exponent = static_cast<double>(static_cast<S32>(static_cast<S64>(from) >> 52));
    const double mantissa = __builtin_bit_cast(double, (from & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
    const double s = (mantissa - 1.0) / (mantissa + 1.0), z = s * s;
    double sum = 1.0 / 21.0;
    sum = sum * z + 1.0 / 19.0;
    sum = sum * z + 1.0 / 17.0;
    sum = sum * z + 1.0 / 15.0;
    sum = sum * z + 1.0 / 13.0;
    sum = sum * z + 1.0 / 11.0;
    sum = sum * z + 1.0 / 9.0;
    sum = sum * z + 1.0 / 7.0;
    sum = sum * z + 1.0 / 5.0;
    sum = sum * z + 1.0 / 3.0;
    sum = sum * z + 1.0;
    const double logarithm = exponent + 2.0 * s * sum * 1.44269504088896340736;
    const float infinite = __builtin_inff();
    return a == 0            ? -infinite
           : a < 0 || a != a ? __builtin_nanf("")
           : a == infinite   ? a
                             : static_cast<float>(logarithm);
  }
};

/// Four bytes each, and a sum of 32 bits, which wraps around.
template <class A, class B>
struct DotProduct4 {
  static U32 of(U32 a, U32 b, U32 sum) {
    for (U32 shift = 0; shift < 32; shift += 8)
      sum +=
          static_cast<U32>(static_cast<S32>(static_cast<A>(a >> shift)) * static_cast<S32>(static_cast<B>(b >> shift)));
    return sum;
  }
};

template <Comparison comparison, bool unordered>
struct Compare {
  template <class T>
  static bool of(T a, T b) {
    if constexpr (comparison == Comparison::BothNumbers) return a == a && b == b;
    if constexpr (comparison == Comparison::NotBothNumbers) return a != a || b != b;
    if constexpr (unordered && comparison != Comparison::NotEqual) return !opposite(a, b);
    if constexpr (comparison == Comparison::Equal) return a == b;
    if constexpr (comparison == Comparison::Less) return a < b;
    if constexpr (comparison == Comparison::LessEqual) return a <= b;
    if constexpr (comparison == Comparison::Greater) return a > b;
    if constexpr (comparison == Comparison::GreaterEqual) return a >= b;
    if constexpr (unordered) return a != b;
    return a < b || a > b;
  }
  /// What holds of numbers alone, where the comparison does not.
  template <class T>
  static bool opposite(T a, T b) {
    if constexpr (comparison == Comparison::Equal) return a < b || a > b;
    if constexpr (comparison == Comparison::Less) return a >= b;
    if constexpr (comparison == Comparison::LessEqual) return a > b;
    if constexpr (comparison == Comparison::Greater) return a <= b;
    return a < b;
  }
};

template <class R, class A, Rounding rounding>
struct Convert {
  static constexpr R kMost = std::numeric_limits<R>::max(), kLeast = std::numeric_limits<R>::min();
  static A rounded(A a) {
    if constexpr (std::is_floating_point_v<A>) {
      if constexpr (rounding == Rounding::Zero) return static_cast<A>(__builtin_trunc(static_cast<double>(a)));
      if constexpr (rounding == Rounding::Nearest) return static_cast<A>(__builtin_rint(static_cast<double>(a)));
      if constexpr (rounding == Rounding::Down) return static_cast<A>(__builtin_floor(static_cast<double>(a)));
      if constexpr (rounding == Rounding::Up) return static_cast<A>(__builtin_ceil(static_cast<double>(a)));
    }
    return a;
  }
  static R of(A a) {
    if constexpr (std::is_floating_point_v<A> && !std::is_floating_point_v<R>) {
      constexpr R kNothing = sizeof(A) == 8 || sizeof(R) == 8 ? static_cast<R>(U64{1} << (8 * sizeof(R) - 1)) : R{0};
      constexpr double kAbove = sizeof(R) == 8 ? (std::is_signed_v<R> ? 9223372036854775808.0 : 18446744073709551616.0)
                                               : static_cast<double>(kMost) + 1.0;
      const double value = static_cast<double>(rounded(a));
      const bool high = value >= kAbove, low = value <= static_cast<double>(kLeast);
      const R whole = static_cast<R>(high || low || value != value ? 0.0 : value);
      return value != value ? kNothing : high ? kMost : low ? kLeast : whole;
    } else {
      return static_cast<R>(rounded(a));
    }
  }
};

// ---- functions that are no operation of a lane

void join64(Lanes& lanes, const Step& step) {
  const auto* low = numbers<U32>(lanes, step.in[0]);
  const auto* high = numbers<U32>(lanes, step.in[1]);
  auto* out = results<U64>(lanes, step);
  WARPIPE_EACH_LANE out[i] = (U64{high[i]} << 32) | low[i];
}
/// From in[0] to out and in[1], active lanes alone.
void split64(Lanes& lanes, const Step& step) {
  const auto* from = numbers<U64>(lanes, step.in[0]);
  auto* low = results<U32>(lanes, step);
  auto* high = static_cast<U32*>(__builtin_assume_aligned(lanes.base[0] + step.in[1], kAlignment));
  const auto* mask = mask_of(lanes, step);
  WARPIPE_EACH_LANE {
    const U64 value = from[i];
    low[i] = mask[i] != 0 ? static_cast<U32>(value) : low[i];
    high[i] = mask[i] != 0 ? static_cast<U32>(value >> 32) : high[i];
  }
}
void add_number64(Lanes& lanes, const Step& step) {
  const auto* a = numbers<U64>(lanes, step.in[0]);
  auto* out = results<U64>(lanes, step);
  const U64 number = step.number;
  WARPIPE_EACH_LANE out[i] = a[i] + number;
}
// Addresses of 32 bits begin anew behind the last one.
void widen_and_add(Lanes& lanes, const Step& step) {
  const auto* a = numbers<U32>(lanes, step.in[0]);
  auto* out = results<U64>(lanes, step);
  const auto number = static_cast<U32>(step.number);
  WARPIPE_EACH_LANE out[i] = static_cast<U32>(a[i] + number);
}
template <class T>
void flush(Lanes& lanes, const Step& step) {
  constexpr Cell<T> kExponent =
      sizeof(T) == 4 ? static_cast<Cell<T>>(0x7f800000) : static_cast<Cell<T>>(U64{0x7ff} << 52);
  constexpr Cell<T> kSign = Cell<T>{1} << (8 * sizeof(T) - 1);
  const auto* a = numbers<T>(lanes, step.in[0]);
  auto* out = results<T>(lanes, step);
  const auto* mask = mask_of(lanes, step);
  WARPIPE_EACH_LANE {
    const Cell<T> value = (a[i] & kExponent) == 0 ? a[i] & kSign : a[i];
    out[i] = mask[i] != 0 ? value : out[i];
  }
}
/// Sines, or cosines a quarter of a circle further. What is left of a multiple of a quarter is calculated by a
/// polynomial of doubles, so that the float is the nearest one but for rare ties; of huge angles, lane by lane.
template <int quarters>
void sine(Lanes& lanes, const Step& step) {
  constexpr double kMost = 1 << 24;
  const auto* a = numbers<float>(lanes, step.in[0]);
  auto* out = results<float>(lanes, step);
  const auto* mask = mask_of(lanes, step);
  float from[kLanes];
  U32 far = 0;
  WARPIPE_EACH_LANE {
    from[i] = get<float>(a[i]);
    far |= (a[i] & 0x7fffffff) > 0x4b800000 ? mask[i] : 0;
  }
  WARPIPE_EACH_LANE {
    const double angle = static_cast<double>(from[i]), x = angle < -kMost ? -kMost : angle > kMost ? kMost : angle;
    const double turns = __builtin_rint(x * 0.63661977236758134308);
    // A quarter of a circle in three parts, of which the first two have few bits.
    const double r = ((x - turns * 0x1.921fb54p+0) - turns * 0x1.10b461p-30) - turns * 0x1.a62633145c06ep-58;
    const double z = r * r;
    const double odd =
        r + r * z *
                (-1.0 / 6 +
                 z * (1.0 / 120 +
                      z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                                  z * (1.0 / 6227020800.0 - z / 1307674368000.0))))));
    const double even =
        1.0 +
        z * (-0.5 + z * (1.0 / 24 +
                         z * (-1.0 / 720 +
                              z * (1.0 / 40320 + z * (-1.0 / 3628800 + z * (1.0 / 479001600.0 - z / 87178291200.0))))));
    const U32 quarter = static_cast<U32>(static_cast<S32>(angle != angle ? 0.0 : turns)) + quarters;
    const double size = (quarter & 1) != 0 ? even : odd;
    const double value = angle != angle ? angle : (quarter & 2) != 0 ? -size : size;
    const U32 bits = put<float>(static_cast<float>(value));
    out[i] = mask[i] != 0 ? bits : out[i];
  }
  if (far == 0) return;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const double angle = static_cast<double>(from[i]), size = __builtin_fabs(angle);
    if (mask[i] != 0 && size > kMost)
      out[i] = put<float>(static_cast<float>(quarters != 0 ? __builtin_cos(angle) : __builtin_sin(angle)));
  }
}
/// Whether the sum of two or three goes beyond its bits, or the difference below zero.
template <class T, bool borrows>
void carry(Lanes& lanes, const Step& step) {
  const auto* a = numbers<T>(lanes, step.in[0]);
  const auto* b = numbers<T>(lanes, step.in[1]);
  const auto* flag = numbers<U32>(lanes, step.in[2]);
  auto* out = results<U32>(lanes, step);
  const auto* mask = mask_of(lanes, step);
  WARPIPE_EACH_LANE {
    const T x = a[i], y = b[i], in = flag[i];
    const T sum = x + y;
    const bool over = borrows ? x < y || (in != 0 && x == y) : sum < x || (in != 0 && sum == ~T{0});
    out[i] = mask[i] != 0 ? (over ? 1U : 0U) : out[i];
  }
}
struct Saturate {
  template <class T>
  static T of(T a) {
    return a > 0 ? (a < 1 ? a : T{1}) : T{0};
  }
};

void logic3(Lanes& lanes, const Step& step) {
  const auto* a = numbers<U32>(lanes, step.in[0]);
  const auto* b = numbers<U32>(lanes, step.in[1]);
  const auto* c = numbers<U32>(lanes, step.in[2]);
  const auto* table = numbers<U32>(lanes, step.in[3]);
  auto* out = results<U32>(lanes, step);
  const auto* mask = mask_of(lanes, step);
  U32 all[8];
  for (U32 index = 0; index < 8; ++index) all[index] = 0 - ((table[0] >> index) & 1);
  WARPIPE_EACH_LANE {
    const U32 x = a[i], y = b[i], z = c[i];
    const U32 low = ((all[0] & ~z) | (all[1] & z)), next = ((all[2] & ~z) | (all[3] & z));
    const U32 third = ((all[4] & ~z) | (all[5] & z)), last = ((all[6] & ~z) | (all[7] & z));
    const U32 value = (~x & ((~y & low) | (y & next))) | (x & ((~y & third) | (y & last)));
    out[i] = mask[i] != 0 ? value : out[i];
  }
}

void insert_bits(Lanes& lanes, const Step& step) {
  const auto* a = numbers<U32>(lanes, step.in[0]);
  const auto* b = numbers<U32>(lanes, step.in[1]);
  const auto* c = numbers<U32>(lanes, step.in[2]);
  const auto* d = numbers<U32>(lanes, step.in[3]);
  auto* out = results<U32>(lanes, step);
  const auto* mask = mask_of(lanes, step);
  WARPIPE_EACH_LANE {
    const U32 value = InsertBits::of(a[i], b[i], c[i], d[i]);
    out[i] = mask[i] != 0 ? value : out[i];
  }
}

// ---- which function

template <class Op>
Function same_binary(Type type) {
  return of_number(type, [](auto t) -> Function {
    using T = decltype(t);
    return binary<Op, T, T, T>;
  });
}
template <class Op>
Function same_bits(Type type) {
  return of_bits(type, [](auto t) -> Function {
    using T = decltype(t);
    return binary<Op, T, T, T>;
  });
}

template <bool unordered>
Function comparison_of(Comparison comparison, Type type) {
  return of_number(type, [comparison](auto t) -> Function {
    using T = decltype(t);
    switch (comparison) {
      case Comparison::Equal:
        return binary<Compare<Comparison::Equal, unordered>, bool, T, T>;
      case Comparison::NotEqual:
        return binary<Compare<Comparison::NotEqual, unordered>, bool, T, T>;
      case Comparison::Less:
        return binary<Compare<Comparison::Less, unordered>, bool, T, T>;
      case Comparison::LessEqual:
        return binary<Compare<Comparison::LessEqual, unordered>, bool, T, T>;
      case Comparison::Greater:
        return binary<Compare<Comparison::Greater, unordered>, bool, T, T>;
      case Comparison::GreaterEqual:
        return binary<Compare<Comparison::GreaterEqual, unordered>, bool, T, T>;
      case Comparison::BothNumbers:
        return binary<Compare<Comparison::BothNumbers, unordered>, bool, T, T>;
      default:
        return binary<Compare<Comparison::NotBothNumbers, unordered>, bool, T, T>;
    }
  });
}

Function resize(Type from, Type to) {
  return of_whole(from, [&](auto f) -> Function {
    using From = decltype(f);
    return of_bits(to.bits == 8 ? Type{Kind::Bits, 32} : to, [&](auto t) -> Function {
      using To = decltype(t);
      return to.bits == 8 ? unary<Convert<U8, From, Rounding::None>, U8, From>
                          : unary<Convert<To, From, Rounding::None>, To, From>;
    });
  });
}

Function conversion_of(const LaneOperation& operation) {
  const auto& from = operation.type;
  const auto& to = operation.result;
  if (!is_float_type(from))
    return of_whole(from, [&](auto f) -> Function {
      using From = decltype(f);
      if (!is_float_type(to)) return resize(from, to);
      return of_float(to, [](auto t) -> Function {
        using To = decltype(t);
        return unary<Convert<To, From, Rounding::None>, To, From>;
      });
    });
  return of_float(from, [&](auto f) -> Function {
    using From = decltype(f);
    if (is_float_type(to) && from.bits != to.bits) {
      if (operation.rounding != Rounding::None) return nullptr;
      if constexpr (sizeof(From) == 4)
        return unary<Convert<double, From, Rounding::None>, double, From>;
      else
        return unary<Convert<float, From, Rounding::None>, float, From>;
    }
    const auto rounded = [&](auto t) -> Function {
      using To = decltype(t);
      switch (operation.rounding) {
        case Rounding::Zero:
          return unary<Convert<To, From, Rounding::Zero>, To, From>;
        case Rounding::Nearest:
          return unary<Convert<To, From, Rounding::Nearest>, To, From>;
        case Rounding::Down:
          return unary<Convert<To, From, Rounding::Down>, To, From>;
        case Rounding::Up:
          return unary<Convert<To, From, Rounding::Up>, To, From>;
        default:
          return std::is_floating_point_v<To> ? Function{unary<Convert<To, From, Rounding::None>, To, From>} : nullptr;
      }
    };
    if (is_float_type(to)) return rounded(From{});
    return to.bits < 32 ? nullptr : of_whole(to, rounded);
  });
}

Function float_function(const LaneOperation& operation) {
  const auto type = operation.type;
  switch (operation.op) {
    case LaneOp::SquareRoot:
      return of_float(type, [](auto t) -> Function { return unary<SquareRoot, decltype(t), decltype(t)>; });
    case LaneOp::Reciprocal:
      return of_float(type, [](auto t) -> Function { return unary<Reciprocal, decltype(t), decltype(t)>; });
    case LaneOp::ReciprocalRoot:
      return of_float(type, [](auto t) -> Function { return unary<ReciprocalRoot, decltype(t), decltype(t)>; });
    case LaneOp::PowerOfTwo:
      return type.bits == 32 ? Function{unary<PowerOfTwo, float, float>} : nullptr;
    case LaneOp::BinaryLogarithm:
      return type.bits == 32 ? Function{unary<BinaryLogarithm, float, float>} : nullptr;
    case LaneOp::HyperbolicTangent:
      return type.bits == 32 ? Function{unary<HyperbolicTangent, float, float>} : nullptr;
    case LaneOp::Sine:
      return type.bits == 32 ? Function{sine<0>} : nullptr;
    case LaneOp::Cosine:
      return type.bits == 32 ? Function{sine<1>} : nullptr;
    case LaneOp::Absolute:
      return of_bits(type, [](auto t) -> Function { return unary<AbsoluteOfFloat, decltype(t), decltype(t)>; });
    case LaneOp::Negate:
      return of_bits(type, [](auto t) -> Function { return unary<NegateFloat, decltype(t), decltype(t)>; });
    case LaneOp::CopySign:
      return of_bits(type, [](auto t) -> Function { return binary<CopySign, decltype(t), decltype(t), decltype(t)>; });
    case LaneOp::MultiplyAdd:
      return of_float(type, [](auto t) -> Function {
        using T = decltype(t);
        return ternary<MultiplyAdd, T, T, T, T>;
      });
    default:
      return nullptr;
  }
}

Function sums_and_products(const LaneOperation& operation, std::size_t inputs) {
  const auto type = operation.type;
  const bool three = inputs > 2;
  switch (operation.op) {
    case LaneOp::Add:
      if (three)
        return of_bits(type, [](auto t) -> Function {
          using T = decltype(t);
          return ternary<Add, T, T, T, T>;
        });
      return is_float_type(type) ? of_float(type,
                                            [](auto t) -> Function {
                                              using T = decltype(t);
                                              return binary<Add, T, T, T>;
                                            })
                                 : same_bits<Add>(type);
    case LaneOp::Subtract:
      if (three)
        return of_bits(type, [](auto t) -> Function {
          using T = decltype(t);
          return ternary<Subtract, T, T, T, T>;
        });
      return is_float_type(type) ? of_float(type,
                                            [](auto t) -> Function {
                                              using T = decltype(t);
                                              return binary<Subtract, T, T, T>;
                                            })
                                 : same_bits<Subtract>(type);
    case LaneOp::Multiply:
      return is_float_type(type) ? of_float(type,
                                            [](auto t) -> Function {
                                              using T = decltype(t);
                                              return binary<Multiply, T, T, T>;
                                            })
                                 : same_bits<Multiply>(type);
    case LaneOp::MultiplyAdd:
      return of_bits(type, [](auto t) -> Function {
        using T = decltype(t);
        return ternary<MultiplyAdd, T, T, T, T>;
      });
    case LaneOp::MultiplyHigh:
      return type.bits < 16 ? nullptr : of_whole(type, [](auto t) -> Function {
        using T = decltype(t);
        return binary<MultiplyHigh, T, T, T>;
      });
    case LaneOp::MultiplyAddHigh:
      return type.bits < 16 ? nullptr : of_whole(type, [](auto t) -> Function {
        using T = decltype(t);
        return ternary<MultiplyHigh, T, T, T, T>;
      });
    case LaneOp::MultiplyWide:
    case LaneOp::MultiplyAddWide:
      if (type.bits != 16 && type.bits != 32) return nullptr;
      return of_whole(type, [&](auto t) -> Function {
        using T = decltype(t);
        if (operation.op == LaneOp::MultiplyWide) return binary<MultiplyWide, Wide<T>, T, T>;
        return ternary<MultiplyWide, Wide<T>, T, T, Wide<T>>;
      });
    case LaneOp::Divide:
      return same_binary<Divide>(type);
    case LaneOp::Remainder:
      return of_whole(type, [](auto t) -> Function {
        using T = decltype(t);
        return binary<Remainder, T, T, T>;
      });
    default:
      return nullptr;
  }
}

Function dot_product(const LaneOperation& operation) {
  const bool a = operation.type.kind == Kind::Signed, b = operation.other == Kind::Signed;
  return a ? (b ? ternary<DotProduct4<S8, S8>, U32, U32, U32, U32> : ternary<DotProduct4<S8, U8>, U32, U32, U32, U32>)
           : (b ? ternary<DotProduct4<U8, S8>, U32, U32, U32, U32> : ternary<DotProduct4<U8, U8>, U32, U32, U32, U32>);
}

Function bit_function(const LaneOperation& operation, std::size_t inputs) {
  const auto type = operation.type;
  switch (operation.op) {
    case LaneOp::Move:
      return of_bits(type, [](auto t) -> Function {
        using T = decltype(t);
        return unary<Move, T, T>;
      });
    case LaneOp::And:
      return same_bits<And>(type);
    case LaneOp::AndNot:
      return same_bits<AndNot>(type);
    case LaneOp::Or:
      return same_bits<Or>(type);
    case LaneOp::Xor:
      return same_bits<Xor>(type);
    case LaneOp::Not:
      if (type.kind == Kind::Predicate) return unary<NotTruth, U32, U32>;
      return of_bits(type, [](auto t) -> Function {
        using T = decltype(t);
        return unary<Not, T, T>;
      });
    case LaneOp::IsZero:
      return of_bits(type, [](auto t) -> Function {
        using T = decltype(t);
        return unary<IsZero, T, T>;
      });
    case LaneOp::ShiftLeft:
      return of_bits(type, [](auto t) -> Function {
        using T = decltype(t);
        return binary<ShiftLeft, T, T, U32>;
      });
    case LaneOp::ShiftRight:
      return of_whole(type, [](auto t) -> Function {
        using T = decltype(t);
        return binary<ShiftRight, T, T, U32>;
      });
    case LaneOp::FunnelLeft:
      return operation.wrap ? ternary<Funnel<true, true>, U32, U32, U32, U32>
                            : ternary<Funnel<true, false>, U32, U32, U32, U32>;
    case LaneOp::FunnelRight:
      return operation.wrap ? ternary<Funnel<false, true>, U32, U32, U32, U32>
                            : ternary<Funnel<false, false>, U32, U32, U32, U32>;
    case LaneOp::Select:
      return of_bits(type, [](auto t) -> Function {
        using T = decltype(t);
        return ternary<Select, T, T, T, U32>;
      });
    case LaneOp::PopulationCount:
      return type.bits == 64   ? unary<PopulationCount, U32, U64>
             : type.bits == 32 ? unary<PopulationCount, U32, U32>
                               : Function{nullptr};
    case LaneOp::LeadingZeros:
      return type.bits == 64   ? unary<LeadingZeros, U32, U64>
             : type.bits == 32 ? unary<LeadingZeros, U32, U32>
                               : Function{nullptr};
    case LaneOp::ReverseBits:
      return type.bits == 32 ? unary<ReverseBits, U32, U32> : Function{nullptr};
    case LaneOp::ExtractBits:
      if (type.bits != 32) return nullptr;
      return type.kind == Kind::Signed ? ternary<ExtractBits, S32, S32, U32, U32>
                                       : ternary<ExtractBits, U32, U32, U32, U32>;
    case LaneOp::InsertBits:
      return type.bits == 32 ? insert_bits : Function{nullptr};
    case LaneOp::DotProduct4:
      return dot_product(operation);
    case LaneOp::Permute:
      return operation.bytes == isa::Bytes::Selected ? ternary<Permute, U32, U32, U32, U32> : Function{nullptr};
    case LaneOp::Logic3:
      return inputs == 4 && type.bits == 32 ? logic3 : Function{nullptr};
    default:
      return nullptr;
  }
}

Function carry_of(const LaneOperation& operation) {
  const bool borrows = operation.op == LaneOp::Borrow;
  if (operation.type.bits == 32) return borrows ? carry<U32, true> : carry<U32, false>;
  if (operation.type.bits == 64) return borrows ? carry<U64, true> : carry<U64, false>;
  return nullptr;
}

Function find(const LaneOperation& operation, std::size_t inputs) {
  const auto type = operation.type;
  if (operation.op == LaneOp::Compare)
    return operation.unordered ? comparison_of<true>(operation.comparison, type)
                               : comparison_of<false>(operation.comparison, type);
  if (operation.op == LaneOp::Convert) return conversion_of(operation);
  if (operation.op == LaneOp::Carry || operation.op == LaneOp::Borrow) return carry_of(operation);
  if (is_float_type(type))
    if (const auto found = float_function(operation)) return found;
  if (operation.op == LaneOp::Minimum)
    return inputs == 2 && !operation.keep_no_number ? same_binary<Minimum>(type) : nullptr;
  if (operation.op == LaneOp::Maximum)
    return inputs == 2 && !operation.keep_no_number ? same_binary<Maximum>(type) : nullptr;
  if (!is_float_type(type)) {
    if (operation.op == LaneOp::Absolute)
      return of_whole(type, [](auto t) -> Function {
        using T = decltype(t);
        return unary<Absolute, T, T>;
      });
    if (operation.op == LaneOp::Negate)
      return of_bits(type, [](auto t) -> Function {
        using T = decltype(t);
        return unary<Negate, T, T>;
      });
    if (operation.op == LaneOp::AbsoluteDifference)
      return of_whole(type, [](auto t) -> Function {
        using T = decltype(t);
        return ternary<AbsoluteDifference, T, T, T, T>;
      });
  }
  if (const auto found = sums_and_products(operation, inputs)) return found;
  return bit_function(operation, inputs);
}

/// Rounded otherwise than to the nearest: the step that `number` leads to, while the processor rounds so.
#if defined(__SSE2__)
template <U32 mode>
void rounded(Lanes& lanes, const Step& step) {
  constexpr U32 kModes = 0x6000;
  const U32 before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr((before & ~kModes) | mode);
  reinterpret_cast<Function>(step.number)(lanes, step);
  __builtin_ia32_ldmxcsr(before);
}
Function rounded_as(Rounding rounding) {
  return rounding == Rounding::Zero   ? rounded<0x6000>
         : rounding == Rounding::Down ? rounded<0x2000>
         : rounding == Rounding::Up   ? rounded<0x4000>
                                      : Function{nullptr};
}
#else
Function rounded_as(Rounding /*rounding*/) { return nullptr; }
#endif

// ---- masks and addresses

void to_words(Mask active, U32* words) {
  for (std::size_t i = 0; i < kMostLanes; ++i) words[i] = 0 - static_cast<U32>((active >> i) & 1);
}
Mask to_bits(const U32* truths, std::size_t count) {
  Mask bits = 0;
#if defined(__AVX512F__)
  for (std::size_t i = 0; i < count; i += 16) {
    const __m512i part = _mm512_load_si512(truths + i);
    bits |= static_cast<Mask>(_mm512_test_epi32_mask(part, part)) << i;
  }
#elif defined(__AVX2__)
  for (std::size_t i = 0; i < count; i += 8) {
    const __m256i part = _mm256_load_si256(reinterpret_cast<const __m256i*>(truths + i));
    const __m256i zero = _mm256_cmpeq_epi32(part, _mm256_setzero_si256());
    bits |= static_cast<Mask>(~static_cast<U32>(_mm256_movemask_ps(_mm256_castsi256_ps(zero))) & 255U) << i;
  }
#else
  for (std::size_t i = 0; i < count; ++i) bits |= static_cast<Mask>(truths[i] != 0 ? 1 : 0) << i;
#endif
  return bits;
}
void bounds(const U64* addresses, const U32* mask, std::size_t count, U64* least, U64* most, U64* joined) {
  U64 low = ~U64{0}, high = 0, all = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const U64 on = static_cast<U64>(static_cast<S64>(static_cast<S32>(mask[i])));
    const U64 address = addresses[i];
    const U64 at_least = address | ~on, at_most = address & on;
    low = at_least < low ? at_least : low;
    high = at_most > high ? at_most : high;
    all |= at_most;
  }
  *least = low;
  *most = high;
  *joined = all;
}
bool is_row(const U64* addresses, U64 step) {
  U64 differs = 0;
  for (std::size_t i = 0; i < kLanes; ++i) differs |= addresses[i] ^ (addresses[0] + i * step);
  return differs == 0;
}

#include "access_lanes.inl"
#include "half_lanes.inl"

constexpr LaneFunctions functions_named(const char* name) {
  return {name,
          find,
          find_half,
          rounded_as,
          find_access,
          find_shuffle,
          begin_guard,
          end_guard,
          resize,
          join64,
          split64,
          unary<IsZero, U32, U32>,
          flush<float>,
          flush<double>,
          unary<Saturate, float, float>,
          unary<Saturate, double, double>,
          binary<And, U32, U32, U32>,
          binary<Or, U32, U32, U32>,
          binary<Xor, U32, U32, U32>,
          add_number64,
          widen_and_add,
          to_words,
          to_bits,
          bounds,
          is_row};
}
