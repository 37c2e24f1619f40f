#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "buffer.hpp"
#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

/// Helpers of the validation kernels. Their rows are for scoring a table, never for fitting.
namespace measure {

/// The same small numbers on every machine: multiples of 1/8 from -4 to 4, with exact products and short sums.
inline float test_number(std::size_t i) {
  std::uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u;
  bits ^= bits >> 29;
  bits *= 0xbf58476d1ce4e5b9u;
  return static_cast<float>(static_cast<int>((bits >> 40) % 65) - 32) / 8.0f;
}

inline std::vector<float> test_numbers(std::size_t count, std::size_t first = 0) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = test_number(first + i);
  return numbers;
}

/// Compares two numbers, and reports, once, a difference of more than `tolerance` times the larger of `expected` and 1.
inline bool same(Session& session, const char* what, std::size_t place, double found, double expected,
                 double tolerance) {
  if (std::fabs(found - expected) <= tolerance * std::fmax(1.0, std::fabs(expected))) return true;
  session.wrong_result(std::string(what) + "[" + std::to_string(place) + "] is " + std::to_string(found) + " and not " +
                       std::to_string(expected));
  return false;
}

/// A row of a launch as placed by the hardware: as many groups at once as fit.
inline Row validation_row(const char* name, const void* kernel, int group_size, long long groups) {
  Row row;
  row.kernel = name;
  row.group_size = group_size;
  row.groups = groups;
  row.concurrent_groups = resident_groups(kernel, group_size, 0);
  row.how = "validation, a launch in a row of launches by events, times the clock seen after it";
  return row;
}

}  // namespace measure
