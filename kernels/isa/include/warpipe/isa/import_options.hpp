#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/assumption.hpp"
#include "warpipe/isa/launch.hpp"
#include "warpipe/isa/target.hpp"

namespace warpipe::isa {

inline constexpr std::string_view kSkip = "skip";         ///< instead of an op: left out
inline constexpr std::string_view kEveryClass = "class";  ///< instead of an opcode: all unknown opcodes

/// Options for the lowering of instructions to ops.
struct LoweringOptions {
  std::set<std::string, std::less<>> without;  ///< rules that are switched off; machine code has none
  std::map<std::string, std::string, std::less<>>
      unknown;          ///< ops of unknown opcodes, by a start of their names: "wmma.mma", "wmma"
  bool assume = false;  ///< further unknown opcodes are left out
  int capability = 0;   ///< of the target GPU of the PTX, as 90; 0 where not known
};

/// Options of an import, for a file of any language.
struct ImportOptions {
  std::string entry;  ///< as of find_symbol
  Launch launch;
  Target target;
  std::vector<Assumption> assumed;  ///< of the launch, already put in place: its block, its grid
  std::string block_from;           ///< the source of a guessed block, ".maxntid", for a note; empty for a given block
  std::string shared_memory_from;   ///< likewise of the dynamic shared memory
  std::vector<std::string> parameter_names;  ///< in the source, in order; may be empty
  LoweringOptions lowering;
  std::optional<std::int64_t> registers;  ///< of a thread; nothing: from the machine code, or estimated from liveness
  std::string registers_from;             ///< the source of the number, for the kernel's `origin`
};

/// Replaces an assumed value by another answer, or confirms the same value as if given by the user.
void answer(ImportOptions& options, const Assumption& assumption, const std::string& value);

}  // namespace warpipe::isa
