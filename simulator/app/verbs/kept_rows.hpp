#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "warpipe/views/records.hpp"

namespace warpipe::app {

/// The rows that a file should hold.
struct ExpectedRows {
  std::string noun;  ///< the object of a row: "points"
  RowForm form = RowForm::Csv;
  std::string header;  ///< with its line end; empty if the form has none
  std::size_t count = 0;
  std::function<std::string(std::size_t index)> start;  ///< the start of a row, up to a comma
  std::string end_of_predicted;                         ///< the end of a row with a prediction
  /// Called with each row left by an earlier run, in order; may be empty.
  std::function<void(std::size_t index, const std::string& row)> kept = {};
};

/// The rows left in a file by an earlier run.
struct KeptRows {
  std::size_t count = 0;
  std::uintmax_t bytes = 0;   ///< of the header and the rows, without a cut-off row
  std::string last;           ///< the last of them
  std::size_t last_line = 0;  ///< its first line, from 1
  std::size_t predicted = 0;  ///< rows with a prediction
};

/// Reads the rows left by an earlier run of the same command; none if there is no file.
/// @throws InputError if the header, the start of a row or the number of rows is not as expected, with the first
///                    difference
KeptRows read_kept_rows(const std::string& file, const ExpectedRows& expected);

/// @throws InputError with the first cell in which two rows differ
/// @param line  of the file
[[noreturn]] void refuse_row(const std::string& file, std::size_t line, const ExpectedRows& expected,
                             const std::string& found, const std::string& wanted);

}  // namespace warpipe::app
