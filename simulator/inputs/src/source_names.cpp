#include "warpipe/inputs/source_names.hpp"

#include <algorithm>
#include <filesystem>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/inputs/places.hpp"
#include "warpipe/ptx/launch.hpp"

namespace warpipe {
namespace {

namespace fs = std::filesystem;

std::string read_if_possible(const std::string& path) {
  try {
    return read_text_file(path);
  } catch (const InputError&) {
    return {};  // the names are a help only
  }
}

/// The possible paths of a file named in code: as named, or below a folder that contains the code or its source.
std::vector<std::string> places_of(const std::string& named, const std::string& beside) {
  std::vector<std::string> places{named};
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
      if (!is_file(place)) continue;
      const auto found = ptx::parameters_in_source(read_if_possible(place), sought);
      if (found.empty()) continue;
      if (before) before(place);
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
