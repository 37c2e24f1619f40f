#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warpipe::app {

/// Keeps answers of earlier runs on disk: a file for each, named by the hash of its question. Several processes may use
/// a folder at a time: a file appears when it is whole, and may vanish at any time.
///
///     warpipe/3/3f0a...e1.answer    one of 16 folders, each of which holds a 16th: so few files are looked at
///                                   where room is made
class AnswerFolder {
 public:
  /// @param most_bytes  of all answers together; answers unused for longest go first
  AnswerFolder(std::filesystem::path folder, std::uintmax_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// @param question  all data that decide the answer
  /// @return          nothing where it is not known; a damaged file counts as missing
  std::optional<std::string> find(std::string_view question) const;
  /// @return the reason why the answer could not be kept; empty where it is kept
  std::string keep(std::string_view question, std::string_view answer) const;

  /// The longest answer to keep: a longer answer would take more than half of a 16th, and displace the rest.
  std::uintmax_t longest() const { return most_bytes_ / kParts / 2; }

 private:
  static constexpr std::uintmax_t kParts = 16;  ///< a digit of the hash

  std::filesystem::path file_of(std::string_view question) const;
  void make_room(const std::filesystem::path& part) const;

  std::filesystem::path folder_;
  std::uintmax_t most_bytes_;
};

}  // namespace warpipe::app
