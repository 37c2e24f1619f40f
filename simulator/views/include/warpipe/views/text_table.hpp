#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpipe {

/// A table of text with aligned columns: two blanks between columns, none at the end of a line.
class TextTable {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Right;
    std::size_t width = 0;  ///< of all cells, a longer cell stands out; 0: of the longest cell
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// @param cells  one per column; as `printable` shows them
  void add(std::vector<std::string> cells);

  /// @param indent  blanks before each line
  /// @return        the titles, where any is not empty, and the rows, each ended by a newline
  std::string text(std::size_t indent = 0) const;

  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<std::vector<std::string>>& rows() const { return rows_; }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// The first words of a result: "saxpy on v100, NVIDIA V100", as `printable` shows them.
/// @param title  of the device; may be empty
std::string kernel_on_device(std::string_view kernel, std::string_view device, std::string_view title = {});

/// @return how many places a terminal shows the text in: its code points
std::size_t width_of(std::string_view utf8);

}  // namespace warpipe
