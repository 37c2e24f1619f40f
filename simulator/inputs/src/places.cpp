#include "warpipe/inputs/places.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "warpipe/idg/findings.hpp"

namespace warpipe {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNothing = "nothing", kFile = "file", kFolder = "folder", kOther = "other";

std::string_view word_of(fs::file_type type) {
  switch (type) {
    case fs::file_type::none:  // an error, as for a file below a file
    case fs::file_type::not_found:
      return kNothing;
    case fs::file_type::regular:
      return kFile;
    case fs::file_type::directory:
      return kFolder;
    default:
      return kOther;
  }
}

}  // namespace

std::string_view what_is_at(const std::string& path) {
  std::error_code error;
  const auto word = word_of(fs::status(path, error).type());
  tell({Finding::Kind::Place, path, word});
  return word;
}

bool is_there(const std::string& path) { return what_is_at(path) != kNothing; }
bool is_file(const std::string& path) { return what_is_at(path) == kFile; }
bool is_folder(const std::string& path) { return what_is_at(path) == kFolder; }

std::string program_at(const std::string& path) {
  std::error_code error;
  std::string program;
  if (fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0)
    program =
        fmt::format("{} {}", fs::file_size(path, error), fs::last_write_time(path, error).time_since_epoch().count());
  tell({Finding::Kind::Program, path, program});
  return program;
}

std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  tell({Finding::Kind::Names, folder, fmt::format("{}", fmt::join(names, "\n"))});
  return names;
}

}  // namespace warpipe
