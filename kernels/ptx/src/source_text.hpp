#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text in CUDA C++, read as far as needed to find declarations without a compiler.

namespace warpipe::ptx {

/// A stretch of source with blanks in place of comments, strings and lines of the preprocessor.
struct SourcePiece {
  std::string text;
  std::uint32_t line = 1;     ///< in the file, where it begins
  bool is_expansion = false;  ///< of a macro: all of it is at that line
};

/// Whether a letter may stand in a name.
bool is_in_name(char c);
/// The first place from `at` on without a blank or line break.
std::size_t skip_blanks(std::string_view text, std::size_t at);
/// The place of the bracket closing the bracket at `open`; npos without one.
std::size_t closing(std::string_view text, std::size_t open);
/// The end of the name beginning at `at`.
std::size_t end_of_name(std::string_view text, std::size_t at);
/// The parts of a list, cut at its commas outside brackets.
std::vector<std::string_view> split_list(std::string_view list);

/// The text of a file, and the expansion of each use of its macros that declare kernels (`__global__`).
/// @complexity linear in the text and in the expansions, cut off at 2^24 letters
std::vector<SourcePiece> source_pieces(std::string_view source);

}  // namespace warpipe::ptx
