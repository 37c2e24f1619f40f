#include "command_line/old_names_note.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "warpipe/idg/old_names.hpp"

namespace warpipe::app {

OldNamesNote::~OldNamesNote() {
  constexpr std::size_t kMostShown = 4;
  std::vector<std::string> parts;
  for (const Renaming& renaming : take_renamings())
    parts.push_back(fmt::format("{} is now called {}", renaming.old_name, renaming.new_name));
  const std::size_t more = parts.size() > kMostShown ? parts.size() - kMostShown : 0;
  parts.resize(parts.size() - more);
  if (more > 0) parts.push_back(fmt::format("and {} more", more));
  if (!parts.empty()) note(voice_, fmt::format("{}", fmt::join(parts, ", ")));
}

}  // namespace warpipe::app
