#include "warpipe/tune/source_files.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "warpipe/inputs/places.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostFiles = 1000;

/// The folders of `-IFOLDER`, `-I FOLDER` and the like.
std::vector<std::string> include_folders(const std::vector<std::string>& flags) {
  std::vector<std::string> folders;
  for (std::size_t i = 0; i < flags.size(); ++i)
    for (const std::string_view option : {"-I", "--include-path", "-isystem", "--system-include"}) {
      if (!flags[i].starts_with(option)) continue;
      auto folder = flags[i].substr(option.size());
      if (folder.starts_with('=')) folder.erase(0, 1);
      if (folder.empty() && i + 1 < flags.size()) folder = flags[i + 1];
      if (!folder.empty()) folders.push_back(folder);
    }
  return folders;
}

/// The file included by a line: the name between quotes or angle brackets; empty where it includes nothing.
std::string_view included_by(std::string_view line) {
  const auto skip = [&](std::string_view word) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with(word)) return false;
    line.remove_prefix(word.size());
    return true;
  };
  if (!skip("#") || !skip("include")) return {};
  skip("");
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return {};
  const char end = line.front() == '"' ? '"' : '>';
  line.remove_prefix(1);
  return line.substr(0, line.find(end));
}

class SourceFiles {
 public:
  SourceFiles(const std::vector<std::string>& flags, const BeforeReading& before)
      : folders_(include_folders(flags)), before_(before) {}

  void read(const std::string& path) {
    if (!known_.insert(std::filesystem::path(path).lexically_normal().string()).second || files_.size() == kMostFiles)
      return;
    const auto text = files_.emplace_back(read_file(path, before_)).text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (const auto name = included_by(line); !name.empty()) read_included(path, std::filesystem::path(name));
  }

  std::vector<TextFile> take() { return std::move(files_); }

 private:
  void read_included(const std::string& by, const std::filesystem::path& name) {
    auto place = (std::filesystem::path(by).parent_path() / name).string();
    for (auto folder = folders_.begin(); !is_file(place) && folder != folders_.end(); ++folder)
      place = (std::filesystem::path(*folder) / name).string();
    if (is_file(place)) read(place);
  }

  std::vector<std::string> folders_;
  const BeforeReading& before_;
  std::vector<TextFile> files_;
  std::set<std::string> known_;
};

}  // namespace

std::vector<TextFile> source_files(const std::string& source, const std::vector<std::string>& flags,
                                   const BeforeReading& before) {
  SourceFiles files(flags, before);
  files.read(source);
  return files.take();
}

}  // namespace warpipe
