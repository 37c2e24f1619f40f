#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// An input missing from an import, with the assumed value.
struct Assumption {
  enum class Kind { Block, Grid, SharedMemory, Opcode, Argument, Trips, Taken, Array, Address, Table };
  Kind kind = Kind::Taken;
  std::string name;   ///< in the option's spelling: "n", "L__BB0_2", "57"; empty of a block, a grid and shared memory
  std::string value;  ///< in the option's spelling: "1024", "0.5", "random:4194304"
  std::string why;    ///< the rule behind the value: "a row of 16 elements"
  std::vector<std::string> others;  ///< values that show how much it matters; may be empty
  std::uint32_t line = 0;           ///< in the program's file, where it is needed first; 0: everywhere
  std::string source;               ///< "saxpy.cu:9"; empty where not known
  Diagnostic question;              ///< the message where nothing may be assumed
};

/// "branch", "trips".
std::string_view to_string(Assumption::Kind kind);

/// The form of the value of an option: "N", "SHARE".
std::string_view form_of(Assumption::Kind kind);

/// The field of the options that gives an answer, as in messages: "`trips L__BB0_2=16`"; empty without such a field.
std::string answer_text(const Assumption& assumption, const std::string& value);

/// "trips L__BB0_2 = 16 at line 40, from csr.cu:7 (a row of 16 elements); `trips L__BB0_2=N` says it".
std::string shown(const Assumption& assumption);
/// The same without the option: where nobody can give it.
std::string described(const Assumption& assumption);

/// Puts an answer into a launch, as if the user had given it. Of opcodes a launch knows nothing.
void answer(Launch& launch, const Assumption& assumption, const std::string& value);

/// Parses "uniform:256" or "rows:16".
/// @return false for any other text
bool parse_values(std::string_view text, ArrayValues& values);

/// Parses "random:4096" or "coalesced:4096".
/// @return false for any other text
bool parse_pattern(std::string_view text, AddressPattern& pattern);

/// Thrown where an import lacks data known to the user alone.
class UnknownData : public InputError {
 public:
  explicit UnknownData(Diagnostic diagnostic) : InputError(std::move(diagnostic)) {}
  UnknownData(std::vector<Diagnostic> diagnostics, std::vector<Assumption> lacking)
      : InputError(std::move(diagnostics)), assumptions(std::move(lacking)) {}

  std::vector<Assumption> assumptions;  ///< all missing inputs, where known
  bool needs_assume = false;  ///< its guesses, given as answers, lead to an error; assuming passes over the error
};

/// The questions of an import without assumptions, each once.
UnknownData questions_of(std::vector<Assumption> assumptions);

}  // namespace warpipe::isa
