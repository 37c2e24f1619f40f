#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

/// The worst rows, each with the number of the device that is probably wrong.

namespace warpipe {

/// A new value for a number of the device's table, for a good prediction of a row.
struct Suggestion {
  std::string parameter;     ///< as calibrate names it
  double value = 0;          ///< cycles, as the table has it
  double suggested = 0;      ///< the value with the least error; within a factor of four
  double error_percent = 0;  ///< the error with the suggested value
};

struct WorstRow {
  std::size_t row = 0;  ///< index into the rows
  double error_percent = 0;
  std::optional<Suggestion> suggestion;  ///< nothing where no parameter alone makes the row better
};

/// Finds the rows with the largest errors, and for each the parameter whose change would leave the least error; of
/// equal parameters, the smallest change.
/// @param rows     predicted with these options
/// @param count    at most so many
/// @param progress called after each row
/// @return         worst first, equals in the order of the rows
/// @complexity     three simulations of a row for each number of its ops
std::vector<WorstRow> worst_rows(const std::vector<Comparison>& rows, const Lookup<Kernel>& kernels,
                                 const Lookup<Device>& devices, const LaunchOptions& options, std::size_t count,
                                 std::size_t threads, const Progress& progress = {});

}  // namespace warpipe
