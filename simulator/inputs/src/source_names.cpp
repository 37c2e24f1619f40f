#include "warpipe/inputs/source_names.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "warpipe/ptx/launch.hpp"

namespace warpipe {
namespace {

namespace fs = std::filesystem;

std::string read_if_there(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream) text << stream.rdbuf();
  return text.str();
}

/// Where a file may be that code names: as it says, or below a folder that the code or its source is in.
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

isa::Entry with_source_names(isa::Entry entry, const code::Module& module, const TextFile& file,
                             const BeforeReading& before) {
  auto sources = module.sources();
  if (sources.empty() && !file.source.empty()) sources.push_back(file.source);
  for (const auto& source : sources) {
    const ptx::SoughtKernel sought{entry.symbol, entry.parameters.size(),
                                   source == entry.source ? entry.source_line : 0};
    for (const auto& place : places_of(source, file.source.empty() ? file.name : file.source)) {
      std::error_code error;
      if (!fs::is_regular_file(place, error)) continue;
      const auto found = ptx::parameters_in_source(read_if_there(place), sought);
      if (found.empty()) continue;
      if (before) before(place.string());
      for (std::size_t i = 0; i < std::min(found.size(), entry.parameters.size()); ++i) {
        entry.parameters[i].name = found[i].name;
        entry.parameters[i].declaration = found[i].declaration;
      }
      return entry;
    }
  }
  return entry;
}

}  // namespace warpipe
