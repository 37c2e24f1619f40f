#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "warpipe/views/records.hpp"

namespace warpipe::app {

/// What a file of rows should hold.
struct ExpectedRows {
  std::string noun;  ///< what a row is: "points"
  RowForm form = RowForm::Csv;
  std::string header;  ///< with its line end; empty where the form has none
  std::size_t count = 0;
  std::function<std::string(std::size_t index)> start;  ///< how a row starts, up to a comma
  std::string end_of_predicted;                         ///< how a row ends that has a prediction
};

/// The rows that an earlier run has left in a file.
struct KeptRows {
  std::size_t count = 0;
  std::uintmax_t bytes = 0;   ///< of them and the header; what is cut off behind them does not count
  std::string last;           ///< the last of them
  std::size_t last_line = 0;  ///< where it starts, from 1
  std::size_t predicted = 0;  ///< so many of them have a prediction
};

/// Reads what an earlier run of the same command has left; nothing where there is no file.
/// @throws InputError where the header, the start of a row or the number of rows differs from what is expected, with
///                    the first difference
KeptRows read_kept_rows(const std::string& file, const ExpectedRows& expected);

/// @throws InputError with the first cell in which two rows differ
/// @param line  of the file
[[noreturn]] void refuse_row(const std::string& file, std::size_t line, const ExpectedRows& expected,
                             const std::string& found, const std::string& wanted);

}  // namespace warpipe::app
