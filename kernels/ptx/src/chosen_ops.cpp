#include "chosen_ops.hpp"

#include <fmt/format.h>

#include <optional>

#include "lexer.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/ptx/opcodes.hpp"

namespace warpipe::ptx {
namespace {

/// What the user says of an opcode that is not known.
std::optional<std::string> op_given(const LoweringOptions& options, const std::string& opcode) {
  for (const auto& name : {opcode, std::string(kEveryClass)})
    if (const auto given = options.unknown.find(name); given != options.unknown.end()) return given->second;
  return std::nullopt;
}

}  // namespace

std::vector<std::vector<std::string>> choose_ops(const Routine& routine, const LoweringOptions& options,
                                                 std::vector<std::string>& skipped) {
  std::vector<std::vector<std::string>> chosen;
  std::vector<Diagnostic> unknown;
  for (const auto& instruction : routine.instructions) {
    auto& ops = chosen.emplace_back();
    if (auto known = ops_of(instruction)) {
      ops = std::move(*known);
    } else if (const auto given = op_given(options, instruction.opcode()); given && *given != kSkip) {
      ops = {*given};
    } else if (given) {
      skipped.push_back(fmt::format("{} (line {})", instruction.name, instruction.line));
    } else {
      unknown.push_back(
          {at_line(routine.file, instruction.line), "an opcode is one that the import knows",
           fmt::format("found \"{}\"", instruction.name),
           fmt::format("map it with --unknown {0}:OP, or leave it out with --unknown {0}:skip", instruction.opcode())});
    }
  }
  if (!unknown.empty()) throw InputError(std::move(unknown));
  return chosen;
}

}  // namespace warpipe::ptx
