#include "chosen_ops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "lexer.hpp"
#include "opcode_table.hpp"
#include "opcodes.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::ptx {
namespace {

/// Opcodes without a mapping, each told once, however often it occurs.
class UnknownOpcodes {
 public:
  void add(const Instruction& instruction) {
    const auto operation = operation_of(instruction);
    const auto same = std::ranges::find(seen_, operation, &Seen::operation);
    if (same != seen_.end())
      ++same->further;
    else
      seen_.push_back({operation, &instruction, 0});
  }

  /// The assumption for each: it takes no time.
  std::vector<isa::Assumption> assumed(const Routine& routine) const {
    std::vector<isa::Assumption> all;
    for (const auto& [operation, first, further] : seen_)
      all.push_back(
          {isa::Assumption::Kind::Opcode,
           operation,
           std::string(kSkip),
           "it is left out",
           {},
           first->line,
           "",
           {at_line(routine.file, first->line), fmt::format("the import does not know \"{}\"", operation),
            fmt::format("found \"{}\"{}", first->name, further > 0 ? fmt::format(", and {} more", further) : ""),
            fmt::format("map it with `unknown {0}:OP`, or leave it out with `unknown {0}:skip`", operation)}});
    return all;
  }

 private:
  struct Seen {
    std::string operation;
    const Instruction* first;
    std::size_t further;
  };

  /// "wmma.mma" of "wmma.mma.sync.aligned...": some opcodes name a family, and the operation follows.
  static std::string operation_of(const Instruction& instruction) {
    static const std::set<std::string, std::less<>> kFamilies{"wmma", "wgmma", "cp", "mbarrier", "tcgen05"};
    const bool family = kFamilies.contains(instruction.opcode()) && instruction.words.size() > 1;
    return family ? instruction.opcode() + "." + instruction.words[1] : instruction.opcode();
  }

  std::vector<Seen> seen_;
};

/// The reason for leaving out an instruction without a question: its warps hardly wait for it, or its time does not
/// belong to the kernel; nothing for all others.
std::optional<std::string_view> reason_to_leave_out(const Instruction& instruction) {
  if (instruction.opcode() == "cp" && instruction.has("prefetch")) return kNoCaches;
  if (instruction.name == "call vprintf") return "what it prints is not counted";
  const auto reason = row_of(instruction).left_out;
  return reason.empty() ? std::nullopt : std::optional(reason);
}

/// The called function without a body in the file; empty for all other instructions. Functions of the driver, malloc
/// and the launches of kernels by kernels, have no body anywhere: they count as unknown opcodes.
std::string_view function_elsewhere(const Instruction& instruction) {
  constexpr std::string_view kCall = "call ";
  static const std::set<std::string, std::less<>> kOfTheDriver{"malloc", "free", "vprintf", "__assertfail"};
  const std::string_view name = instruction.name;
  if (!name.starts_with(kCall)) return {};
  const auto function = name.substr(kCall.size());
  return function.starts_with("cuda") || kOfTheDriver.contains(function) ? std::string_view() : function;
}

/// Calls of functions with bodies in other files, each told once: their work is a part of the kernel, which cannot be
/// assumed away.
class FunctionsElsewhere {
 public:
  /// @return whether an instruction is a call elsewhere
  bool add(const Routine& routine, const Instruction& instruction) {
    const std::string function(function_elsewhere(instruction));
    if (function.empty()) return false;
    if (!seen_.insert(function).second) return true;
    problems_.push_back(
        {at_line(routine.file, instruction.line),
         fmt::format("the kernel calls \"{}\", which has no body in the file", isa::demangled(function)), "",
         "compile the files together, as one that includes the others, or leave it out with "
         "`unknown call:skip`"});
    return true;
  }

  void require_none() {
    if (!problems_.empty()) throw InputError(std::move(problems_));
  }

 private:
  std::set<std::string> seen_;
  std::vector<Diagnostic> problems_;
};

/// The ops given by the user for unknown opcodes, each with a mark once used.
class GivenOps {
 public:
  explicit GivenOps(const LoweringOptions& options) : given_(options.unknown) {}

  /// By the longest given start of the instruction's name: "wmma.mma" before "wmma" before all.
  const std::string* find_by_name(const Instruction& instruction) {
    auto name = instruction.name;
    while (true) {
      if (const auto* op = use(name)) return op;
      const auto dot = name.rfind('.');
      if (dot == std::string::npos) break;
      name.resize(dot);
    }
    return use(instruction.opcode());
  }

  /// Likewise, or the op for all.
  const std::string* find(const Instruction& instruction) {
    const auto* op = find_by_name(instruction);
    return op == nullptr ? use(kEveryClass) : op;
  }

  void require_all_used(const Routine& routine) const {
    for (const auto& [name, op] : given_)
      if (name != kEveryClass && !used_.contains(name))
        throw UsageError(Diagnostic{fmt::format("`unknown {}:{}`", name, op),
                                    fmt::format("\"{}\" has no unknown opcode \"{}\"", routine.name, name), "",
                                    "leave it out"});
  }

 private:
  const std::string* use(std::string_view name) {
    const auto found = given_.find(name);
    if (found == given_.end()) return nullptr;
    used_.emplace(name);
    return &found->second;
  }

  const std::map<std::string, std::string, std::less<>>& given_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace

std::vector<std::vector<std::string>> choose_ops(const Routine& routine, const LoweringOptions& options,
                                                 Lowered& lowered) {
  std::vector<std::vector<std::string>> chosen;
  UnknownOpcodes unknown;
  FunctionsElsewhere elsewhere;
  GivenOps given(options);
  const auto skip = [&](const Instruction& instruction, std::string_view why) {
    lowered.skipped.push_back({static_cast<std::uint32_t>(chosen.size() - 1), instruction.name, instruction.line, why});
  };
  for (const auto& instruction : routine.instructions) {
    auto& ops = chosen.emplace_back();
    const auto reason = reason_to_leave_out(instruction);
    const bool known_well = !reason && instruction.opcode() != "call" && !reaches_texture(instruction);
    const auto* op = known_well ? nullptr : given.find_by_name(instruction);
    if (op == nullptr && reason) {
      skip(instruction, *reason);
      continue;
    }
    if (auto known = ops_of(instruction); op == nullptr && known) {
      ops = std::move(*known);
      continue;
    }
    if (op == nullptr) op = given.find(instruction);
    if (op == nullptr && elsewhere.add(routine, instruction)) continue;
    if (op == nullptr) unknown.add(instruction);
    if (op == nullptr || *op == kSkip)
      skip(instruction, "");
    else
      ops = {*op};
  }
  elsewhere.require_none();
  lowered.assumed = unknown.assumed(routine);
  if (!options.assume && !lowered.assumed.empty()) throw isa::questions_of(std::move(lowered.assumed));
  given.require_all_used(routine);
  return chosen;
}

}  // namespace warpipe::ptx
