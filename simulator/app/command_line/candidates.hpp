#pragma once

#include <string>
#include <vector>

#include "command_line/verb.hpp"

namespace warpipe::app {

/// A possible word at the cursor.
struct Candidate {
  std::string word;     ///< the whole word: "--units=one"; it ends in `=` if a value must follow
  std::string meaning;  ///< a line of text
};

/// The offers of a shell.
struct Candidates {
  std::vector<Candidate> words;
  enum class Paths { None, Files, Directories } paths = Paths::None;  ///< further candidates: paths
};

/// The possible words in place of the last word of a command line.
/// @param words  after "warpipe"; the last is the word at the cursor and may be empty
Candidates candidates(const std::vector<Verb>& verbs, const std::vector<std::string>& words);

}  // namespace warpipe::app
