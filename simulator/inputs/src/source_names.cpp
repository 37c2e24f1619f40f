#include "warpipe/inputs/source_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace warpipe {
namespace {

namespace fs = std::filesystem;

std::string read_if_there(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  return text.str();
}

/// The first line that an instruction of an entry is from, in the file that most of them are from: some are from
/// headers.
isa::SourceLine first_line(const ptx::Function& entry) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const auto& one : entry.instructions)
    if (one.source.line > 0) ++counts[one.source.file];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& of) { return of.second; });
  const auto is_there = [&](const auto& one) { return one.source.line > 0 && one.source.file == most->first; };
  const auto found =
      most == counts.end() ? entry.instructions.end() : std::ranges::find_if(entry.instructions, is_there);
  return found == entry.instructions.end() ? isa::SourceLine{} : found->source;
}

/// Where a file may be that PTX names: as it says, or below a folder that the PTX or its source is in.
std::vector<fs::path> places_of(const std::string& named, const std::string& beside) {
  std::vector<fs::path> places{fs::path(named)};
  std::error_code error;
  for (auto folder = fs::absolute(beside, error).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    places.push_back(folder / named);
    places.push_back(folder / fs::path(named).filename());
  }
  return places;
}

}  // namespace

std::vector<ptx::SourceParameter> source_parameters(const ptx::Module& module, const ptx::Function& entry,
                                                    const TextFile& file, const BeforeReading& before) {
  const auto first = first_line(entry);
  auto sources = module.sources;
  if (sources.empty() && !file.source.empty()) sources.emplace(0, file.source);
  for (const auto& [number, source] : sources) {
    const ptx::SoughtKernel sought{entry.name, entry.parameters.size(), number == first.file ? first.line : 0};
    for (const auto& place : places_of(source, file.source.empty() ? file.name : file.source)) {
      std::error_code error;
      if (!fs::is_regular_file(place, error)) continue;
      auto found = ptx::parameters_in_source(read_if_there(place), sought);
      if (found.empty()) continue;
      if (before) before(place.string());
      return found;
    }
  }
  return {};
}

std::string source_place(const ptx::Module& module, const ptx::Function& entry) {
  const auto first = first_line(entry);
  const auto file = module.sources.find(first.file);
  if (first.line == 0 || file == module.sources.end()) return {};
  return fmt::format("{}:{}", fs::path(file->second).filename().string(), first.line);
}

}  // namespace warpipe
