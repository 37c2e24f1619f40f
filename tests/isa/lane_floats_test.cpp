// Operations of lanes on floats, against whole numbers of any size and the C library.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "exact_floats.hpp"
#include "lane_machine.hpp"

namespace warpipe::test {
namespace {

using Bits = std::vector<std::uint64_t>;
using Sources = std::span<const std::uint64_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double number(std::uint64_t bits, int width) {
  return width == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
}

/// All NaNs of 32 bits become the same pattern.
std::uint64_t pattern(double value, int width) {
  if (width == 64) return std::bit_cast<std::uint64_t>(value);
  return std::isnan(value) ? 0x7fffffff : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

double flushed(double value, int width) {
  const auto least = width == 32 ? 0x1p-126 : 0x1p-1022;
  return std::abs(value) < least ? std::copysign(0.0, value) : value;
}

/// The letter of a register.
const char* letter(int width) { return width == 32 ? "r" : "d"; }

/// The rounded result; for zero, `zero`, which holds the sign.
double finished(const Exact& value, char mode, int width, double zero) {
  return value.mantissa == 0 ? zero : rounded(value, mode, width);
}

bool all_finite(std::initializer_list<double> numbers) {
  for (const double x : numbers)
    if (!std::isfinite(x)) return false;
  return true;
}

/// A sum of opposite numbers is negative where it is rounded down; a sum of two zeros, where both are negative.
double zero_of_sum(bool first, bool second, char mode) {
  if (first == second) return first ? -0.0 : 0.0;
  return mode == 'm' ? -0.0 : 0.0;
}

double added(double a, double b, char mode, int width) {
  if (!all_finite({a, b})) return a + b;
  const bool zeros = a == 0 && b == 0;
  return finished(sum(exact(a), exact(b)), mode, width,
                  zero_of_sum(std::signbit(a), zeros ? std::signbit(b) : !std::signbit(a), mode));
}

double multiplied(double a, double b, char mode, int width) {
  if (!all_finite({a, b})) return a * b;
  return finished(product(exact(a), exact(b)), mode, width, std::signbit(a) != std::signbit(b) ? -0.0 : 0.0);
}

double multiplied_and_added(double a, double b, double c, char mode, int width) {
  if (!all_finite({a, b})) return a * b + c;
  if (!std::isfinite(c)) return c;
  const auto factors = product(exact(a), exact(b));
  const bool zeros = factors.mantissa == 0 && c == 0;
  return finished(sum(factors, exact(c)), mode, width,
                  zero_of_sum(factors.negative, zeros ? std::signbit(c) : !factors.negative, mode));
}

double divided(double a, double b, char mode, int width) {
  if (!all_finite({a, b}) || b == 0) return a / b;
  return finished(quotient(exact(a), exact(b)), mode, width, std::signbit(a) != std::signbit(b) ? -0.0 : 0.0);
}

double root_of(double a, char mode, int width) {
  if (!(a > 0) || !std::isfinite(a)) return std::sqrt(a);
  return rounded(root(exact(a)), mode, width);
}

/// An operation on floats of one width with and without .ftz and .sat, as far as it may have them.
void expect_floats(const std::string& opcode, int width, const std::function<double(std::span<const double>)>& expected,
                   std::size_t sources, bool saturates) {
  std::string operands = letter(width);
  for (std::size_t i = 0; i < sources; ++i) operands += std::string(", ") + letter(width);
  for (const bool flush : {false, true})
    for (const bool saturate : {false, true}) {
      if ((flush && width == 64) || (saturate && (width == 64 || !saturates))) continue;
      const auto text =
          fmt::format("{}{}{}.f{} {}", opcode, flush ? ".ftz" : "", saturate ? ".sat" : "", width, operands);
      expect_operation({text, [=](Sources given) -> Bits {
                          std::vector<double> x;
                          for (const auto bits : given) x.push_back(number(bits, width));
                          if (flush)
                            for (auto& each : x) each = flushed(each, width);
                          auto result = expected(x);
                          if (flush) result = flushed(result, width);
                          if (saturate) result = result > 0 ? std::min(result, 1.0) : 0.0;
                          return {pattern(result, width)};
                        }});
    }
}

TEST(LaneFloats, SumsProductsAndQuotientsInAllRoundings) {
  for (const int width : {32, 64})
    for (const char mode : {'n', 'z', 'm', 'p'}) {
      const auto with = [&](const char* opcode) { return fmt::format("{}.r{}", opcode, mode); };
      expect_floats(
          with("add"), width, [=](auto x) { return added(x[0], x[1], mode, width); }, 2, true);
      expect_floats(
          with("sub"), width, [=](auto x) { return added(x[0], -x[1], mode, width); }, 2, true);
      expect_floats(
          with("mul"), width, [=](auto x) { return multiplied(x[0], x[1], mode, width); }, 2, true);
      expect_floats(
          with("fma"), width, [=](auto x) { return multiplied_and_added(x[0], x[1], x[2], mode, width); }, 3, true);
      expect_floats(
          with("div"), width, [=](auto x) { return divided(x[0], x[1], mode, width); }, 2, false);
      expect_floats(
          with("rcp"), width, [=](auto x) { return divided(1, x[0], mode, width); }, 1, false);
      expect_floats(
          with("sqrt"), width, [=](auto x) { return root_of(x[0], mode, width); }, 1, false);
    }
  expect_floats(
      "add", 32, [](auto x) { return added(x[0], x[1], 'n', 32); }, 2, true);
  expect_floats(
      "mul", 64, [](auto x) { return multiplied(x[0], x[1], 'n', 64); }, 2, false);
}

double least(double a, double b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == 0 && b == 0) return std::signbit(a) || std::signbit(b) ? -0.0 : 0.0;
  return a < b ? a : b;
}

TEST(LaneFloats, TheLesserTheGreaterAndSigns) {
  for (const int width : {32, 64}) {
    expect_floats(
        "min", width, [](auto x) { return least(x[0], x[1]); }, 2, false);
    expect_floats(
        "max", width, [](auto x) { return std::isnan(x[0]) && std::isnan(x[1]) ? kNone : -least(-x[0], -x[1]); }, 2,
        false);
    const auto sign = std::uint64_t{1} << (width - 1);
    const auto in = [&](const char* opcode, int operands) {
      return fmt::format(
          "{}.f{} {}", opcode, width,
          operands == 2 ? fmt::format("{0}, {0}", letter(width)) : fmt::format("{0}, {0}, {0}", letter(width)));
    };
    expect_operation({in("abs", 2), [=](Sources x) -> Bits { return {x[0] & ~sign}; }});
    expect_operation({in("neg", 2), [=](Sources x) -> Bits { return {x[0] ^ sign}; }});
    expect_operation({in("copysign", 3), [=](Sources x) -> Bits { return {(x[0] & sign) | (x[1] & (sign - 1))}; }});
  }
  for (const char* opcode : {"min", "max"})
    expect_operation({fmt::format("{}.NaN.f32 r, r, r", opcode), [=](Sources x) -> Bits {
                        const auto a = number(x[0], 32), b = number(x[1], 32);
                        if (std::isnan(a) || std::isnan(b)) return {0x7fffffff};
                        return {pattern(opcode[1] == 'i' ? least(a, b) : -least(-a, -b), 32)};
                      }});
  expect_operation({"neg.ftz.f32 r, r", [](Sources x) -> Bits {
                      const auto small = (x[0] & 0x7f800000) == 0;
                      return {(small ? x[0] & 0x80000000 : x[0]) ^ 0x80000000};
                    }});
}

TEST(LaneFloats, ApproximateFunctionsAreAsNearAsPtxPromises) {
  struct Function {
    const char* opcode;
    double (*exactly)(double);
    double tolerance;
  };
  for (const auto& [opcode, exactly, tolerance] :
       {Function{"sin.approx", [](double x) { return std::sin(x); }, 0x1p-20},
        Function{"cos.approx", [](double x) { return std::cos(x); }, 0x1p-20},
        Function{"lg2.approx", [](double x) { return std::log2(x); }, 0x1p-22},
        Function{"ex2.approx", [](double x) { return std::exp2(x); }, 0x1p-22},
        Function{"rcp.approx", [](double x) { return 1 / x; }, 0x1p-23},
        Function{"sqrt.approx", [](double x) { return std::sqrt(x); }, 0x1p-23},
        Function{"rsqrt.approx", [](double x) { return 1 / std::sqrt(x); }, 0x1p-22}})
    for (const bool flush : {false, true})
      expect_operation({fmt::format("{}{}.f32 r, r", opcode, flush ? ".ftz" : ""),
                        [function = exactly, flush](Sources x) -> Bits {
                          auto value = number(x[0], 32);
                          if (flush) value = flushed(value, 32);
                          const auto result = static_cast<double>(static_cast<float>(function(value)));
                          return {pattern(flush ? flushed(result, 32) : result, 32)};
                        },
                        tolerance});
  expect_operation(
      {"tanh.approx.f32 r, r", [](Sources x) -> Bits { return {pattern(std::tanh(number(x[0], 32)), 32)}; }, 0x1p-11});
  expect_operation({"div.approx.f32 r, r, r",
                    [](Sources x) -> Bits { return {pattern(number(x[0], 32) / number(x[1], 32), 32)}; }, 0x1p-22});
  expect_operation({"div.full.f32 r, r, r",
                    [](Sources x) -> Bits { return {pattern(number(x[0], 32) / number(x[1], 32), 32)}; }, 0x1p-22});
}

TEST(LaneFloats, GrossFunctionsOfDoublesReadAndWriteUpperHalves) {
  const auto upper = ~std::uint64_t{0xffffffff};
  const auto gross = [=](double (*function)(double)) {
    return [=](Sources x) -> Bits {
      const auto result = function(flushed(number(x[0] & upper, 64), 64));
      return {std::isnan(result) ? pattern(kNone, 64) : pattern(flushed(result, 64), 64) & upper};
    };
  };
  expect_operation({"rcp.approx.ftz.f64 d, d", gross([](double x) { return 1 / x; })});
  expect_operation({"rsqrt.approx.ftz.f64 d, d", gross([](double x) { return 1 / std::sqrt(x); })});
  expect_operation(
      {"rsqrt.approx.f64 d, d", [](Sources x) -> Bits { return {pattern(1 / std::sqrt(number(x[0], 64)), 64)}; }});
}

TEST(LaneFloats, ClassesOfNumbers) {
  for (const int width : {32, 64})
    for (const auto& [word, of] :
         {std::pair("finite", FP_NORMAL), std::pair("infinite", FP_INFINITE), std::pair("notanumber", FP_NAN),
          std::pair("number", FP_ZERO), std::pair("normal", FP_NORMAL), std::pair("subnormal", FP_SUBNORMAL)})
      expect_operation({fmt::format("testp.{}.f{} p, {}", word, width, letter(width)),
                        [width = width, name = std::string(word), sort = of](Sources x) -> Bits {
                          const auto found =
                              width == 32 ? std::fpclassify(std::bit_cast<float>(static_cast<std::uint32_t>(x[0])))
                                          : std::fpclassify(std::bit_cast<double>(x[0]));
                          if (name == "finite") return {found != FP_NAN && found != FP_INFINITE ? 1U : 0U};
                          if (name == "number") return {found != FP_NAN ? 1U : 0U};
                          return {found == sort ? 1U : 0U};
                        }});
}

/// Whether a comparison holds for less, equal, greater or unordered numbers.
bool holds(const std::string& comparison, double a, double b) {
  const bool none = std::isnan(a) || std::isnan(b);
  if (comparison == "num" || comparison == "nan") return none == (comparison == "nan");
  if (none) return comparison.size() == 3;
  const auto base = comparison.substr(0, 2);
  if (base == "eq" || base == "ne") return (a == b) == (base == "eq");
  if (a == b) return base[1] == 'e';
  return (base[0] == 'l') == (a < b);
}

TEST(LaneFloats, Comparisons) {
  for (const int width : {32, 64})
    for (const char* comparison :
         {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) {
      const auto in = [&](const std::string& form) {
        return fmt::format(fmt::runtime(form), comparison, fmt::format("f{}", width), letter(width));
      };
      const auto truth = [=](Sources x) { return holds(comparison, number(x[0], width), number(x[1], width)); };
      expect_operation({in("setp.{0}.{1} p|p, {2}, {2}"), [=](Sources x) -> Bits {
                          return {truth(x) ? 1U : 0U, truth(x) ? 0U : 1U};
                        }});
      expect_operation(
          {in("set.{0}.u32.{1} r, {2}, {2}"), [=](Sources x) -> Bits { return {truth(x) ? 0xffffffffU : 0U}; }});
      expect_operation(
          {in("set.{0}.f32.{1} r, {2}, {2}"), [=](Sources x) -> Bits { return {truth(x) ? 0x3f800000U : 0U}; }});
      expect_operation({in("set.{0}.and.s32.{1} r, {2}, {2}, p"),
                        [=](Sources x) -> Bits { return {truth(x) && x[2] != 0 ? 0xffffffffU : 0U}; }});
      if (width == 64) continue;
      expect_operation({in("setp.{0}.or.ftz.{1} p|p, {2}, {2}, !p"), [=](Sources x) -> Bits {
                          const bool first =
                              holds(comparison, flushed(number(x[0], 32), 32), flushed(number(x[1], 32), 32));
                          return {first || x[2] != 0 ? 1U : 0U, !first || x[2] != 0 ? 1U : 0U};
                        }});
    }
}

TEST(LaneFloats, OneOfTwoByTheSignOfAThird) {
  expect_operation({"slct.f32.s32 r, r, r, r",
                    [](Sources x) -> Bits { return {static_cast<std::int32_t>(x[2]) >= 0 ? x[0] : x[1]}; }});
  expect_operation(
      {"slct.b64.f32 d, d, d, r", [](Sources x) -> Bits { return {number(x[2], 32) >= 0 ? x[0] : x[1]}; }});
  expect_operation(
      {"slct.ftz.f32.f32 r, r, r, r", [](Sources x) -> Bits { return {number(x[2], 32) > -0x1p-126 ? x[0] : x[1]}; }});
  expect_operation({"slct.f32.s32 r, 1.5, r, r",
                    [](Sources x) -> Bits { return {static_cast<std::int32_t>(x[1]) >= 0 ? 0x3fc00000 : x[0]}; }});
}

// ---- conversions

long double to_whole(long double value, char mode) {
  switch (mode) {
    case 'z':
      return std::trunc(value);
    case 'm':
      return std::floor(value);
    case 'p':
      return std::ceil(value);
    default: {
      const auto below = std::floor(value);
      if (value - below != 0.5L) return value - below < 0.5L ? below : below + 1;
      return std::fmod(below, 2.0L) == 0 ? below : below + 1;
    }
  }
}

const char* register_for(int bits) { return bits <= 16 ? "h" : bits == 32 ? "r" : "d"; }

TEST(LaneFloats, BecomeWholeNumbers) {
  for (const int from : {32, 64})
    for (const int to : {8, 16, 32, 64})
      for (const char sign : {'s', 'u'})
        for (const char mode : {'n', 'z', 'm', 'p'})
          for (const bool flush : {false, true}) {
            if (flush && from == 64) continue;
            const auto text = fmt::format("cvt.r{}i{}.{}{}.f{} {}, {}", mode, flush ? ".ftz" : "", sign, to, from,
                                          register_for(to), letter(from));
            expect_operation({text, [=](Sources x) -> Bits {
                                auto value = number(x[0], from);
                                if (flush) value = flushed(value, from);
                                const int wide = to < 16 ? 16 : to;
                                const auto kept = wide == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << wide) - 1;
                                const auto top = std::uint64_t{1} << (to - 1);
                                if (std::isnan(value)) {
                                  const auto none = from == 64 || to == 64 ? top : 0;
                                  return {(sign == 's' && to == 8 && none != 0 ? 0xff80 : none) & kept};
                                }
                                const auto whole = to_whole(static_cast<long double>(value), mode);
                                const auto low = sign == 's' ? -std::ldexp(1.0L, to - 1) : 0.0L;
                                const auto high = std::ldexp(1.0L, sign == 's' ? to - 1 : to) - 1;
                                const auto fit = std::min(std::max(whole, low), high);
                                const auto bits =
                                    fit < 0 ? 0 - static_cast<std::uint64_t>(-fit) : static_cast<std::uint64_t>(fit);
                                return {bits & kept};
                              }});
          }
}

TEST(LaneFloats, ComeFromWholeNumbers) {
  for (const int from : {8, 16, 32, 64})
    for (const int to : {32, 64})
      for (const char sign : {'s', 'u'})
        for (const char mode : {'n', 'z', 'm', 'p'})
          expect_operation(
              {fmt::format("cvt.r{}.f{}.{}{} {}, {}", mode, to, sign, from, letter(to), register_for(from)),
               [=](Sources x) -> Bits {
                 const auto kept = from == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << from) - 1;
                 const auto bits = x[0] & kept;
                 const bool negative = sign == 's' && (bits >> (from - 1)) != 0;
                 const auto amount = negative ? (0 - bits) & kept : bits;
                 if (amount == 0) return {0};
                 return {pattern(rounded(exact_whole(amount, negative), mode, to), to)};
               }});
}

TEST(LaneFloats, ComeFromOthers) {
  for (const char mode : {'n', 'z', 'm', 'p'})
    for (const auto* words : {"", ".ftz", ".sat", ".ftz.sat"}) {
      const std::string text = words;
      const bool flush = text.starts_with(".ftz"), saturate = text.ends_with(".sat");
      expect_operation({fmt::format("cvt.r{}{}.f32.f64 r, d", mode, words), [=](Sources x) -> Bits {
                          const auto value = number(x[0], 64);
                          auto result = value;
                          if (std::isfinite(value) && value != 0) result = rounded(exact(value), mode, 32);
                          if (flush) result = flushed(result, 32);
                          if (saturate) result = result > 0 ? std::min(result, 1.0) : 0.0;
                          return {pattern(result, 32)};
                        }});
    }
  expect_operation({"cvt.f64.f32 d, r", [](Sources x) -> Bits { return {pattern(number(x[0], 32), 64)}; }});
  expect_operation(
      {"cvt.ftz.f64.f32 d, r", [](Sources x) -> Bits { return {pattern(flushed(number(x[0], 32), 32), 64)}; }});
  for (const int width : {32, 64})
    for (const char mode : {'n', 'z', 'm', 'p'})
      expect_operation(
          {fmt::format("cvt.r{0}i.f{1}.f{1} {2}, {2}", mode, width, letter(width)), [=](Sources x) -> Bits {
             const auto value = number(x[0], width);
             if (!std::isfinite(value)) return {pattern(value, width)};
             const auto whole = static_cast<double>(to_whole(static_cast<long double>(value), mode));
             return {pattern(std::copysign(whole, value), width)};
           }});
}

TEST(LaneFloats, WhatIsNotFollowedIsNotKnown) {
  // An address computed from the result is refused, so no result is told.
  for (const char* text :
       {"add.rn.f32x2 d, d, d", "add.f16 h, h, h", "fma.rn.f16x2 r, r, r, r", "cvt.rn.f16.f32 h, r",
        "cvt.rna.tf32.f32 r, r", "min.xorsign.abs.f32 r, r, r", "max.s16x2 r, r, r", "cvt.rn.bf16x2.f32 r, r, r",
        "max.relu.s32 r, r, r", "setp.eq.f16 p, h, h", "isspacep.param p, d", "lop3.nor.b32 r, r, r, r, 1"})
    EXPECT_ANY_THROW(expect_operation({text, [](Sources) -> Bits { return {0, 0}; }})) << text;
}

}  // namespace
}  // namespace warpipe::test
