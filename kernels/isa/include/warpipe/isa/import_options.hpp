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
inline constexpr std::string_view kEveryClass = "class";  ///< instead of an opcode: all that are not known

/// How instructions become ops.
struct LoweringOptions {
  std::set<std::string, std::less<>> without;  ///< rules that are switched off; machine code has none
  std::map<std::string, std::string, std::less<>>
      unknown;          ///< ops of opcodes that are not known, by a start of their names: "wmma.mma", "wmma"
  bool assume = false;  ///< all others are left out
  int capability = 0;   ///< of the GPU that PTX is assembled for, as 90; 0 where it is not known
};

/// What is said of an import, for a file of any language.
struct ImportOptions {
  std::string entry;  ///< as of find_symbol
  Launch launch;
  Target target;
  std::vector<Assumption> assumed;  ///< of the launch, already put in place: its block, its grid
  std::string block_from;          ///< what the block is guessed from, ".maxntid", for a note; empty where it was given
  std::string shared_memory_from;  ///< likewise of the dynamic shared memory
  std::vector<std::string> parameter_names;  ///< in the source, in order; may be empty
  LoweringOptions lowering;
  std::optional<std::int64_t>
      registers;               ///< of a thread; nothing: as the machine code says, or estimated from liveness
  std::string registers_from;  ///< where that number is from, for the kernel's `origin`
};

/// Puts another answer in place of what is assumed, or the same one as if the user had given it.
void answer(ImportOptions& options, const Assumption& assumption, const std::string& value);

}  // namespace warpipe::isa
