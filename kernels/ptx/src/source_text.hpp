#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text in CUDA C++, as far as it takes to find declarations in it without a compiler.

namespace warpipe::ptx {

/// A stretch of source without comments, strings and lines of the preprocessor: blanks stand in their places.
struct SourcePiece {
  std::string text;
  std::uint32_t line = 1;     ///< in the file, where it begins
  bool is_expansion = false;  ///< of a macro: all of it is at that line
};

/// Whether a letter may stand in a name.
bool is_in_name(char c);
/// The first place from `at` on that holds no blank or line break.
std::size_t skip_blanks(std::string_view text, std::size_t at);
/// Where the bracket closes that is open at a place; npos where it does not.
std::size_t closing(std::string_view text, std::size_t open);
/// Where a name ends that begins at a place.
std::size_t end_of_name(std::string_view text, std::size_t at);
/// The parts of a list, cut at its commas but those between brackets.
std::vector<std::string_view> split_list(std::string_view list);

/// A file's text, and what each use of its macros that declare kernels (`__global__`) becomes.
/// @complexity linear in the text and in what the macros become, which is cut off at 2^24 letters
std::vector<SourcePiece> source_pieces(std::string_view source);

}  // namespace warpipe::ptx
