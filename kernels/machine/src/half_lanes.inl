// Floats of 16 bits, alone and in pairs in a register, as lanes.inl has the others: included behind it. Each result is
// rounded once, to the nearest, of two the even one.

/// A double cut to a float's 24 bits, of which the last is odd where some were cut off: rounded again to 16 or fewer it
/// is as if rounded once.
/// @source Boldo, Melquiond: "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd"
inline double odd_single(double exact) {
  constexpr U64 kCut = (U64{1} << 29) - 1;
  const U64 bits = __builtin_bit_cast(U64, exact);
  return __builtin_bit_cast(double, (bits & ~kCut) | (((bits & kCut) + kCut) & (kCut + 1)));
}

/// A product of floats of 16 bits, which a double holds, plus another, with an odd last bit where a double does not
/// hold it.
inline double odd_sum(double product, double other) {
  const double sum = product + other;
  const double of_other = sum - product, of_product = sum - of_other;
  const double rest = (product - of_product) + (other - of_other);  // Knuth's: what the sum lacks
  const U64 bits = __builtin_bit_cast(U64, sum);
  const U64 away = static_cast<U64>(static_cast<S64>(bits ^ __builtin_bit_cast(U64, rest)) >> 63);  // all ones: less
  const U64 lacks = (__builtin_fabs(rest) > 0.0 ? U64{1} : U64{0}) & ~bits;
  return __builtin_bit_cast(double, bits + ((lacks ^ away) - away));
}

struct Half {
  static constexpr U32 kNoNumber = 0x7fff;
  static float number(U32 bits) {
    const U32 sign = (bits & 0x8000) << 16, rest = (bits & 0x7fff) << 13;
    const float scaled = __builtin_bit_cast(float, rest) * 0x1p112F;
    const U32 whole = rest >= 0x0f800000 ? rest + 0x70000000 : __builtin_bit_cast(U32, scaled);
    return __builtin_bit_cast(float, whole | sign);
  }
  static U32 bits(float number) {
    const U32 all = __builtin_bit_cast(U32, number), rest = all & 0x7fffffff, sign = (all >> 16) & 0x8000;
    // Below the normal ones the sum with a half rounds to what is left.
    const U32 small = __builtin_bit_cast(U32, __builtin_bit_cast(float, rest) + 0.5F) - 0x3f000000;
    const U32 normal = (rest - 0x38000000 + 0xfff + ((rest >> 13) & 1)) >> 13;
    const U32 finite = rest < 0x38800000 ? small : normal;
    return rest > 0x7f800000 ? kNoNumber : sign | (rest >= 0x47800000 ? 0x7c00 : finite);
  }
  static U32 bits(double number) { return bits(static_cast<float>(odd_single(number))); }
  /// A double has bits enough for all sums that are no infinity.
  static double sum(double product, double other) { return product + other; }
};

struct Brain {
  static constexpr U32 kNoNumber = 0x7fff;
  static float number(U32 bits) { return __builtin_bit_cast(float, bits << 16); }
  static U32 bits(float number) {
    const U32 all = __builtin_bit_cast(U32, number);
    return (all & 0x7fffffff) > 0x7f800000 ? kNoNumber : (all + 0x7fff + ((all >> 16) & 1)) >> 16;
  }
  static U32 bits(double number) {
    // Below the normal ones a sum with this rounds to what is left.
    constexpr double kRounder = 0x1.8p-81;
    const double small = __builtin_copysign((number + kRounder) - kRounder, number);
    return bits(static_cast<float>(__builtin_fabs(number) < 0x1p-126 ? small : odd_single(number)));
  }
  static double sum(double product, double other) { return odd_sum(product, other); }
};

/// Floats of 8 bits. Too large a number becomes the largest; the layout with 3 bits behind the point has no infinity.
template <U32 fraction, U32 largest>
struct Small {
  static constexpr U32 kBias = (1U << (6 - fraction)) - 1, kShift = 23 - fraction, kNoNumber = 0x7f;
  static float power_of_two(U32 exponent) { return __builtin_bit_cast(float, exponent << 23); }
  static U32 bits(float number) {
    const U32 all = __builtin_bit_cast(U32, number), rest = all & 0x7fffffff, sign = (all >> 24) & 0x80;
    // Below the normal ones the sum with this rounds to what is left.
    const float rounder = power_of_two(127 + kShift + 1 - kBias);
    const U32 small =
        __builtin_bit_cast(U32, __builtin_bit_cast(float, rest) + rounder) - __builtin_bit_cast(U32, rounder);
    const U32 normal = (rest - ((127 - kBias) << 23) + (1U << (kShift - 1)) - 1 + ((rest >> kShift) & 1)) >> kShift;
    const U32 finite = rest < ((128 - kBias) << 23) ? small : normal;
    return rest > 0x7f800000 ? kNoNumber : sign | (finite < largest ? finite : largest);
  }
  static float number(U32 bits) {
    const U32 rest = bits & 0x7f, sign = (bits & 0x80) << 24;
    const float scaled = __builtin_bit_cast(float, rest << kShift) * power_of_two(127 + 127 - kBias);
    const U32 size = rest <= largest                          ? __builtin_bit_cast(U32, scaled)
                     : rest == largest + 1 && fraction == 2 ? 0x7f800000U
                                                              : 0x7fc00000U;
    return __builtin_bit_cast(float, size | sign);
  }
};
using FineByte = Small<3, 0x7e>;
using WideByte = Small<2, 0x7b>;

/// cvt.rn.satfinite.e4m3x2.f32 d, a, b: a goes into the upper byte.
template <class Format>
struct BytesFromTwo {
  static U32 of(float a, float b) { return (Format::bits(a) << 8) | Format::bits(b); }
};
/// cvt.rn.satfinite.e4m3x2.f16x2 d, a.
template <class Format>
struct BytesFromHalves {
  static U32 of(U32 a) { return (Format::bits(Half::number(a >> 16)) << 8) | Format::bits(Half::number(a & 0xffff)); }
};
/// cvt.rn.f16x2.e4m3x2 d, a.
template <class Format>
struct HalvesFromBytes {
  static U32 of(U32 a) {
    return (Half::bits(Format::number((a >> 8) & 0xff)) << 16) | Half::bits(Format::number(a & 0xff));
  }
};

/// Operations of lanes.inl on floats, whose 24 bits are enough for another rounding to 11 or 8.
template <class Format, class Op>
struct OfHalves {
  static U32 of(U32 a) { return Format::bits(Op::of(Format::number(a & 0xffff))); }
  static U32 of(U32 a, U32 b) { return Format::bits(Op::of(Format::number(a & 0xffff), Format::number(b & 0xffff))); }
};
/// A product may be less than all normal floats.
template <class Format>
struct MultiplyHalves {
  static double product(U32 a, U32 b) {
    return static_cast<double>(Format::number(a & 0xffff)) * static_cast<double>(Format::number(b & 0xffff));
  }
  static U32 of(U32 a, U32 b) { return Format::bits(product(a, b)); }
};
template <class Format>
struct MultiplyAddHalves {
  static U32 of(U32 a, U32 b, U32 c) {
    const auto other = static_cast<double>(Format::number(c & 0xffff));
    return Format::bits(Format::sum(MultiplyHalves<Format>::product(a, b), other));
  }
};
/// What changes the sign alone, whatever the number.
struct NegateHalf {
  static U32 of(U32 a) { return (a & 0xffff) ^ 0x8000; }
};
struct AbsoluteHalf {
  static U32 of(U32 a) { return a & 0x7fff; }
};

/// In both halves of a register.
template <class Op>
struct InPairs {
  static U32 of(U32 a) { return Op::of(a & 0xffff) | (Op::of(a >> 16) << 16); }
  static U32 of(U32 a, U32 b) { return Op::of(a & 0xffff, b & 0xffff) | (Op::of(a >> 16, b >> 16) << 16); }
  static U32 of(U32 a, U32 b, U32 c) {
    return Op::of(a & 0xffff, b & 0xffff, c & 0xffff) | (Op::of(a >> 16, b >> 16, c >> 16) << 16);
  }
};

template <class Format>
struct ToFloat {
  static float of(U32 a) { return Format::number(a & 0xffff); }
};
template <class Format>
struct ToDouble {
  static double of(U32 a) { return static_cast<double>(Format::number(a & 0xffff)); }
};
template <class Format>
struct FromNumber {
  static U32 of(float a) { return Format::bits(a); }
  static U32 of(double a) { return Format::bits(a); }
  static U32 of(S32 a) { return Format::bits(static_cast<double>(a)); }
  static U32 of(U32 a) { return Format::bits(static_cast<double>(a)); }
};
/// cvt.rn.f16x2.f32 d, a, b: a goes into the upper half.
template <class Format>
struct FromTwo {
  static U32 of(float a, float b) { return (Format::bits(a) << 16) | Format::bits(b); }
};
template <class Format, class R, Rounding rounding>
struct ToWhole {
  static R of(U32 a) { return Convert<R, float, rounding>::of(Format::number(a & 0xffff)); }
};

template <class Format, Comparison comparison, bool unordered>
struct CompareHalves {
  static bool of(U32 a, U32 b) {
    return Compare<comparison, unordered>::of(Format::number(a & 0xffff), Format::number(b & 0xffff));
  }
};

template <class Op>
Function unary_of_parts(int parts) {
  return parts == 2 ? unary<InPairs<Op>, U32, U32> : unary<Op, U32, U32>;
}
template <class Op>
Function binary_of_parts(int parts) {
  return parts == 2 ? binary<InPairs<Op>, U32, U32, U32> : binary<Op, U32, U32, U32>;
}
template <class Op>
Function ternary_of_parts(int parts) {
  return parts == 2 ? ternary<InPairs<Op>, U32, U32, U32, U32> : ternary<Op, U32, U32, U32, U32>;
}

/// set.eq.f16.f16 d, a, b: 1 or 0.
template <class Format, class Comparing>
struct MarkHalves {
  static U32 of(U32 a, U32 b) { return Comparing::of(a, b) ? Format::bits(1.0F) : 0; }
};

/// @param parts  0: the result is a predicate
template <class Format, Comparison comparison, bool unordered>
Function half_comparison(int parts) {
  using Comparing = CompareHalves<Format, comparison, unordered>;
  return parts == 0 ? Function{binary<Comparing, bool, U32, U32>}
                    : binary_of_parts<MarkHalves<Format, Comparing>>(parts);
}

template <class Format, bool unordered>
Function half_comparison(Comparison comparison, int parts) {
  switch (comparison) {
    case Comparison::Equal:
      return half_comparison<Format, Comparison::Equal, unordered>(parts);
    case Comparison::NotEqual:
      return half_comparison<Format, Comparison::NotEqual, unordered>(parts);
    case Comparison::Less:
      return half_comparison<Format, Comparison::Less, unordered>(parts);
    case Comparison::LessEqual:
      return half_comparison<Format, Comparison::LessEqual, unordered>(parts);
    case Comparison::Greater:
      return half_comparison<Format, Comparison::Greater, unordered>(parts);
    case Comparison::GreaterEqual:
      return half_comparison<Format, Comparison::GreaterEqual, unordered>(parts);
    case Comparison::BothNumbers:
      return half_comparison<Format, Comparison::BothNumbers, unordered>(parts);
    default:
      return half_comparison<Format, Comparison::NotBothNumbers, unordered>(parts);
  }
}

template <class Format, class R>
Function half_to_whole(Rounding rounding) {
  switch (rounding) {
    case Rounding::Zero:
      return unary<ToWhole<Format, R, Rounding::Zero>, R, U32>;
    case Rounding::Nearest:
      return unary<ToWhole<Format, R, Rounding::Nearest>, R, U32>;
    case Rounding::Down:
      return unary<ToWhole<Format, R, Rounding::Down>, R, U32>;
    case Rounding::Up:
      return unary<ToWhole<Format, R, Rounding::Up>, R, U32>;
    default:
      return nullptr;
  }
}

template <class Format>
Function half_from_number(const LaneOperation& operation, std::size_t inputs) {
  const auto from = operation.type;
  if (is_float_type(from) && from.bits == 64) return unary<FromNumber<Format>, U32, double>;
  if (is_float_type(from) && from.bits == 32)
    return operation.parts == 2 ? (inputs == 2 ? binary<FromTwo<Format>, U32, float, float> : Function{nullptr})
                                : unary<FromNumber<Format>, U32, float>;
  if (is_float_type(from) || from.bits > 32) return nullptr;
  if (from.kind == Kind::Signed && from.bits < 32) return nullptr;
  return from.kind == Kind::Signed ? unary<FromNumber<Format>, U32, S32> : unary<FromNumber<Format>, U32, U32>;
}

template <class Format>
Function half_to_number(const LaneOperation& operation) {
  const auto to = operation.result;
  if (is_float_type(to))
    return to.bits == 32   ? unary<ToFloat<Format>, float, U32>
           : to.bits == 64 ? unary<ToDouble<Format>, double, U32>
                           : Function{nullptr};
  if (to.bits != 32) return nullptr;
  return to.kind == Kind::Signed ? half_to_whole<Format, S32>(operation.rounding)
                                 : half_to_whole<Format, U32>(operation.rounding);
}

template <class Format, bool unordered>
Function half_comparison(const LaneOperation& operation) {
  const bool is_truth = operation.result.kind == Kind::Predicate;
  const bool is_half = is_float_type(operation.result) && operation.result.bits == 16;
  if (is_truth ? operation.parts != 1 : !is_half) return nullptr;
  return half_comparison<Format, unordered>(operation.comparison, is_truth ? 0 : operation.parts);
}

template <class Format>
Function half_operation(const LaneOperation& operation, std::size_t inputs) {
  const auto parts = operation.parts;
  switch (operation.op) {
    case LaneOp::Add:
      return inputs == 2 ? binary_of_parts<OfHalves<Format, Add>>(parts) : nullptr;
    case LaneOp::Subtract:
      return inputs == 2 ? binary_of_parts<OfHalves<Format, Subtract>>(parts) : nullptr;
    case LaneOp::Multiply:
      return binary_of_parts<MultiplyHalves<Format>>(parts);
    case LaneOp::MultiplyAdd:
      return ternary_of_parts<MultiplyAddHalves<Format>>(parts);
    case LaneOp::Minimum:
      return inputs == 2 && !operation.keep_no_number ? binary_of_parts<OfHalves<Format, Minimum>>(parts) : nullptr;
    case LaneOp::Maximum:
      return inputs == 2 && !operation.keep_no_number ? binary_of_parts<OfHalves<Format, Maximum>>(parts) : nullptr;
    case LaneOp::PowerOfTwo:
      return parts == 1 ? Function{unary<OfHalves<Format, PowerOfTwo>, U32, U32>} : nullptr;
    case LaneOp::Negate:
      return unary_of_parts<NegateHalf>(parts);
    case LaneOp::Absolute:
      return unary_of_parts<AbsoluteHalf>(parts);
    case LaneOp::Compare:
      return operation.unordered ? half_comparison<Format, true>(operation) : half_comparison<Format, false>(operation);
    default:
      return nullptr;
  }
}

template <class Format>
Function half_function(const LaneOperation& operation, std::size_t inputs) {
  const bool of_halves = is_float_type(operation.type) && operation.type.bits == 16;
  if (operation.op != LaneOp::Convert) return of_halves ? half_operation<Format>(operation, inputs) : nullptr;
  if (of_halves) return operation.parts == 1 ? half_to_number<Format>(operation) : nullptr;
  return operation.rounding == Rounding::None ? half_from_number<Format>(operation, inputs) : nullptr;
}

/// Of pairs of floats of 8 bits: `Format` is the layout of the bytes.
template <class Format>
Function byte_function(const LaneOperation& operation, std::size_t inputs) {
  const auto from = operation.type, to = operation.result;
  if (operation.rounding != Rounding::None || operation.parts != 2) return nullptr;
  if (from.bits == 8) {
    const bool to_halves = to.bits == 16 && operation.result_format == isa::Format::Standard && inputs == 1;
    return to_halves ? unary<HalvesFromBytes<Format>, U32, U32> : Function{nullptr};
  }
  if (operation.format != isa::Format::Standard || !is_float_type(from)) return nullptr;
  if (from.bits == 32 && inputs == 2) return binary<BytesFromTwo<Format>, U32, float, float>;
  return from.bits == 16 && inputs == 1 ? unary<BytesFromHalves<Format>, U32, U32> : Function{nullptr};
}

/// Of floats of 16 bits, in one format; rounded, flushed and saturated as the others of `find`.
Function find_half(const LaneOperation& operation, std::size_t inputs) {
  using isa::Format;
  const auto has_bytes = [&](Format format) { return operation.format == format || operation.result_format == format; };
  if (has_bytes(Format::E4M3) || has_bytes(Format::E5M2)) {
    if (operation.op != LaneOp::Convert || (operation.type.bits == 8 && operation.result.bits == 8)) return nullptr;
    return has_bytes(Format::E4M3) ? byte_function<FineByte>(operation, inputs) : byte_function<WideByte>(operation, inputs);
  }
  const bool from_half = is_float_type(operation.type) && operation.type.bits == 16;
  const bool to_half = is_float_type(operation.result) && operation.result.bits == 16;
  if (operation.op == LaneOp::Convert && from_half && to_half) return nullptr;
  const auto format = from_half ? operation.format : operation.result_format;
  const auto other = from_half ? operation.result_format : operation.format;
  if (format == Format::Standard && (other == Format::Standard)) return half_function<Half>(operation, inputs);
  if (format == Format::Brain && (other == Format::Standard || other == Format::Brain))
    return half_function<Brain>(operation, inputs);
  return nullptr;
}
