// Frequent operations as loops over lanes, which compilers turn into vector instructions.
#include "lanes/lane_vectors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "program/lane_floats.hpp"

namespace warpipe::isa {
namespace {

using Vectors = std::span<const std::uint64_t* const>;

/// Widens a number of a type to 64 bits, modulo 2^64.
class Widener {
 public:
  explicit Widener(Type type)
      : has_sign_(type.kind == Type::Kind::Signed), shift_(64 - std::min(type.bits, 64)), mask_(~std::uint64_t{0}) {
    mask_ >>= shift_;
  }
  std::uint64_t operator()(std::uint64_t value) const {
    const auto extended = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift_) >> shift_);
    return has_sign_ ? extended : value & mask_;
  }

 private:
  bool has_sign_;
  int shift_;
  std::uint64_t mask_;
};

/// Maps a number of a type to a signed number, of the same order.
class Order {
 public:
  // Unsigned numbers are in order, too, with their topmost bit flipped.
  explicit Order(Type type) : wide_(type), turn_(type.kind == Type::Kind::Signed ? 0 : std::uint64_t{1} << 63) {}
  std::int64_t operator()(std::uint64_t value) const { return static_cast<std::int64_t>(wide_(value) ^ turn_); }

 private:
  Widener wide_;
  std::uint64_t turn_;
};

template <class Each>
bool fill(std::size_t lanes, LaneNumbers& results, const Each& each) {
  for (std::size_t lane = 0; lane < lanes; ++lane) results[lane] = each(lane);
  return true;
}

/// @return false for an operation without a loop here
bool combine_bits(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  switch (operation.op) {
    case LaneOp::Move:
      return fill(lanes, results, [&](std::size_t i) { return in[0][i]; });
    case LaneOp::And:
      return fill(lanes, results, [&](std::size_t i) { return in[0][i] & in[1][i]; });
    case LaneOp::Or:
      return fill(lanes, results, [&](std::size_t i) { return in[0][i] | in[1][i]; });
    case LaneOp::Xor:
      return fill(lanes, results, [&](std::size_t i) { return in[0][i] ^ in[1][i]; });
    case LaneOp::Not:
      return fill(lanes, results, [&](std::size_t i) { return ~in[0][i]; });
    case LaneOp::Select:
      return fill(lanes, results, [&](std::size_t i) { return in[2][i] != 0 ? in[0][i] : in[1][i]; });
    case LaneOp::Logic3:
      return fill(lanes, results, [&](std::size_t i) { return logic3(in[0][i], in[1][i], in[2][i], in[3][i]); });
    case LaneOp::FunnelLeft:
    case LaneOp::FunnelRight:
      return fill(lanes, results, [&](std::size_t i) { return funnel_shift(operation, in[0][i], in[1][i], in[2][i]); });
    default:
      return false;
  }
}

/// @param truths  takes the comparison of two numbers, and fills the results
template <class Truths>
bool compare_by(Comparison comparison, const Truths& truths) {
  switch (comparison) {
    case Comparison::Equal:
      return truths([](auto a, auto b) { return a == b; });
    case Comparison::NotEqual:
      return truths([](auto a, auto b) { return a != b; });
    case Comparison::Less:
      return truths([](auto a, auto b) { return a < b; });
    case Comparison::LessEqual:
      return truths([](auto a, auto b) { return a <= b; });
    case Comparison::Greater:
      return truths([](auto a, auto b) { return a > b; });
    case Comparison::GreaterEqual:
      return truths([](auto a, auto b) { return a >= b; });
    default:
      return false;
  }
}

bool compare_lanes(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  if (in.size() > 2) return false;
  const Order order(operation.type);
  const auto yes = operation.result.kind == Type::Kind::Predicate ? 1 : ~std::uint64_t{0};
  return compare_by(operation.comparison, [&](const auto& holds) {
    return fill(lanes, results,
                [&](std::size_t i) { return holds(order(in[0][i]), order(in[1][i])) != operation.opposite ? yes : 0; });
  });
}

bool extreme_lanes(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  if (in.size() != 2) return false;
  const Order order(operation.type);
  const bool least = operation.op == LaneOp::Minimum;
  return fill(lanes, results,
              [&](std::size_t i) { return (order(in[1][i]) < order(in[0][i])) == least ? in[1][i] : in[0][i]; });
}

bool shift_lanes(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  const auto bits = static_cast<std::uint64_t>(operation.type.bits);
  const Widener wide(operation.type);
  const auto distance = [&](std::size_t i) { return std::min(truncated(in[1][i], 32), bits); };
  if (operation.op == LaneOp::ShiftLeft)
    return fill(lanes, results, [&](std::size_t i) { return distance(i) >= 64 ? 0 : in[0][i] << distance(i); });
  if (operation.type.kind == Type::Kind::Signed)
    return fill(lanes, results, [&](std::size_t i) {
      const auto number = static_cast<std::int64_t>(wide(in[0][i]));
      return static_cast<std::uint64_t>(number >> std::min<std::uint64_t>(distance(i), 63));
    });
  return fill(lanes, results, [&](std::size_t i) { return distance(i) >= 64 ? 0 : wide(in[0][i]) >> distance(i); });
}

/// For numbers of at most 32 bits, with products of 64 bits.
/// @return false for wider numbers, and for a division by zero, possibly in an inactive lane
bool multiply_or_divide(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  if (operation.type.bits > 32) return false;
  const Widener wide(operation.type);
  const auto at = [&](std::size_t input, std::size_t i) { return static_cast<std::int64_t>(wide(in[input][i])); };
  const auto number = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  if (operation.op == LaneOp::MultiplyHigh) {
    const int half = 2 * operation.type.bits - operation.result.bits;
    if (operation.type.kind == Type::Kind::Signed)
      return fill(lanes, results, [&](std::size_t i) { return number((at(0, i) * at(1, i)) >> half); });
    return fill(lanes, results, [&](std::size_t i) { return (wide(in[0][i]) * wide(in[1][i])) >> half; });
  }
  for (std::size_t i = 0; i < lanes; ++i)
    if (at(1, i) == 0) return false;
  if (operation.op == LaneOp::Divide)
    return fill(lanes, results, [&](std::size_t i) { return number(at(0, i) / at(1, i)); });
  return fill(lanes, results, [&](std::size_t i) { return number(at(0, i) % at(1, i)); });
}

/// @return false for an operation without a loop here
bool compute_whole(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  const Widener wide(operation.type);
  switch (operation.op) {
    case LaneOp::Add:
      if (in.size() > 2) return false;
      return fill(lanes, results, [&](std::size_t i) { return wide(in[0][i]) + wide(in[1][i]); });
    case LaneOp::Subtract:
      if (in.size() > 2) return false;
      return fill(lanes, results, [&](std::size_t i) { return wide(in[0][i]) - wide(in[1][i]); });
    case LaneOp::Multiply:
    case LaneOp::MultiplyWide:
      return fill(lanes, results, [&](std::size_t i) { return wide(in[0][i]) * wide(in[1][i]); });
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddWide:
      return fill(lanes, results, [&](std::size_t i) { return wide(in[0][i]) * wide(in[1][i]) + in[2][i]; });
    case LaneOp::Convert:
      return fill(lanes, results, [&](std::size_t i) { return wide(in[0][i]); });
    case LaneOp::ShiftLeft:
    case LaneOp::ShiftRight:
      return shift_lanes(operation, in, lanes, results);
    case LaneOp::Compare:
      return compare_lanes(operation, in, lanes, results);
    case LaneOp::MultiplyHigh:
    case LaneOp::Divide:
    case LaneOp::Remainder:
      return multiply_or_divide(operation, in, lanes, results);
    case LaneOp::Minimum:
    case LaneOp::Maximum:
      return extreme_lanes(operation, in, lanes, results);
    default:
      return false;
  }
}

/// Compares floats, for truths alone.
bool compare_floats(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  if (in.size() > 2 || operation.flush || operation.result.kind != Type::Kind::Predicate) return false;
  const auto at = [&](std::size_t input, std::size_t i) { return to_double(in[input][i], operation.type); };
  return compare_by(operation.comparison, [&](const auto& holds) {
    return fill(lanes, results, [&](std::size_t i) -> std::uint64_t {
      const double a = at(0, i), b = at(1, i);
      const bool truth = std::isunordered(a, b) ? operation.unordered : holds(a, b);
      return truth != operation.opposite ? 1 : 0;
    });
  });
}

/// Rounds to the nearest, as the processor does.
/// @return false for an operation without a loop here
template <class Float, class Bits>
bool compute_floats(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  const auto kept = [&](std::uint64_t bits) { return operation.flush ? flushed(bits, operation.type) : bits; };
  const auto at = [&](std::size_t input, std::size_t i) {
    return std::bit_cast<Float>(static_cast<Bits>(kept(in[input][i])));
  };
  const auto by = [&](const auto& calculate) {
    return fill(lanes, results, [&](std::size_t i) {
      const Float number = calculate(i);
      return sizeof(Float) == 4 && std::isnan(number) ? kNoNumber : kept(std::bit_cast<Bits>(number));
    });
  };
  switch (operation.op) {
    case LaneOp::Add:
      return by([&](std::size_t i) { return at(0, i) + at(1, i); });
    case LaneOp::Subtract:
      return by([&](std::size_t i) { return at(0, i) - at(1, i); });
    case LaneOp::Multiply:
      return by([&](std::size_t i) { return at(0, i) * at(1, i); });
    case LaneOp::MultiplyAdd:
      return by([&](std::size_t i) { return std::fma(at(0, i), at(1, i), at(2, i)); });
    default:
      return false;
  }
}

/// @return false for an operation without a loop here
bool compute_floats(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  if (operation.op == LaneOp::Compare) return compare_floats(operation, in, lanes, results);
  if (operation.gross || operation.to_float != Rounding::Nearest || operation.result != operation.type) return false;
  return operation.type.bits == 32 ? compute_floats<float, std::uint32_t>(operation, in, lanes, results)
                                   : compute_floats<double, std::uint64_t>(operation, in, lanes, results);
}

/// @return false for an operation without a loop here
bool evaluate_in_loop(const LaneOperation& operation, Vectors in, std::size_t lanes, LaneNumbers& results) {
  const auto is_whole = [](Type type) { return type.kind != Type::Kind::Float && type.bits >= 1 && type.bits <= 64; };
  if (operation.saturate || operation.result.bits < 1) return false;
  const bool found =
      (!operation.flush && combine_bits(operation, in, lanes, results)) ||
      (is_whole(operation.type) && is_whole(operation.result) && compute_whole(operation, in, lanes, results)) ||
      (is_float(operation.type) && compute_floats(operation, in, lanes, results));
  if (!found) return false;
  // As evaluate does.
  const bool keeps_sign = operation.op == LaneOp::Convert && operation.result.kind == Type::Kind::Signed;
  const Widener narrow({keeps_sign ? Type::Kind::Signed : Type::Kind::Unsigned, operation.result.bits});
  return fill(lanes, results, [&](std::size_t i) { return narrow(results[i]); });
}

}  // namespace

bool evaluate_lanes(const LaneOperation& operation, Vectors inputs, std::uint64_t mask, std::size_t lanes,
                    LaneNumbers& results) {
  if (evaluate_in_loop(operation, inputs, lanes, results)) return true;
  std::array<std::uint64_t, kMostVectors> own{};
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    for (std::size_t i = 0; i < inputs.size(); ++i) own[i] = inputs[i][lane];
    const auto result = evaluate(operation, {own.data(), inputs.size()});
    if (!result) return false;
    results[lane] = *result;
  }
  return true;
}

}  // namespace warpipe::isa
