// Divisions as compilers write them, against division.
#include "symbolic/forms.hpp"

#include <gmock/gmock.h>

#include <array>
#include <random>

#include "symbolic/lane_forms.hpp"

namespace warpipe::test {
namespace {

using isa::Form;
using isa::Forms;
using isa::Place;
using isa::Variable;

constexpr std::int64_t kWord = std::int64_t{1} << 32;
constexpr Variable kThread{Place::Thread, 0}, kTrip{Place::Trip, 0};

/// threads + 128 x trips, of 128 threads and some trips.
struct Counter {
  explicit Counter(std::int64_t trips)
      : most(128 * trips - 1),
        form(forms.sum(forms.variable(kThread, {0, 127}), forms.variable(kTrip, {0, trips - 1}), 128)) {}
  std::int64_t at(Form of, std::int64_t number) const {
    return forms.evaluate(of, [&](Variable one) { return one.place == Place::Thread ? number % 128 : number / 128; });
  }
  Forms forms;
  std::int64_t most;
  Form form;
};

// floor(x m / 2^32) with m = floor(2^32 / d) is floor(x / d) or 1 less, and then x - d q is at least d.
TEST(Forms, KnowADivisionByAReciprocalThatIsCorrected) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    Counter x(8);
    const auto divisor = std::uniform_int_distribution<std::int64_t>(2, 3000)(random);
    auto& forms = x.forms;
    auto quotient = forms.quotient(forms.scaled(x.form, kWord / divisor), kWord);
    for (const auto number : {std::int64_t{0}, divisor - 1, divisor, divisor + 1, x.most / divisor * divisor, x.most})
      if (number <= x.most) {
        ASSERT_EQ(x.at(quotient, number), number * (kWord / divisor) / kWord) << number << " by " << divisor;
      }
    auto rest = forms.sum(x.form, quotient, -divisor);
    for (int correction = 0; correction < 2; ++correction) {
      const auto is_less = forms.not_negative(forms.linear(divisor - 1, isa::Terms{{rest, -1}}));
      rest = forms.choice(is_less, rest, forms.plus(rest, -divisor));
      quotient = forms.choice(is_less, quotient, forms.plus(quotient, 1));
    }
    ASSERT_EQ(quotient, forms.quotient(x.form, divisor)) << "by " << divisor << ": " << forms.text(quotient);
    ASSERT_EQ(rest, forms.remainder(x.form, divisor)) << "by " << divisor << ": " << forms.text(rest);
  }
}

// A factor above 2^32 / d, as for a divisor known to the compiler.
TEST(Forms, KnowADivisionByAReciprocalThatIsRoundedUp) {
  for (std::int64_t divisor = 2; divisor < 3000; divisor += 7) {
    Counter x(8);
    const auto quotient = x.forms.quotient(x.forms.scaled(x.form, kWord / divisor + 1), kWord);
    ASSERT_EQ(quotient, x.forms.quotient(x.form, divisor)) << divisor;
  }
}

// The upper word of a product, and a shift behind it, as for an odd divisor.
TEST(Forms, KnowADivisionByAReciprocalAndAShift) {
  for (std::int64_t divisor = 3; divisor < 1000; divisor += 14)
    for (int shift = 1; shift < 6; ++shift) {
      Counter x(8);
      const auto upper = x.forms.quotient(x.forms.scaled(x.form, (kWord << shift) / divisor + 1), kWord);
      ASSERT_EQ(x.forms.quotient(upper, std::int64_t{1} << shift), x.forms.quotient(x.form, divisor))
          << divisor << ", " << shift;
    }
}

// Where the number may be too large for the reciprocal, the product stays.
TEST(Forms, KeepAProductThatIsNoDivision) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 500; ++round) {
    Counter x(std::int64_t{1} << 20);
    const auto factor = std::uniform_int_distribution<std::int64_t>(1 << 8, kWord)(random);
    const auto quotient = x.forms.quotient(x.forms.scaled(x.form, factor), kWord);
    for (int at = 0; at < 20; ++at) {
      const auto number = std::uniform_int_distribution<std::int64_t>(0, x.most)(random);
      ASSERT_EQ(x.at(quotient, number), number * factor / kWord);
    }
  }
}

TEST(Forms, KnowThatABitTurnedOverLeavesTheSign) {
  Counter x(8);
  auto& forms = x.forms;
  const auto bit = forms.remainder(forms.quotient(x.form, 16), 2);
  const auto turned = forms.plus(forms.sum(x.form, bit, -32), 16);
  EXPECT_EQ(forms.not_negative(turned), forms.constant(1));
  EXPECT_EQ(forms.not_negative(forms.linear(-1, isa::Terms{{turned, -1}})), forms.constant(0));
  // The upper three of the seven bits of the thread.
  const auto thread = forms.variable(kThread, {0, 127});
  const auto upper = forms.plus(forms.sum(x.form, forms.quotient(thread, 16), -32), 112);
  EXPECT_EQ(forms.not_negative(upper), forms.constant(1));
}

// x ^ m of numbers that are not negative is not, whichever bits are turned over; of x ^ m - n each sign is right.
TEST(Forms, KnowTheSignOfANumberWithBitsTurnedOver) {
  std::mt19937_64 random(3);
  const auto below = [&](std::int64_t end) { return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random); };
  for (int round = 0; round < 2000; ++round) {
    Counter x(1 + below(std::int64_t{1} << below(20)));
    auto& forms = x.forms;
    isa::LaneForms lanes(forms, 0);
    const auto mask = below(std::int64_t{1} << (1 + below(30)));
    const auto turned =
        lanes.logic(0x3c, x.form, forms.constant(mask), forms.constant(0), isa::Type{isa::Type::Kind::Unsigned, 32});
    ASSERT_EQ(forms.not_negative(turned), forms.constant(1)) << mask << " of " << x.most << ' ' << forms.text(turned);
    ASSERT_EQ(forms.not_negative(forms.linear(-1, isa::Terms{{turned, -1}})), forms.constant(0)) << mask;
    const auto limit = below(2 * (x.most | mask) + 2);
    const auto reaches = forms.not_negative(forms.plus(turned, -limit));
    for (int i = 0; i < 20; ++i) {
      const auto number = i == 0 ? 0 : i == 1 ? x.most : below(x.most + 1);
      ASSERT_EQ(x.at(turned, number), number ^ mask);
      ASSERT_EQ(x.at(reaches, number), (number ^ mask) >= limit ? 1 : 0) << number << ' ' << mask << ' ' << limit;
    }
  }
}

// Each byte of the result is a byte of the eight, or its sign, by the selectors.
TEST(Forms, PermuteBytesAndTheirSigns) {
  std::mt19937_64 random(4);
  const isa::Type word{isa::Type::Kind::Unsigned, 32};
  for (int round = 0; round < 2000; ++round) {
    Counter x(std::int64_t{1} << (random() % 24));
    auto& forms = x.forms;
    isa::LaneForms lanes(forms, 0);
    const auto added = static_cast<std::int64_t>(random() % kWord), other = static_cast<std::int64_t>(random() % kWord);
    const auto selectors = round % 4 == 0 ? 0x9910U : static_cast<std::uint32_t>(random() % 65536);
    isa::LaneOperation permute{isa::LaneOp::Permute, word, word};
    const std::array<isa::LaneForms::Operand, 3> inputs{
        {{forms.plus(x.form, added), 32}, {forms.constant(other), 32}, {forms.constant(selectors), 32}}};
    const auto made = lanes.result(permute, inputs);
    ASSERT_TRUE(forms.is_known(made)) << selectors;
    for (const auto number : {std::int64_t{0}, x.most, static_cast<std::int64_t>(random()) & x.most}) {
      const std::array<std::uint64_t, 3> bits{static_cast<std::uint64_t>(number + added) % kWord,
                                              static_cast<std::uint64_t>(other), selectors};
      ASSERT_EQ(isa::truncated(static_cast<std::uint64_t>(x.at(made, number)), 32), isa::evaluate(permute, bits))
          << std::hex << selectors << ' ' << bits[0] << ' ' << bits[1] << ' ' << forms.text(made);
    }
  }
}

TEST(Forms, ChooseOnceByOneTruth) {
  Counter x(8);
  auto& forms = x.forms;
  const auto truth = forms.not_negative(forms.plus(x.form, -100)), odd = forms.remainder(x.form, 2);
  const auto twice = forms.choice(truth, forms.choice(truth, odd, x.form), forms.constant(7));
  EXPECT_EQ(twice, forms.choice(truth, odd, forms.constant(7)));
  EXPECT_EQ(forms.choice(truth, forms.constant(7), forms.choice(truth, odd, x.form)),
            forms.choice(truth, forms.constant(7), x.form));
}

// Whether two numbers from -1 to 254 are both not negative, as a compiler asks it: by the sign of their bits together.
TEST(Forms, KnowTheSignOfTheBitsOfTwoNumbersTogether) {
  Forms forms;
  const auto x = forms.plus(forms.variable(kThread, {0, 255}), -1), y = forms.plus(forms.variable(kTrip, {0, 255}), -1);
  const auto both = forms.common(forms.remainder(x, kWord), forms.remainder(y, kWord));
  const auto united = forms.sum(forms.sum(x, y), both, -1);
  const auto neither = forms.all(forms.not_negative(x), forms.not_negative(y));
  EXPECT_EQ(forms.not_negative(united), neither);
  const auto word = forms.plus(forms.remainder(forms.plus(united, kWord / 2), kWord), -kWord / 2);
  EXPECT_EQ(forms.not_negative(word), neither);
}

// An unsigned comparison asks for both ends of a number that may be below 0.
TEST(Forms, KnowTheEndsOfANumberThatWraps) {
  Forms forms;
  const auto x = forms.plus(forms.variable(kThread, {0, 255}), -1), word = forms.remainder(x, kWord);
  const auto at_most = [&](Form number, std::int64_t most) {
    return forms.not_negative(forms.linear(most, isa::Terms{{number, -1}}));
  };
  EXPECT_EQ(at_most(word, 223), forms.all(forms.not_negative(x), at_most(x, 223)));
  EXPECT_NE(at_most(word, kWord - 1), forms.all(forms.not_negative(x), at_most(x, kWord - 1))) << "-1 is there, too";
}

// An index of a picture with a border, of 64 bits from its lower word: where the index is inside, nothing wraps.
TEST(Forms, KeepWordsWhereWhatIsAssumedKeepsThemFromWrapping) {
  Forms forms;
  const auto x = forms.plus(forms.variable(kThread, {0, 255}), -1), y = forms.plus(forms.variable(kTrip, {0, 9}), -1);
  const auto index = forms.linear(0, isa::Terms{{x, 1}, {y, 256}});
  const auto low = forms.remainder(index, kWord), high = forms.quotient(index, kWord);
  EXPECT_NE(low, index);
  const auto inside = forms.all(forms.not_negative(x), forms.not_negative(y));
  EXPECT_EQ(forms.assuming(low, inside), index);
  EXPECT_EQ(forms.assuming(high, inside), forms.constant(0));
  EXPECT_EQ(forms.assuming(low, forms.not_negative(y)), low) << "x may still be -1";
}

// The same index from the number of a point, of which column and row are remainders, in planes of 5 rows of 100.
TEST(Forms, KeepWordsWhereColumnAndRowKeepThemFromWrapping) {
  Counter point(8);
  auto& forms = point.forms;
  const auto column = forms.remainder(point.form, 100), row = forms.remainder(forms.quotient(point.form, 100), 5);
  const auto index = forms.plus(point.form, -101);
  const auto low = forms.remainder(index, kWord);
  const auto inside = forms.all(forms.not_negative(forms.plus(column, -1)), forms.not_negative(forms.plus(row, -1)));
  EXPECT_EQ(forms.assuming(low, inside), index);
  EXPECT_EQ(forms.assuming(low, forms.not_negative(forms.plus(column, -2))), low) << "row 0 may come before";
}

// As in a generator of random numbers: each number holds the one before twice, so its text would have 2^60 parts.
TEST(Forms, LookAtAPartOnceHoweverOftenItIsUsed) {
  Counter x(8);
  auto& forms = x.forms;
  auto number = x.form;
  for (int round = 0; round < 60; ++round)
    number = forms.common(forms.plus(forms.quotient(number, 2), 3), forms.plus(number, 5));
  EXPECT_GE(forms.range(number).least, 0);
  EXPECT_EQ(forms.common(number, forms.constant(std::int64_t{1} << 40)), forms.constant(0)) << "no such bit is set";
}

}  // namespace
}  // namespace warpipe::test
