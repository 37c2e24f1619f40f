#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "function_pointers.hpp"
#include "lexer.hpp"
#include "routine.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/ptx/entries.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostInlined = 1'000'000;

class Inliner {
 public:
  explicit Inliner(const Module& module) : module_(module), bodies_(bodies_of(module)), pointers_(module, bodies_) {}

  Routine run(const Function& entry) {
    routine_.name = entry.name;
    routine_.file = module_.file;
    routine_.architecture = capability(module_.target);
    routine_.parameters = entry.parameters;
    routine_.variables = module_.variables;
    routine_.sources = module_.sources;
    expand(entry, {});
    for (const auto& [instruction, position] : returns_) routine_.targets[instruction] = {position};
    for (auto& variable : routine_.variables) pointers_.fill_in(variable);
    keep_carries();
    return std::move(routine_);
  }

 private:
  /// Parameters of an inner function and their arguments: variables of the caller, by their unique names.
  using Bindings = std::map<std::string, std::string, std::less<>>;

  [[noreturn]] void fail(std::uint32_t line, std::string rule, std::string found, std::string advice = {}) const {
    throw InputError(Diagnostic{at_line(module_.file, line), std::move(rule), std::move(found), std::move(advice)});
  }

  std::uint32_t position() const { return static_cast<std::uint32_t>(routine_.instructions.size()); }

  void emit(Instruction instruction, std::vector<std::uint32_t> targets = {}) {
    if (routine_.instructions.size() >= kMostInlined)
      fail(instruction.line, "a kernel has at most 10^6 instructions with its calls inlined", "found more");
    routine_.instructions.push_back(std::move(instruction));
    routine_.targets.push_back(std::move(targets));
  }

  /// The body of a function, once for each call.
  void expand(const Function& function, Bindings bindings) {
    if (!function.problems.empty()) throw InputError(function.problems);
    stack_.push_back(function.name);
    const auto suffix = stack_.size() == 1 ? std::string() : fmt::format("@call{}", routine_.calls);
    const auto first_register = static_cast<std::uint32_t>(routine_.registers.size());
    for (const auto& made : function.registers) routine_.registers.push_back({made.name + suffix, made.type});
    for (auto variable : function.variables) {
      const auto unique = variable.name + suffix;
      bindings.emplace(variable.name, unique);
      variable.name = unique;
      routine_.variables.push_back(std::move(variable));
    }
    const Instance instance{function, std::move(bindings), suffix, first_register};
    std::vector<std::uint32_t> positions;
    std::vector<std::uint32_t> branches, returns;
    for (const auto& instruction : function.instructions) {
      positions.push_back(position());
      if (instruction.opcode() == "bra" || instruction.opcode() == "brx") branches.push_back(position());
      if (instruction.opcode() == "ret" && stack_.size() > 1) returns.push_back(position());
      expand_instruction(instance, instruction);
    }
    positions.push_back(position());
    for (const auto branch : branches) resolve(instance, branch, positions);
    for (const auto leaving : returns) returns_.emplace_back(leaving, position());
    for (const auto& [name, index] : function.labels) routine_.labels.emplace(positions[index], name + suffix);
    stack_.pop_back();
  }

  /// Makes a carry an operand like others: a register for the flag.
  void keep_carries() {
    const auto carries = [](const Instruction& one) { return writes_carry(one) || reads_carry(one); };
    if (std::ranges::none_of(routine_.instructions, carries)) return;
    const auto first = static_cast<std::uint32_t>(routine_.registers.size());
    routine_.carries = {first, first + 1, first + 2};
    const Type truth{Type::Kind::Predicate, 1};
    routine_.registers.push_back({"CC.CF", truth});
    routine_.registers.push_back({"CC.CF'", truth});
    routine_.registers.push_back({"product", {Type::Kind::Bits, 64}});
    for (auto& instruction : routine_.instructions) {
      if (writes_carry(instruction)) instruction.carry_out = first;
      if (reads_carry(instruction)) instruction.carry_in = first;
    }
  }

  struct Instance {
    const Function& function;
    Bindings bindings;
    std::string suffix;
    std::uint32_t first_register;
  };

  void resolve(const Instance& instance, std::uint32_t branch, const std::vector<std::uint32_t>& positions) {
    const auto& instruction = routine_.instructions[branch];
    const auto place = [&](const std::string& label) {
      return positions[instance.function.labels.find(label)->second];
    };
    auto& targets = routine_.targets[branch];
    if (instruction.opcode() == "bra") {
      targets = {place(instruction.operands[0].name)};
      return;
    }
    for (const auto& label : instance.function.branch_tables.find(instruction.operands[1].name)->second)
      targets.push_back(place(label));
  }

  Operand renamed(const Instance& instance, Operand operand) const {
    operand.reg += instance.first_register;
    for (auto& part : operand.parts) part = renamed(instance, part);
    const bool names = operand.kind == Operand::Kind::Symbol || operand.kind == Operand::Kind::Address;
    if (const auto bound = instance.bindings.find(operand.name); names && bound != instance.bindings.end())
      operand.name = bound->second;
    else if (operand.kind == Operand::Kind::Symbol)
      put_address(operand);
    return operand;
  }

  /// The name of a function becomes its address.
  void put_address(Operand& operand) const {
    const auto address = pointers_.address_of(operand.name);
    if (!address) return;
    operand.kind = Operand::Kind::Immediate;
    operand.bits = *address;
  }

  void expand_instruction(const Instance& instance, Instruction instruction) {
    const auto& opcode = instruction.opcode();
    if (opcode == "call") return call(instance, instruction);
    if (touches_memory(instruction) && instruction.operands.size() < 2)
      fail(instruction.line, "an access to memory has an address and a value",
           fmt::format("found \"{}\" with {} operands", instruction.name, instruction.operands.size()));
    const bool is_branch = opcode == "bra" || opcode == "brx";
    if (!is_branch)
      for (auto& operand : instruction.operands) operand = renamed(instance, operand);
    if (is_branch && opcode == "brx") instruction.operands[0] = renamed(instance, instruction.operands[0]);
    if (instruction.guard) instruction.guard = renamed(instance, *instruction.guard);
    if (opcode == "ret" && stack_.size() > 1) {
      instruction.name = "bra.uni";
      instruction.words = {"bra", "uni"};
      return emit(std::move(instruction));
    }
    if ((opcode == "ld" || opcode == "st") && instruction.space() == StateSpace::Parameter &&
        is_inner_parameter(instruction))
      return copy_parameter(instruction);
    if (opcode == "ld" && instruction.space() == StateSpace::Parameter && instruction.vector_length() > 1)
      return load_parts(instruction);
    emit(std::move(instruction));
  }

  bool is_inner_parameter(const Instruction& instruction) const {
    const auto& address = instruction.operands.at(instruction.opcode() == "ld" ? 1 : 0);
    if (address.kind != Operand::Kind::Address || address.has_register) return false;
    return std::ranges::none_of(routine_.parameters, [&](const Variable& of) { return of.name == address.name; });
  }

  /// Splits a load of several parts of a parameter into a load of each.
  void load_parts(const Instruction& load) {
    const auto parts = load.operands.front().parts;
    auto part = load;
    part.words = {"ld", "param", to_string(load.type())};
    part.name = "ld.param." + to_string(load.type());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      part.operands.front() = parts[i];
      part.operands.back() = load.operands.back();
      part.operands.back().offset += static_cast<std::int64_t>(i) * load.type().bits / 8;
      if (parts[i].kind == Operand::Kind::Register) emit(part);
    }
  }

  /// `ld.param` and `st.param` around calls become copies: each place of a parameter is a register.
  void copy_parameter(const Instruction& access) {
    const bool load = access.opcode() == "ld";
    const auto& address = access.operands[load ? 1 : 0];
    const auto& value = access.operands.at(load ? 0 : 1);
    const std::vector<Operand> parts = value.kind == Operand::Kind::Vector ? value.parts : std::vector{value};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Operand slot;
      slot.kind = Operand::Kind::Register;
      slot.reg =
          slot_of(address.name, address.offset + static_cast<std::int64_t>(i) * access.type().bits / 8, access.type());
      Instruction copy = access;
      copy.name = "mov." + to_string(access.type());
      copy.words = {"mov", to_string(access.type())};
      copy.types = {access.type()};
      copy.operands = load ? std::vector{parts[i], slot} : std::vector{slot, parts[i]};
      emit(std::move(copy));
    }
  }

  std::uint32_t slot_of(const std::string& variable, std::int64_t offset, Type type) {
    const auto name = fmt::format("{}+{}", variable, offset);
    const auto [place, is_new] = slots_.emplace(name, static_cast<std::uint32_t>(routine_.registers.size()));
    if (is_new) routine_.registers.push_back({name, type});
    return place->second;
  }

  void call(const Instance& instance, const Instruction& instruction) {
    std::vector<Operand> returns, arguments;
    std::size_t at = 0;
    const auto& operands = instruction.operands;
    if (at < operands.size() && operands[at].kind == Operand::Kind::Vector) returns = operands[at++].parts;
    if (at >= operands.size()) fail(instruction.line, "a call names its function or a register", "found neither");
    const auto& called = operands[at++];
    if (at < operands.size() && operands[at].kind == Operand::Kind::Vector) arguments = operands[at].parts;
    const bool is_named = called.kind == Operand::Kind::Symbol;
    const Function* callee = is_named ? body_of(called.name) : nullptr;
    if (is_named && callee == nullptr) return keep_call(instance, instruction, called.name, arguments);
    std::optional<std::uint32_t> skipping;
    if (instruction.guard) {
      skipping = position();
      emit(skip_of(instance, instruction));
    }
    const Call call{instance, instruction, std::move(returns), std::move(arguments)};
    is_named ? inline_body(call, *callee, called.name) : call_through(call, called);
    if (skipping) returns_.emplace_back(*skipping, position());
  }

  struct Call {
    const Instance& instance;
    const Instruction& instruction;
    std::vector<Operand> returns, arguments;
  };

  /// The branch around a call where its guard does not hold.
  Instruction skip_of(const Instance& instance, const Instruction& call) const {
    Instruction skip = call;
    skip.name = "bra";
    skip.words = {"bra"};
    skip.operands.clear();
    skip.guard = renamed(instance, *call.guard);
    skip.guard->negated = !skip.guard->negated;
    return skip;
  }

  /// Makes a call through a register a jump through the table of its possible functions, each put into place.
  void call_through(const Call& call, const Operand& reg) {
    const auto& callees = pointers_.with({bytes_of(call, call.returns), bytes_of(call, call.arguments)});
    if (callees.empty())
      fail(call.instruction.line, "a call through a register reaches a function of the module",
           "found none with its parameters of which the address is taken",
           "compile the functions into the same file, without -rdc=true");
    const auto jump = position();
    Instruction made = call.instruction;
    made.name = "brx.call";
    made.words = {"brx", "call"};
    made.operands = {renamed(call.instance, reg)};
    made.guard.reset();
    emit(made);
    made.name = "bra.uni.ret";
    made.words = {"bra", "uni", "ret"};
    made.operands.clear();
    std::vector<std::uint32_t> starts, ends;
    for (const auto* callee : callees) {
      starts.push_back(position());
      inline_body(call, *callee, callee->name);
      ends.push_back(position());
      emit(made);
    }
    routine_.targets[jump] = std::move(starts);
    for (const auto end : ends) returns_.emplace_back(end, position());
  }

  /// The sizes of the variables handed over by a call.
  std::vector<std::int64_t> bytes_of(const Call& call, const std::vector<Operand>& operands) const {
    std::vector<std::int64_t> bytes;
    const auto& function = call.instance.function;
    for (const auto& operand : operands)
      for (const auto* variables : {&function.variables, &function.parameters, &function.returns})
        for (const auto& variable : *variables)
          if (variable.name == operand.name) bytes.push_back(variable.bytes());
    return bytes;
  }

  const Function* body_of(std::string_view name) const {
    const auto alias = module_.aliases.find(name);
    const auto body = bodies_.find(alias == module_.aliases.end() ? name : std::string_view(alias->second));
    return body == bodies_.end() ? nullptr : body->second;
  }

  /// Keeps a call of a function elsewhere, such as vprintf, as an instruction with an unknown opcode. Its operands are
  /// the names of the variables given to it.
  void keep_call(const Instance& instance, Instruction instruction, const std::string& function,
                 const std::vector<Operand>& arguments) {
    instruction.name = "call " + function;
    instruction.words = {"call"};
    instruction.operands.clear();
    for (const auto& argument : arguments) instruction.operands.push_back(renamed(instance, argument));
    if (instruction.guard) instruction.guard = renamed(instance, *instruction.guard);
    emit(std::move(instruction));
  }

  /// @param name  used in the call: the function's own, or an alias
  void inline_body(const Call& call, const Function& callee, const std::string& name) {
    const auto line = call.instruction.line;
    if (std::ranges::find(stack_, callee.name) != stack_.end())
      fail(line, "functions do not call themselves", fmt::format("found recursion of \"{}\"", name),
           "rewrite it as a loop");
    if (call.returns.size() != callee.returns.size() || call.arguments.size() != callee.parameters.size())
      fail(line, "a call has the parameters of its function", fmt::format("found others for \"{}\"", name));
    ++routine_.calls;
    Bindings bindings;
    const auto bind = [&](const std::vector<Variable>& formal, const std::vector<Operand>& actual) {
      for (std::size_t i = 0; i < formal.size(); ++i) {
        const auto operand = renamed(call.instance, actual[i]);
        if (formal[i].space != StateSpace::Parameter || operand.kind != Operand::Kind::Symbol)
          fail(line, "functions are called with variables of the space .param", "found another operand");
        bindings[formal[i].name] = operand.name;
      }
    };
    bind(callee.returns, call.returns);
    bind(callee.parameters, call.arguments);
    const auto first = position();
    expand(callee, std::move(bindings));
    if (first < position()) routine_.instructions[first].rare = isa::serves_rare_numbers(callee.name);
  }

  const Module& module_;
  FunctionBodies bodies_;
  FunctionPointers pointers_;
  Routine routine_;
  std::vector<std::string> stack_;
  std::map<std::string, std::uint32_t, std::less<>> slots_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> returns_;  ///< jumps to the end of an inlined body
};

}  // namespace

Routine inline_calls(const Module& module, std::string_view entry) {
  return Inliner(module).run(find_entry(module, entry));
}

}  // namespace warpipe::ptx
