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

/// The findings of a run outside the program: the hash of each finding, by kind and path. Nothing after a finding that
/// cannot be asked again, or after two different findings in the same place.
class Found {
 public:
  using Place = std::pair<Finding::Kind, std::string>;
  using Places = std::map<Place, std::string>;

  void add(const Finding& finding);
  std::optional<Places> take() { return std::exchange(places_, Places()); }

 private:
  std::optional<Places> places_ = Places();
};

/// A call of the program with a kept answer: its text on standard output, on standard error and in files.
///
///     the call                            -> the findings of its last run: kinds and paths
///     the call, and the present findings  -> the output of a run with equal findings
///
/// The call is its words, its working directory, the program with its libraries, and the parts of the environment that
/// decide the output. A run with output or findings that cannot be repeated is not kept, and neither is a failed run.
class KnownCall {
 public:
  /// Where the verb has no --cache, or it is off, no answers are kept or known.
  /// @throws InputError for a wrong value in the environment
  KnownCall(const std::vector<std::string>& words, const Arguments& arguments, const Verb& verb);
  ~KnownCall();
  KnownCall(const KnownCall&) = delete;
  KnownCall& operator=(const KnownCall&) = delete;

  /// Repeats the output of an earlier run with the present findings.
  /// @return whether there was one; else no output is made
  bool say_again();
  /// From here on, output and findings are recorded.
  void write_down();
  /// Keeps the record.
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
