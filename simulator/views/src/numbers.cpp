#include "warpipe/views/numbers.hpp"

#include <fmt/format.h>

#include <cmath>

#include <array>
#include <cstddef>

#include "warpipe/idg/number.hpp"

namespace warpipe {

std::string show_time(Seconds time) {
  if (time.count < 1e-3) return fmt::format("{:.4g} us", time.count * 1e6);
  if (time.count < 1) return fmt::format("{:.4g} ms", time.count * 1e3);
  return fmt::format("{:.4g} s", time.count);
}

std::string show_range(const Interval& seconds) {
  const auto [unit, factor] = seconds.high < 1e-3 ? std::pair("us", 1e6)
                              : seconds.high < 1  ? std::pair("ms", 1e3)
                                                  : std::pair("s", 1.0);
  return fmt::format("{:.3g} to {:.3g} {}", seconds.low * factor, seconds.high * factor, unit);
}

std::string show_time(Seconds time, const std::optional<Interval>& range) {
  return show_time(time) + (range ? fmt::format(", {} {}", show_range(*range), kInNineOfTen) : "");
}

double in_microseconds(double seconds) {
  constexpr int kDigits = 15;  // without the digits added by the product
  return rounded(seconds * 1e6, kDigits);
}

std::string show_clock(Hertz clock) {
  if (clock.count < 1e6) return fmt::format("{:.4g} Hz", clock.count);
  if (clock.count < 1e9) return fmt::format("{:.4g} MHz", clock.count / 1e6);
  return fmt::format("{:.4g} GHz", clock.count / 1e9);
}

std::string show_bytes(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; unit + 1 < kUnits.size() && bytes >= 1000; ++unit) bytes /= 1000;
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

std::string show_percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string show_signed_percent(double fraction) {
  const double percent = std::round(1000 * fraction) / 10 + 0.0;  // no -0.0
  return percent == 0 ? "0.0 %" : fmt::format("{:+.1f} %", percent);
}

std::string show_number(double number) { return fmt::format("{}", number); }

std::string show_decimals(const std::optional<double>& number, int decimals) {
  return number ? fmt::format("{:.{}f}", *number, decimals) : std::string();
}

std::string show_number(const std::optional<double>& number) { return number ? show_number(*number) : std::string(); }

double share(Ticks part, Ticks whole) {
  return whole == Ticks{} ? 0 : static_cast<double>(part.count) / static_cast<double>(whole.count);
}

}  // namespace warpipe
