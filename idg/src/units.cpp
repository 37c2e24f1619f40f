#include "warpipe/idg/units.hpp"

#include <fmt/format.h>

#include <cmath>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

[[noreturn]] void throw_overflow(const std::string& found) {
  throw ModelError(Diagnostic{"time", fmt::format("a time is longer than {} milli-cycles", INT64_MAX), found,
                              "use fewer groups, smaller trip counts or shorter latencies"});
}

}  // namespace

Ticks round_to_ticks(Cycles cycles) {
  const double thousandfold = 1000.0 * cycles.count;
  const double rounded = std::floor(thousandfold + 0.5);
  constexpr double kLimit = 9223372036854775808.0;  // 2^63, exact
  if (!(rounded >= -kLimit && rounded < kLimit)) throw_overflow(fmt::format("found {} cycles", cycles.count));
  return Ticks{static_cast<std::int64_t>(rounded)};
}

Cycles to_cycles(Ticks ticks) { return Cycles{static_cast<double>(ticks.count) / static_cast<double>(kTicksPerCycle)}; }

Seconds to_seconds(Ticks ticks, Hertz clock) { return Seconds{to_cycles(ticks).count / clock.count}; }

std::string format_cycles(Ticks ticks) {
  const std::int64_t whole = ticks.count / kTicksPerCycle;
  const std::int64_t fraction = std::abs(ticks.count % kTicksPerCycle);
  const char* sign = ticks.count < 0 && whole == 0 ? "-" : "";
  if (fraction == 0) return fmt::format("{}{}", sign, whole);
  std::string text = fmt::format("{}{}.{:03}", sign, whole, fraction);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

Ticks checked_add(Ticks a, Ticks b) {
  Ticks sum;
  if (__builtin_add_overflow(a.count, b.count, &sum.count))
    throw_overflow(fmt::format("found the sum of {} and {}", a.count, b.count));
  return sum;
}

Ticks checked_multiply(Ticks a, std::int64_t factor) {
  Ticks product;
  if (__builtin_mul_overflow(a.count, factor, &product.count))
    throw_overflow(fmt::format("found {} times {}", a.count, factor));
  return product;
}

}  // namespace warpipe
