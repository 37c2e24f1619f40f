#include "warpipe/inputs/data_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/inputs/places.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/compile_target.hpp"

namespace warpipe {
namespace {

namespace fs = std::filesystem;

const char* folder_of(DataFiles::Kind kind) { return kind == DataFiles::Kind::Kernels ? "kernels" : "devices"; }
const char* noun_of(DataFiles::Kind kind) { return kind == DataFiles::Kind::Kernels ? "kernel" : "device"; }

/// Of search_data, in the order of the search.
std::vector<fs::path>& searched() {
  static std::vector<fs::path> directories;
  return directories;
}

/// The data beside the program, both in a build tree and in an installation.
std::optional<fs::path> data_of_program() {
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  return (program.parent_path() / ".." / "share" / "warpipe").lexically_normal();
}

/// Letters and digits, small, without makers and vendors of devices: "rtx4090" of "NVIDIA RTX 4090".
std::string plain_name(const std::string& name) {
  auto plain = lower_case(name);
  std::erase_if(plain, [](char c) { return (c < 'a' || c > 'z') && (c < '0' || c > '9'); });
  for (const std::string_view word : {"nvidia", "geforce", "tesla", "amd", "radeon", "instinct"})
    if (const auto at = plain.find(word); at != std::string::npos && plain.size() > word.size())
      plain.erase(at, word.size());
  return plain;
}

}  // namespace

DataFiles::DataFiles(const std::optional<std::string>& data, BeforeReading before) : before_(std::move(before)) {
  const auto add = [&](const std::string& said_as, const std::string& directory) {
    if (!is_folder(directory))
      throw InputError(
          Diagnostic{said_as, "no such directory", "", "give a directory with the folders kernels and devices"});
    directories_.emplace_back(directory);
  };
  if (data) add(fmt::format("`data {}`", *data), *data);
  if (const char* given = std::getenv("WARPIPE_DATA"); given && *given != '\0')
    add(fmt::format("WARPIPE_DATA={}", given), given);
  const auto add_once_where_there = [&](const fs::path& directory) {
    std::error_code error;
    const auto is_same = [&](const fs::path& other) { return fs::equivalent(directory, other, error); };
    if (is_folder(directory.string()) && std::ranges::none_of(directories_, is_same)) directories_.push_back(directory);
  };
  std::ranges::for_each(searched(), add_once_where_there);
  const auto own = data_of_program();
  if (own) add_once_where_there(*own);
  add_once_where_there(WARPIPE_INSTALLED_DATA);
  if (directories_.empty() && own) directories_.push_back(*own);  // for the message of missing data
}

std::string DataFiles::kernel_path(const std::string& name) const { return path_of(Kind::Kernels, name); }
std::string DataFiles::device_path(const std::string& name) const { return path_of(Kind::Devices, name); }

Kernel DataFiles::kernel(const std::string& name) const {
  const auto file = read_kernel_file(kernel_path(name), before_);
  return read_kernel_json(file.text, file.name);
}

Device DataFiles::device(const std::string& name) const {
  const auto file = read_file(device_path(name), before_);
  return read_device_json(file.text, file.name);
}

std::vector<std::string> DataFiles::names(Kind kind) const {
  std::set<std::string> names;
  for (const auto& directory : directories_) {
    for (const fs::path file : entries_of((directory / folder_of(kind)).string()))
      if (file.extension() == ".json") names.insert(file.stem().string());
  }
  return {names.begin(), names.end()};
}

std::optional<std::string> DataFiles::shipped_path(Kind kind, const std::string& name) const {
  for (const auto& directory : directories_) {
    const auto path = (directory / folder_of(kind) / (name + ".json")).string();
    if (is_there(path)) return path;
  }
  return std::nullopt;
}

std::string DataFiles::path_of(Kind kind, const std::string& name) const {
  if (is_path(name) || name.empty()) return name;
  if (const auto path = shipped_path(kind, name)) return *path;
  for (const auto& shipped : names(kind))
    if (lower_case(shipped) == lower_case(name)) return *shipped_path(kind, shipped);
  if (kind == Kind::Devices)
    if (const auto known = device_called(name)) return *shipped_path(kind, *known);
  refuse_unknown(kind, name);
}

std::optional<std::string> DataFiles::device_called(const std::string& name) const {
  constexpr std::size_t kShortest = 3;  // a number as the name of a device: "780"
  const auto plain = plain_name(name);
  const bool is_number = plain.size() >= kShortest && plain.find_first_not_of("0123456789") == std::string::npos;
  const auto shipped = names(Kind::Devices);
  if (const auto same = std::ranges::find(shipped, plain, plain_name); same != shipped.end()) return *same;
  const auto is_called = [&](const std::string& each) {
    if (is_number) return plain_name(each).ends_with(plain);
    try {
      return compile_target(device(each)) == lower_case(name);
    } catch (const Error&) {
      return false;  // a wrong file is another problem
    }
  };
  std::vector<std::string> called;
  std::ranges::copy_if(shipped, std::back_inserter(called), is_called);
  return called.size() == 1 ? std::optional(called.front()) : std::nullopt;
}

std::vector<std::string> DataFiles::devices_described(const std::string& name) const {
  std::vector<std::string> described;
  const auto word = lower_case(name);
  const auto is_called = [&](const std::string& each) {
    try {
      const auto one = device(each);
      return lower_case(each + " " + one.title + " " + one.architecture).find(word) != std::string::npos ||
             compile_target(one) == word;
    } catch (const Error&) {
      return false;  // a wrong file is another problem
    }
  };
  std::ranges::copy_if(names(Kind::Devices), std::back_inserter(described), is_called);
  return described;
}

void DataFiles::refuse_unknown(Kind kind, const std::string& name) const {
  const bool is_here = is_there(name);
  if (is_here && kind == Kind::Kernels) read_kernel_file(name);  // refuses a directory, source or a binary
  const auto own = is_here ? fmt::format("for the file here, write ./{}", name)
                           : fmt::format("for a file of your own, write ./{}.json", name);
  const auto where = fmt::format("{} \"{}\"", noun_of(kind), name);
  const auto shipped = names(kind);
  auto near = suggest(name, shipped);
  const auto described = near.empty() && kind == Kind::Devices ? devices_described(name) : std::vector<std::string>();
  if (described.size() > 1)
    throw InputError(Diagnostic{where, "several shipped devices are called so", "",
                                fmt::format("one of: {}; {}", fmt::join(described, ", "), own)});
  if (described.size() == 1) near = fmt::format("did you mean \"{}\"?", described.front());
  std::vector<std::string> looked_in;
  for (const auto& directory : directories_) looked_in.push_back((directory / folder_of(kind)).string());
  const auto advice =
      shipped.empty() ? "none are there: set WARPIPE_DATA to the folder share/warpipe of an installation" : near;
  throw InputError(Diagnostic{where, fmt::format("no shipped {} has this name", noun_of(kind)),
                              fmt::format("looked in {}", fmt::join(looked_in, ", ")),
                              fmt::format("{}{}{}", advice,
                                          advice.empty()          ? ""
                                          : advice.ends_with("?") ? " "
                                                                  : "; ",
                                          own)});
}

bool search_data(const std::string& directory) {
  if (std::ranges::find(searched(), fs::path(directory)) == searched().end()) searched().emplace_back(directory);
  return true;
}

bool detail::search_data_beside(const std::string& header) {
  std::error_code error;
  auto include = fs::absolute(header, error).parent_path();  // DIR/include/warpipe/inputs
  include = include.parent_path().parent_path();
  return search_data((include / WARPIPE_DATA_FROM_HEADERS).lexically_normal().string());
}

}  // namespace warpipe
