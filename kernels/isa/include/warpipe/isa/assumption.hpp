#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// Something that an import has to be told and was not, and what is assumed in its place.
struct Assumption {
  enum class Kind { Block, Grid, SharedMemory, Opcode, Argument, Trips, Taken, Array, Address, Table };
  Kind kind = Kind::Taken;
  std::string name;   ///< as the option names it: "n", "L__BB0_2", "57"; empty of a block, a grid and shared memory
  std::string value;  ///< as the option takes it: "1024", "0.5", "random:4194304"
  std::string why;    ///< the rule that gave the value: "a row of 16 elements"
  std::vector<std::string> others;  ///< values that show how much it matters; may be empty
  std::uint32_t line = 0;           ///< in the program's file, where it is needed first; 0: everywhere
  std::string source;               ///< "saxpy.cu:9"; empty where it is not known
  Diagnostic question;              ///< what is said where nothing may be assumed
};

/// "branch", "trips".
std::string_view to_string(Assumption::Kind kind);

/// What an option of the kind takes: "N", "SHARE".
std::string_view form_of(Assumption::Kind kind);

/// The field of the options that gives an answer, as in messages: "`trips L__BB0_2=16`"; empty where there is none.
std::string answer_text(const Assumption& assumption, const std::string& value);

/// "trips L__BB0_2 = 16 at line 40, from csr.cu:7 (a row of 16 elements); `trips L__BB0_2=N` says it".
std::string shown(const Assumption& assumption);

/// Puts an answer into a launch, as if the user had given it. Of opcodes a launch knows nothing.
void answer(Launch& launch, const Assumption& assumption, const std::string& value);

/// "uniform:256", "rows:16".
/// @return false for what is neither
bool parse_values(std::string_view text, ArrayValues& values);

/// "random:4096", "coalesced:4096".
/// @return false for what is neither
bool parse_pattern(std::string_view text, AddressPattern& pattern);

/// An import lacks what only the user knows.
class UnknownData : public InputError {
 public:
  explicit UnknownData(Diagnostic diagnostic) : InputError(std::move(diagnostic)) {}
  UnknownData(std::vector<Diagnostic> diagnostics, std::vector<Assumption> lacking)
      : InputError(std::move(diagnostics)), assumptions(std::move(lacking)) {}

  std::vector<Assumption> assumptions;  ///< all that it lacks, where that is known
  bool needs_assume = false;            ///< its guesses, given as answers, lead to an error that assuming passes over
};

/// What is asked where nothing may be assumed, each question once.
UnknownData questions_of(std::vector<Assumption> assumptions);

}  // namespace warpipe::isa
