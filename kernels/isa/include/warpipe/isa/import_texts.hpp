#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/import_report.hpp"
#include "warpipe/isa/launch.hpp"

/// What the readers of all languages say in the same words.

namespace warpipe::isa {

/// "16x16x1".
std::string sizes_text(const Dimensions& sizes);

/// The sizes of groups that an entry is compiled for, and what says so, for messages: " (.reqntid)"; may be empty.
struct CompiledBlock {
  std::optional<Dimensions> required, most;  ///< of `most` the product is the limit
  std::string required_by, most_by;
};

/// @throws UsageError for a block that the entry is not compiled for
void check_block(const std::string& entry, const CompiledBlock& compiled, const Dimensions& block);

/// What of a launch was not given, but is known from elsewhere.
std::vector<std::string> notes_of_launch(const ImportOptions& options);

/// What is taken to be so of textures and surfaces, where so many instructions reach them.
std::string note_on_textures(std::size_t instructions);

/// Where a kernel is from, for its `origin`.
struct Origin {
  std::string file, entry, language;  ///< path, symbol, "PTX 8.0 for sm_80"
  std::string registers_from;         ///< where their number is from, unless it was given
  std::string rules;  ///< what was done to the code: "; removed as ptxas would: moves (3)"; may be empty
};
std::string text_of(const Origin& origin, const ImportOptions& options, const ImportReport& report);

}  // namespace warpipe::isa
