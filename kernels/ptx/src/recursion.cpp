#include "recursion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "warpipe/idg/error.hpp"

namespace warpipe::ptx {
namespace {

using Kind = Type::Kind;
using Bits = std::vector<std::uint64_t>;

using CallGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

constexpr std::int64_t kCellBytes = 8;
constexpr Type kWord{Kind::Bits, 32}, kTruth{Kind::Predicate, 1};

/// The functions called by a function, by name or by their addresses.
class Reached {
 public:
  Reached(const Module& module, const FunctionBodies& bodies, const FunctionPointers& pointers)
      : module_(module), bodies_(bodies), pointers_(pointers) {}

  std::vector<const Function*> of(const Function& function) const {
    std::vector<const Function*> found;
    for (const auto& instruction : function.instructions) {
      if (instruction.opcode() != "call") continue;
      const auto& operands = instruction.operands;
      const auto is_list = [](const Operand& operand) { return operand.kind == Operand::Kind::Vector; };
      const auto called = std::ranges::find_if_not(operands, is_list);
      if (called == operands.end()) continue;
      if (called->kind != Operand::Kind::Symbol) {
        const auto returns = called == operands.begin() ? std::vector<Operand>() : operands.front().parts;
        const bool has_arguments = called + 1 != operands.end() && is_list(*(called + 1));
        const auto& all =
            pointers_.with({bytes_of(function, returns),
                            bytes_of(function, has_arguments ? (called + 1)->parts : std::vector<Operand>())});
        found.insert(found.end(), all.begin(), all.end());
        continue;
      }
      const auto alias = module_.aliases.find(called->name);
      const auto body = bodies_.find(alias == module_.aliases.end() ? called->name : alias->second);
      if (body != bodies_.end()) found.push_back(body->second);
    }
    return found;
  }

 private:
  const Module& module_;
  const FunctionBodies& bodies_;
  const FunctionPointers& pointers_;
};

Operand of_register(std::uint32_t reg) {
  Operand made;
  made.kind = Operand::Kind::Register;
  made.reg = reg;
  return made;
}

Operand of_number(std::int64_t number) {
  Operand made;
  made.kind = Operand::Kind::Immediate;
  made.bits = static_cast<std::uint64_t>(number);
  return made;
}

Operand at_address(std::uint32_t reg, std::int64_t offset) {
  Operand made;
  made.kind = Operand::Kind::Address;
  made.has_register = true;
  made.reg = reg;
  made.offset = offset;
  return made;
}

Instruction made_of(std::vector<std::string> words, std::vector<Type> types, std::vector<Operand> operands) {
  Instruction made;
  for (const auto& word : words) made.name += (made.name.empty() ? "" : ".") + word;
  made.words = std::move(words);
  made.types = std::move(types);
  made.operands = std::move(operands);
  return made;
}

/// The registers read later, at the start of each instruction; calls within a body return at once.
class ReadLater {
 public:
  explicit ReadLater(const Routine& routine) : words_(routine.registers.size() / 64 + 1) {
    constexpr std::size_t kMostBits = 4'000'000'000;
    const auto count = routine.instructions.size();
    if (count * words_ > kMostBits / 64)
      throw InputError(Diagnostic{
          routine.file, "the instructions of a kernel with recursion times its registers are at most 4 x 10^9",
          "found more", "call fewer functions within the recursion"});
    before_.assign(count + 1, Bits(words_));
    for (bool changes = true; changes;) {
      changes = false;
      for (auto i = static_cast<std::uint32_t>(count); i-- > 0;) {
        auto live = behind(routine, i);
        const auto& instruction = routine.instructions[i];
        if (!instruction.guard)
          for (const auto reg : written_registers(instruction)) live[reg / 64] &= ~(std::uint64_t{1} << (reg % 64));
        for (const auto reg : read_registers(instruction)) live[reg / 64] |= std::uint64_t{1} << (reg % 64);
        if (live == before_[i]) continue;
        before_[i] = std::move(live);
        changes = true;
      }
    }
  }

  bool has(std::uint32_t at, std::uint32_t reg) const { return ((before_[at][reg / 64] >> (reg % 64)) & 1) != 0; }

 private:
  Bits behind(const Routine& routine, std::uint32_t index) const {
    Bits live(words_);
    const auto add = [&](std::uint32_t next) {
      for (std::size_t word = 0; word < words_; ++word) live[word] |= before_[next][word];
    };
    const auto& instruction = routine.instructions[index];
    for (const auto target : routine.targets[index]) add(target);
    const bool goes_on = !is_plain_jump(instruction) && instruction.opcode() != "brx" &&
                         (!leaves(instruction) || instruction.guard.has_value());
    if (goes_on) add(index + 1);
    return live;
  }

  std::size_t words_;
  std::vector<Bits> before_;
};

class RecursiveCalls {
 public:
  RecursiveCalls(Routine& routine, ParameterRegisters& parameters, std::uint32_t stack)
      : routine_(routine), parameters_(parameters), stack_(stack), later_(routine) {
    routine_.registers.push_back({"kept", kWord});
    kept_ = static_cast<std::uint32_t>(routine_.registers.size() - 1);
    known_ = kept_;
  }

  void add(const RecursiveBody& body) {
    std::int64_t number = 0;
    for (const auto& call : body.calls) {
      place_ = routine_.instructions[call.at];
      const auto behind = call.at + 1;
      const auto kept = registers_to_keep(body, call, behind);
      routine_.targets[call.at] = {position()};
      std::int64_t bytes = 0;
      for (const auto reg : kept) keep(reg, kCellBytes * bytes++);
      bytes = (kCellBytes * bytes + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment;
      emit(add_to_address(stack_, stack_, bytes));
      for (std::size_t i = 0; i < call.arguments.size(); ++i) copy_all(body.arguments[i], call.arguments[i]);
      emit(copy_of_register(body.back_to, of_number(++number), kWord));
      emit(made_of({"bra", "uni"}, {}, {}), {body.start});
      routine_.targets[body.end].push_back(position());
      emit(add_to_address(stack_, stack_, -bytes));
      for (std::size_t i = 0; i < call.returns.size(); ++i) copy_all(call.returns[i], body.returns[i]);
      bytes = 0;
      for (const auto reg : kept) restore(reg, kCellBytes * bytes++);
      emit(made_of({"bra", "uni"}, {}, {}), {behind});
    }
  }

 private:
  std::uint32_t position() const { return static_cast<std::uint32_t>(routine_.instructions.size()); }

  void emit(Instruction instruction, std::vector<std::uint32_t> targets = {}) {
    instruction.line = place_.line;
    instruction.source = place_.source;
    routine_.instructions.push_back(std::move(instruction));
    routine_.targets.push_back(std::move(targets));
  }

  /// All places of a variable, by the registers that stand for them.
  std::vector<std::pair<std::string, std::uint32_t>> places_of(const std::string& variable) const {
    std::vector<std::pair<std::string, std::uint32_t>> places;
    const auto start = variable + "+";
    for (auto at = parameters_.lower_bound(start); at != parameters_.end() && at->first.starts_with(start); ++at)
      places.emplace_back(at->first.substr(variable.size()), at->second);
    return places;
  }

  void copy_all(const std::string& to, const std::string& from) {
    for (const auto& [offset, reg] : places_of(from)) {
      const auto type = routine_.registers[reg].type;
      const auto [place, is_new] =
          parameters_.emplace(to + offset, static_cast<std::uint32_t>(routine_.registers.size()));
      if (is_new) routine_.registers.push_back({to + offset, type});
      emit(copy_of_register(place->second, of_register(reg), type));
    }
  }

  std::vector<std::uint32_t> registers_to_keep(const RecursiveBody& body, const RecursiveBody::Call& call,
                                               std::uint32_t behind) const {
    std::set<std::uint32_t> arguments, results;
    for (const auto& name : body.arguments)
      for (const auto& [offset, reg] : places_of(name)) arguments.insert(reg);
    for (const auto& name : call.returns)
      for (const auto& [offset, reg] : places_of(name)) results.insert(reg);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t reg = 0; reg < known_; ++reg)
      if (reg != stack_ && later_.has(behind, reg) && !results.contains(reg) &&
          (reg >= body.first_register || arguments.contains(reg)))
        kept.push_back(reg);
    return kept;
  }

  /// The type to load and store a register of a type: its bits alone.
  Type bits_of(std::uint32_t reg) const {
    const auto type = routine_.registers[reg].type;
    if (type.kind == Kind::Predicate) return kWord;
    if (type.bits > 64)
      throw InputError(Diagnostic{isa::at_line(routine_.file, place_.line),
                                  "registers alive behind a call of a function that calls itself have up to 64 bits",
                                  fmt::format("found {} of {} bits", routine_.registers[reg].name, type.bits),
                                  "rewrite the recursion as a loop"});
    return {Kind::Bits, type.bits};
  }

  void keep(std::uint32_t reg, std::int64_t at) {
    const auto type = bits_of(reg);
    auto from = reg;
    if (routine_.registers[reg].type.kind == Kind::Predicate) {
      emit(made_of({"selp", "b32"}, {kWord}, {of_register(kept_), of_number(1), of_number(0), of_register(reg)}));
      from = kept_;
    }
    emit(made_of({"st", "local", to_string(type)}, {type}, {at_address(stack_, at), of_register(from)}));
  }

  void restore(std::uint32_t reg, std::int64_t at) {
    const auto type = bits_of(reg);
    const bool is_truth = routine_.registers[reg].type.kind == Kind::Predicate;
    const auto to = is_truth ? kept_ : reg;
    emit(made_of({"ld", "local", to_string(type)}, {type}, {of_register(to), at_address(stack_, at)}));
    if (!is_truth) return;
    const Type compared{Kind::Unsigned, 32};
    emit(made_of({"setp", "ne", "u32"}, {compared}, {of_register(reg), of_register(kept_), of_number(0)}));
  }

  Routine& routine_;
  ParameterRegisters& parameters_;
  std::uint32_t stack_, kept_ = 0, known_ = 0;
  ReadLater later_;
  Instruction place_;  ///< the call, for its place in the source
};

}  // namespace

Instruction add_to_address(std::uint32_t to, std::uint32_t from, std::int64_t bytes) {
  return made_of({"add", "s64"}, {{Kind::Signed, 64}}, {of_register(to), of_register(from), of_number(bytes)});
}

Instruction copy_of_register(std::uint32_t to, const Operand& from, Type type) {
  const auto moved = type.kind == Kind::Predicate ? kTruth : type;
  return made_of({"mov", to_string(moved)}, {moved}, {of_register(to), from});
}

std::set<std::string_view> recursive_functions(const Function& entry, const Module& module,
                                               const FunctionBodies& bodies, const FunctionPointers& pointers) {
  const Reached reached(module, bodies, pointers);
  std::vector<const Function*> functions{&entry};
  std::map<const Function*, std::size_t> places{{&entry, 0}};
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  for (std::size_t from = 0; from < functions.size(); ++from)
    for (const auto* called : reached.of(*functions[from])) {
      const auto [place, is_new] = places.try_emplace(called, functions.size());
      if (is_new) functions.push_back(called);
      calls.emplace_back(from, place->second);
    }
  const CallGraph graph(calls.begin(), calls.end(), functions.size());
  std::vector<std::size_t> component(functions.size());
  std::vector<std::size_t> members(boost::strong_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph))));
  for (const auto part : component) ++members[part];
  std::set<std::string_view> recursive;
  for (const auto& [caller, called] : calls)
    if (caller == called || members[component[called]] > 1) recursive.insert(functions[called]->name);
  return recursive;
}

void add_recursive_calls(Routine& routine, const std::vector<RecursiveBody>& bodies, ParameterRegisters& parameters,
                         std::uint32_t stack) {
  RecursiveCalls calls(routine, parameters, stack);
  for (const auto& body : bodies) calls.add(body);
}

}  // namespace warpipe::ptx
