#pragma once

#include <optional>
#include <string>
#include <vector>

#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/import_report.hpp"
#include "warpipe/isa/launch.hpp"

/// Messages and notes shared by the readers of all languages.

namespace warpipe::isa {

/// "16x16x1".
std::string sizes_text(const Dimensions& sizes);

/// The sizes of groups that an entry is compiled for, and their sources for messages: " (.reqntid)"; may be empty.
struct CompiledBlock {
  std::optional<Dimensions> required, most;  ///< of `most` the product is the limit
  std::string required_by, most_by;
};

/// @throws UsageError for a block other than the compiled block
void check_block(const std::string& entry, const CompiledBlock& compiled, const Dimensions& block);

/// Notes on the properties of a launch known from elsewhere than the user.
std::vector<std::string> notes_of_launch(const ImportOptions& options);

/// The note on assumptions about textures and surfaces, with the number of instructions that reach them.
std::string note_on_textures(std::size_t instructions);

/// The origin of a kernel, for its `origin`.
struct Origin {
  std::string file, entry, language;  ///< path, symbol, "PTX 8.0 for sm_80"
  std::string registers_from;         ///< the source of their number, unless the user gave the number
  std::string rules;                  ///< changes to the code: "; removed as ptxas would: moves (3)"; may be empty
};
std::string text_of(const Origin& origin, const ImportOptions& options, const ImportReport& report);

}  // namespace warpipe::isa
