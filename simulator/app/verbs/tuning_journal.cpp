#include "verbs/tuning_journal.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "warpipe/idg/error.hpp"

namespace warpipe::app {
namespace {

std::string start_of(std::uint64_t item) { return fmt::format("{} ", item); }

[[noreturn]] void refuse_lines(const std::string& file, const char* problem) {
  throw InputError(
      Diagnostic{file, problem, "", "repeat the command of these results, or remove the file to start anew"});
}

/// The whole lines of a file.
std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line) && !stream.eof();) lines.push_back(line);
  return lines;
}

}  // namespace

TuningJournal::TuningJournal(std::string file, const std::string& header, bool resume) : file_(std::move(file)) {
  std::error_code error;
  const bool is_there = std::filesystem::exists(file_, error) && std::filesystem::file_size(file_, error) > 0;
  if (is_there && !resume)
    throw InputError(
        Diagnostic{file_, "an earlier run has left its results here", "", "go on with --resume, or remove the file"});
  std::uintmax_t bytes = 0;
  if (is_there) {
    lines_ = lines_of(file_);
    if (!lines_.empty() && lines_.front() != header) refuse_lines(file_, "the results are of another command or input");
    for (const auto& line : lines_) bytes += line.size() + 1;
    if (!lines_.empty()) lines_.erase(lines_.begin());
    std::filesystem::resize_file(file_, bytes, error);
  }
  stream_.open(file_, std::ios::binary | std::ios::app);
  if (bytes == 0) stream_ << header << '\n' << std::flush;
  if (!stream_)
    throw InputError(Diagnostic{file_, "the file cannot be written", "", "write the results to another folder"});
}

std::optional<std::string> TuningJournal::kept(std::uint64_t item) {
  if (next_ == lines_.size()) return std::nullopt;
  const auto& line = lines_[next_++];
  const auto start = start_of(item);
  if (!line.starts_with(start)) refuse_lines(file_, "the results are of another command or input");
  return line.substr(start.size());
}

void TuningJournal::add(std::uint64_t item, const std::string& result) {
  if (file_.empty()) return;
  stream_ << start_of(item) << result << '\n' << std::flush;
  if (!stream_) throw OutputError(Diagnostic{file_, "the results cannot be written", "", ""});
}

void TuningJournal::remove() {
  if (file_.empty()) return;
  stream_.close();
  std::error_code error;
  std::filesystem::remove(file_, error);
}

}  // namespace warpipe::app
