#pragma once

#include <optional>
#include <string>

#include "warpipe/idg/units.hpp"
#include "warpipe/latency_tables/device.hpp"  // Interval

/// How views show numbers to a person. Programs get the shortest exact form instead.

namespace warpipe {

/// The probability of a range of a time, as a heading or behind the range.
inline constexpr const char* kInNineOfTen = "in 9 of 10 cases";

/// @return four significant digits in s, ms or us: "122.8 us"
std::string show_time(Seconds time);
/// @return three significant digits, in the unit of the high end: "119 to 127 us"
std::string show_range(const Interval& seconds);
/// @return "122.8 us, 119 to 127 us in 9 of 10 cases"; the time alone where it is not known where it lies
std::string show_time(Seconds time, const std::optional<Interval>& range);
/// @return the end of a range in microseconds, for programs: as short as it is in seconds
double in_microseconds(double seconds);
/// @return "1.708 GHz"
std::string show_clock(Hertz clock);
/// @return four significant digits in B, kB, MB, GB or TB: "12.58 MB"
std::string show_bytes(double bytes);
/// @return one decimal: "97.3 %"
std::string show_percent(double fraction);
/// @return the same with its sign: "+4.2 %", "-0.3 %", "0.0 %"
std::string show_signed_percent(double fraction);
/// @return the shortest form of a number, whole or not: "256", "0.5"
std::string show_number(double number);
/// @return with so many decimals; empty where there is nothing
std::string show_decimals(const std::optional<double>& number, int decimals);
/// @return as show_number; empty where there is nothing
std::string show_number(const std::optional<double>& number);

/// @return part / whole; 0 where there is no whole
double share(Ticks part, Ticks whole);

}  // namespace warpipe
