#include "answers/answer_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "answers/sha256.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashDigits = 64;
constexpr std::string_view kEnding = ".answer";

std::string reason(int error) { return std::generic_category().message(error); }

std::optional<std::string> read_whole(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) return std::nullopt;
  std::string text(static_cast<std::size_t>(stream.tellg()), '\0');
  stream.seekg(0).read(text.data(), static_cast<std::streamsize>(text.size()));
  return stream ? std::optional(std::move(text)) : std::nullopt;
}

/// Writes a file; readers see it whole or not at all.
/// @return the reason of a failure; empty where it is written
std::string write_whole(const fs::path& file, std::string_view a, std::string_view b) {
  std::string beside = file.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(beside.data(), O_CLOEXEC);
  if (descriptor < 0) return reason(errno);
  ::close(descriptor);
  std::ofstream stream(beside, std::ios::binary);
  stream << a << b;
  stream.close();
  std::error_code error;
  if (!stream) error = std::make_error_code(std::errc::no_space_on_device);
  if (!error) fs::rename(beside, file, error);
  std::error_code ignored;
  if (error) fs::remove(beside, ignored);
  return error ? error.message() : "";
}

}  // namespace

fs::path AnswerFolder::file_of(std::string_view question) const {
  const auto hash = sha256(question);
  return folder_ / hash.substr(0, 1) / (hash + std::string(kEnding));
}

std::optional<std::string> AnswerFolder::find(std::string_view question) const {
  const auto file = file_of(question);
  auto content = read_whole(file);
  if (!content || content->size() < kHashDigits) return std::nullopt;
  const auto answer = std::string_view(*content).substr(kHashDigits);
  if (sha256(answer) != std::string_view(*content).substr(0, kHashDigits)) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);  // it was used now
  content->erase(0, kHashDigits);
  return content;
}

std::string AnswerFolder::keep(std::string_view question, std::string_view answer) const {
  const auto file = file_of(question);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return error.message();
  auto why_not = write_whole(file, sha256(answer), answer);
  if (why_not.empty()) make_room(file.parent_path());
  return why_not;
}

void AnswerFolder::make_room(const fs::path& part) const {
  struct File {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator entry(part, error), end; !error && entry != end; entry.increment(error)) {
    // Files of writers at work, or of killed writers, have more text behind the ending: these go when they are old.
    // Other files are not ours.
    if (entry->path().filename().string().find(kEnding) == std::string::npos) continue;
    std::error_code gone;  // another process may have removed it
    const File file{entry->last_write_time(gone), entry->file_size(gone), entry->path()};
    if (gone) continue;
    files.push_back(file);
    bytes += file.bytes;
  }
  const auto most = most_bytes_ / kParts;
  if (bytes <= most) return;
  std::ranges::sort(files, {}, &File::used);
  const auto enough = most / 4 * 3;  // so that not each answer has to make room
  for (const File& file : files) {
    if (bytes <= enough) break;
    if (fs::remove(file.path, error)) bytes -= file.bytes;
  }
}

}  // namespace warpipe::app
