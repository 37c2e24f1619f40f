#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "answers/answer_folder.hpp"
#include "command_line/verb.hpp"
#include "terminal/transcript.hpp"
#include "warpipe/idg/findings.hpp"

namespace warpipe::app {

/// What a run found outside the program: the hash of what was found, by kind and path. Nothing once something was found
/// that cannot be asked again, or two things in one place.
class Found {
 public:
  using Place = std::pair<Finding::Kind, std::string>;
  using Places = std::map<Place, std::string>;

  void add(const Finding& finding);
  std::optional<Places> take() { return std::exchange(places_, Places()); }

 private:
  std::optional<Places> places_ = Places();
};

/// A call of the program, whose answer is kept: what it says on standard output, on standard error and in files.
///
///     the call                         -> what its last run found: kinds and paths
///     the call, and what is found now  -> what a run said that found the same
///
/// The call is its words, the folder that it is made in, the program with its libraries, and what of the environment
/// decides what is said. A run that said or found what cannot be repeated is not kept, and neither is one that failed.
class KnownCall {
 public:
  /// Where the verb has no --cache, or it is off, nothing is kept and nothing known.
  /// @throws InputError for a wrong value in the environment
  KnownCall(const std::vector<std::string>& words, const Arguments& arguments, const Verb& verb);
  ~KnownCall();
  KnownCall(const KnownCall&) = delete;
  KnownCall& operator=(const KnownCall&) = delete;

  /// Says what an earlier run said that found what is found now.
  /// @return whether there was one; else nothing is said
  bool say_again();
  /// From here on it is written down what is said and found.
  void write_down();
  /// Keeps what was written down.
  void keep();

 private:
  std::string with(const Found::Places& places) const;

  std::optional<AnswerFolder> folder_;  ///< nothing where no answers are kept
  bool folder_is_named_ = false;        ///< by the user
  Voice voice_;
  std::string call_;
  std::optional<Transcript> transcript_;
  Found found_;
};

}  // namespace warpipe::app
