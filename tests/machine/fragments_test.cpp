// Products of fragments (wmma) against a host's triple loop. Numbers are small and whole, so all types hold all sums.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "loaded.hpp"
#include "support/folders.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  bool by_columns = false;  ///< columns are neighbours' rows in memory
  std::size_t at(std::size_t row, std::size_t column, std::size_t pitch) const {
    return by_columns ? column * pitch + row : row * pitch + column;
  }
};

struct Product {
  const char* kernel;
  Matrix a, b, c;
};

constexpr std::size_t kPitch = 40;  // more than any row or column has

const ptx::Module& fragments() {
  static const ptx::Module kModule = [] {
    std::ostringstream text;
    text << std::ifstream(in_sources("tests/machine/fragments.ptx")).rdbuf();
    return ptx::read_ptx(text.str(), "fragments.ptx");
  }();
  return kModule;
}

/// A whole number as a float of 16 bits with so many bits behind the point; at most 2^11, of brain floats 2^8.
std::uint16_t small_half(int number, int fraction) {
  if (number == 0) return 0;
  const auto size = static_cast<unsigned>(std::abs(number));
  const int exponent = static_cast<int>(std::bit_width(size)) - 1, bias = fraction == 10 ? 15 : 127;
  const auto bits = (static_cast<unsigned>(exponent + bias) << fraction) |
                    ((size << static_cast<unsigned>(fraction) >> exponent) & ((1U << fraction) - 1));
  return static_cast<std::uint16_t>(bits | (number < 0 ? 0x8000U : 0U));
}
struct Half {
  std::uint16_t bits = 0;
  Half() = default;
  explicit Half(int number) : bits(small_half(number, 10)) {}
  friend bool operator==(const Half&, const Half&) = default;
};
struct Brain {
  std::uint16_t bits = 0;
  Brain() = default;
  explicit Brain(int number) : bits(small_half(number, 7)) {}
};

machine::Outcome run(Loaded& loaded, const char* kernel, std::int64_t threads, std::vector<std::byte> all) {
  machine::Launch launch;
  launch.block = {threads, 1, 1};
  launch.arguments = std::move(all);
  return machine::Machine(ptx::executable_program(fragments(), kernel), loaded.variables).run(launch, loaded.memory);
}

/// The kernel makes 2 (a b + c).
/// @param least  of the numbers in a and b
template <class T, class Sum>
void expect_product(const Product& product, int least = -3) {
  std::mt19937 random(5);
  std::vector<int> a(kPitch * kPitch), b(a), c(a);
  for (auto* const numbers : {&a, &b, &c})
    for (auto& number : *numbers) number = static_cast<int>(random() % 7) + least;
  auto expected = c;
  for (std::size_t row = 0; row < product.c.rows; ++row)
    for (std::size_t column = 0; column < product.c.columns; ++column) {
      auto& sum = expected[product.c.at(row, column, kPitch)];
      for (std::size_t k = 0; k < product.a.columns; ++k)
        sum += a[product.a.at(row, k, kPitch)] * b[product.b.at(k, column, kPitch)];
      sum *= 2;
    }
  const auto as = [](const std::vector<int>& numbers, auto type) {
    std::vector<decltype(type)> made;
    for (const auto number : numbers) made.push_back(decltype(type)(number));
    return made;
  };
  Loaded loaded;
  auto* const out = loaded.array(as(c, Sum{}));
  const int pitch = kPitch;
  run(loaded, product.kernel, 32, arguments(loaded.array(as(a, T{})), loaded.array(as(b, T{})), out, pitch));
  const auto wanted = as(expected, Sum{});
  for (std::size_t i = 0; i < wanted.size(); ++i) ASSERT_EQ(out[i], wanted[i]) << product.kernel << " at " << i;
}

TEST(Fragments, OfHalvesHaveTheirProductsInAllShapes) {
  expect_product<Half, float>({"halves_16", {16, 16}, {16, 16, true}, {16, 16}});
  expect_product<Half, Half>({"halves_8", {8, 16}, {16, 32}, {8, 32, true}});
  expect_product<Half, float>({"halves_32", {32, 16, true}, {16, 8}, {32, 8}});
}

TEST(Fragments, OfOtherFloatsHaveTheirProducts) {
  expect_product<Brain, float>({"brains", {16, 16, true}, {16, 16, true}, {16, 16, true}});
  expect_product<float, float>({"tensors", {16, 8}, {8, 16, true}, {16, 16}});
  expect_product<double, double>({"doubles", {8, 4}, {4, 8, true}, {8, 8}});
}

TEST(Fragments, OfBytesHaveTheirProducts) {
  expect_product<std::int8_t, int>({"bytes_of_matrices", {32, 16}, {16, 8, true}, {32, 8}});
  expect_product<std::uint8_t, int>({"bytes_without_sign", {16, 16, true}, {16, 16}, {16, 16}}, 0);
}

TEST(Fragments, BeyondTheirArraysAreErrors) {
  Loaded loaded;
  // The last row of c ends at 15 x 32 + 16 numbers; the array is a number short.
  const std::vector<float> c(15 * 32 + 15);
  const std::vector<Half> factors(1024);
  const int pitch = 32;
  try {
    run(loaded, "halves_16", 32, arguments(loaded.array(factors), loaded.array(factors), loaded.array(c), pitch));
    FAIL() << "no fault";
  } catch (const machine::Fault& fault) {
    EXPECT_EQ(fault.kind, machine::Fault::Kind::OutOfBounds);
    EXPECT_EQ(fault.instruction.find("wmma.load.c.sync"), 0U) << fault.instruction;
  }
}

TEST(Fragments, OfHalfAWarpAreRefused) {
  Loaded loaded;
  const std::vector<Half> factors(1024);
  const int pitch = 16;
  try {
    run(loaded, "halves_16", 16,
        arguments(loaded.array(factors), loaded.array(factors), loaded.array(std::vector<float>(1024)), pitch));
    FAIL() << "no fault";
  } catch (const machine::Fault& fault) {
    EXPECT_EQ(fault.kind, machine::Fault::Kind::NotSupported);
  }
}

}  // namespace
}  // namespace warpipe::test
