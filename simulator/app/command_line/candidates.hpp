#pragma once

#include <string>
#include <vector>

#include "command_line/verb.hpp"

namespace warpipe::app {

/// A word that may stand where the cursor is.
struct Candidate {
  std::string word;     ///< whole: "--units=one"; ends in `=` where something has to follow
  std::string meaning;  ///< a line
};

/// What a shell may offer.
struct Candidates {
  std::vector<Candidate> words;
  enum class Paths { None, Files, Directories } paths = Paths::None;  ///< that fit besides
};

/// What may stand in place of the last word of a command line.
/// @param words  behind "warpipe"; the last one is that at the cursor, maybe empty
Candidates candidates(const std::vector<Verb>& verbs, const std::vector<std::string>& words);

}  // namespace warpipe::app
