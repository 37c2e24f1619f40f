#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warpipe::app {

/// Answers of earlier runs on disk: a file for each, named by the hash of its question. Several processes may use one
/// folder at a time: a file appears when it is whole, and may vanish at any time.
///
///     warpipe/3/3f0a...e1.answer    one of 16 folders, each of which holds a 16th: so few files are looked at
///                                   where room is made
class AnswerFolder {
 public:
  /// @param most_bytes  of all answers together; those that were not used for longest go first
  AnswerFolder(std::filesystem::path folder, std::uintmax_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// @param question  all that decides the answer
  /// @return          nothing where it is not known; a file that is damaged counts as not there
  std::optional<std::string> find(std::string_view question) const;
  /// @return why the answer could not be kept; empty where it is
  std::string keep(std::string_view question, std::string_view answer) const;

  /// The longest answer that is kept: one that would not have half a 16th to itself makes the others go.
  std::uintmax_t longest() const { return most_bytes_ / kParts / 2; }

 private:
  static constexpr std::uintmax_t kParts = 16;  ///< a digit of the hash

  std::filesystem::path file_of(std::string_view question) const;
  void make_room(const std::filesystem::path& part) const;

  std::filesystem::path folder_;
  std::uintmax_t most_bytes_;
};

}  // namespace warpipe::app
