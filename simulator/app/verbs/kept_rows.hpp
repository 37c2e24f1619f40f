#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "warpipe/views/records.hpp"

namespace warpipe::app {

/// The rows that a file should hold.
struct ExpectedRows {
  std::string noun;  ///< what a row is: "points"
  RowForm form = RowForm::Csv;
  std::string header;  ///< with its line end; empty if the form has none
  std::size_t count = 0;
  std::function<std::string(std::size_t index)> start;  ///< how a row starts, up to a comma
  std::string end_of_predicted;                         ///< the end of a row that has a prediction
  /// Called with each row that an earlier run has left, in order; may be empty.
  std::function<void(std::size_t index, const std::string& row)> kept = {};
};

/// The rows that an earlier run has left in a file.
struct KeptRows {
  std::size_t count = 0;
  std::uintmax_t bytes = 0;   ///< of the header and the rows, without a row that is cut off
  std::string last;           ///< the last of them
  std::size_t last_line = 0;  ///< where it starts, from 1
  std::size_t predicted = 0;  ///< rows that have a prediction
};

/// Reads the rows that an earlier run of the same command has left; none if there is no file.
/// @throws InputError if the header, the start of a row or the number of rows is not as expected, with the first
///                    difference
KeptRows read_kept_rows(const std::string& file, const ExpectedRows& expected);

/// @throws InputError with the first cell in which two rows differ
/// @param line  of the file
[[noreturn]] void refuse_row(const std::string& file, std::size_t line, const ExpectedRows& expected,
                             const std::string& found, const std::string& wanted);

}  // namespace warpipe::app
