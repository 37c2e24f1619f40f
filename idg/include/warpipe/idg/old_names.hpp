#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Names that earlier versions of the file formats and options had. What a work group shares was called local memory,
/// OpenCL's word, which in CUDA means a thread's own stack; it is now called shared memory. Readers go on to take the
/// old names, everything behind them sees the new ones only.

namespace warpipe {

struct Renaming {
  std::string old_name, new_name;
  friend auto operator<=>(const Renaming&, const Renaming&) = default;
};

/// Translates the name of an op, a pipeline, a number of a latency table, a key of a file or an option, and remembers
/// the renaming.
/// - a part `local` between dots becomes `shared`: "local.load.64", "global.load.local.issue", "local"
/// - `local_memory` becomes `shared_memory`, `local-memory` `shared-memory`: "local_memory_per_unit"
/// - the id that an import gives, "local_load_12", becomes "shared_load_12"
/// @return the present name: `name` itself where it was never another
std::string current_name(std::string_view name);

/// Remembers a renaming that a caller has translated by itself. Any thread may call it.
void note_renaming(Renaming renaming);

/// The name that a key of a file had before; nothing where it had none.
std::optional<std::string> old_key(std::string_view key);

/// The renamings of this process since the last call, each once, in the order of the names. Any thread may call it.
std::vector<Renaming> take_renamings();

}  // namespace warpipe
