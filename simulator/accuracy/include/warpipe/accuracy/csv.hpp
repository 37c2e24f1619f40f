#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/error.hpp"

namespace warpipe {

/// Collects the problems of a CSV file: the first in full, the rest as a count, since a wrong column is wrong in every
/// line.
class CsvProblems {
 public:
  explicit CsvProblems(std::string file) : file_(std::move(file)) {}

  /// @param line    of the file, from 1; 0: the whole file
  /// @param column  the header's name; may be empty
  /// @param found   cut after some 80 bytes
  void add(std::size_t line, std::string_view column, std::string problem, std::string_view found, std::string advice);

  /// @throws InputError with all added problems, if there are any
  void throw_if_any() const;

 private:
  std::string file_;
  std::vector<Diagnostic> shown_;
  std::size_t hidden_ = 0;
};

struct CsvRow {
  std::size_t line = 0;  ///< where it starts, from 1
  std::vector<std::string> cells;
};

/// Splits a CSV file into cells. Blanks around cells and blank lines are ignored, a byte order mark is skipped, lines
/// end with LF, CRLF or CR.
/// @param problems  takes quotes in the wrong place, and a quote never closed
/// @throws InputError for a NUL byte
/// @source RFC 4180
std::vector<CsvRow> read_csv(std::string_view text, CsvProblems& problems);

}  // namespace warpipe
