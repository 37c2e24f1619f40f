#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "function_pointers.hpp"
#include "lexer.hpp"
#include "recursion.hpp"
#include "routine.hpp"
#include "warpipe/isa/symbols.hpp"
#include "warpipe/ptx/entries.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostInlined = 1'000'000;
constexpr std::size_t kDeepest = 100;  ///< calls within each other: the reader calls itself, too

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
    recursive_ = recursive_functions(entry, module_, bodies_, pointers_);
    if (!recursive_.empty()) make_stack(entry);
    expand(entry, {});
    for (const auto& [instruction, position] : returns_) routine_.targets[instruction] = {position};
    if (!recursive_.empty()) add_recursive_calls(routine_, bodies_within_, slots_, stack_register_);
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

  static constexpr Type kAddressType{Type::Kind::Bits, 64};

  struct Instance {
    const Function& function;
    Bindings bindings;
    std::string suffix;
    std::uint32_t first_register;
    std::map<std::string, std::int64_t, std::less<>> in_frame;  ///< places of local variables, in bytes
    std::uint32_t frame;                                        ///< the register with the address of the first
  };

  std::uint32_t position() const { return static_cast<std::uint32_t>(routine_.instructions.size()); }

  void emit(Instruction instruction, std::vector<std::uint32_t> targets = {}) {
    if (routine_.instructions.size() >= kMostInlined)
      fail(instruction.line, "a kernel has at most 10^6 instructions with its calls inlined", "found more");
    routine_.instructions.push_back(std::move(instruction));
    routine_.targets.push_back(std::move(targets));
  }

  /// The memory of functions that call themselves, and the register with its first free address.
  void make_stack(const Function& entry) {
    Variable memory;
    memory.name = kRecursionStack;
    memory.space = StateSpace::Local;
    memory.type = {Type::Kind::Bits, 8};
    memory.alignment = kFrameAlignment;
    memory.elements = kRecursionBytes;
    routine_.variables.push_back(std::move(memory));
    stack_register_ = new_register("stack", kAddressType);
    Operand start;
    start.kind = Operand::Kind::Symbol;
    start.name = kRecursionStack;
    auto begins = copy_of_register(stack_register_, start, kAddressType);
    begins.line = entry.line;
    emit(std::move(begins));
  }

  std::uint32_t new_register(std::string name, Type type) {
    routine_.registers.push_back({std::move(name), type});
    return static_cast<std::uint32_t>(routine_.registers.size() - 1);
  }

  /// The local variables of a function within a recursion lie on the stack, once for each call.
  void make_frame(Instance& instance) {
    std::int64_t bytes = 0;
    for (const auto& variable : instance.function.variables) {
      if (variable.space != StateSpace::Local) continue;
      const auto alignment = std::max<std::int64_t>(1, variable.alignment);
      bytes = (bytes + alignment - 1) / alignment * alignment;
      instance.in_frame[variable.name + instance.suffix] = bytes;
      bytes += variable.bytes();
    }
    if (bytes == 0) return;
    instance.frame = new_register("frame" + instance.suffix, kAddressType);
    add_bytes(instance, instance.frame, stack_register_, 0);
    add_bytes(instance, stack_register_, stack_register_,
              (bytes + kFrameAlignment - 1) / kFrameAlignment * kFrameAlignment);
  }

  void add_bytes(const Instance& instance, std::uint32_t to, std::uint32_t from, std::int64_t bytes) {
    auto sum = add_to_address(to, from, bytes);
    sum.line = instance.function.line;
    emit(std::move(sum));
  }

  /// Ends the body of a function within a recursion.
  void leave_frame(const Instance& instance, std::optional<std::size_t> within) {
    if (!instance.in_frame.empty()) add_bytes(instance, stack_register_, instance.frame, 0);
    if (!within) return;
    auto& body = bodies_within_[*within];
    body.end = position();
    Instruction jump;
    jump.name = "brx.idx";
    jump.words = {"brx", "idx"};
    jump.line = instance.function.line;
    auto& back_to = jump.operands.emplace_back();
    back_to.kind = Operand::Kind::Register;
    back_to.reg = body.back_to;
    emit(std::move(jump), {position() + 1});
  }

  /// Notes the start of a body that is jumped to by calls within it.
  std::size_t begin_recursion(const Function& function, const Bindings& bindings, std::uint32_t first_register) {
    RecursiveBody body;
    body.function = function.name;
    body.first_register = first_register;
    body.back_to = new_register(fmt::format("back@call{}", routine_.calls), {Type::Kind::Bits, 32});
    for (const auto& variable : function.returns) body.returns.push_back(bindings.find(variable.name)->second);
    for (const auto& variable : function.parameters) body.arguments.push_back(bindings.find(variable.name)->second);
    auto outside = copy_of_register(body.back_to, number_zero(), {Type::Kind::Bits, 32});
    outside.line = function.line;
    emit(std::move(outside));
    body.start = position();
    bodies_within_.push_back(std::move(body));
    return bodies_within_.size() - 1;
  }

  static Operand number_zero() {
    Operand made;
    made.kind = Operand::Kind::Immediate;
    return made;
  }

  /// The body of a function, once for each call.
  void expand(const Function& function, Bindings bindings) {
    if (!function.problems.empty()) throw InputError(function.problems);
    if (stack_.size() > kDeepest)
      fail(function.line, fmt::format("functions are called at most {} deep", kDeepest), "found more");
    stack_.push_back(function.name);
    const auto suffix = stack_.size() == 1 ? std::string() : fmt::format("@call{}", routine_.calls);
    const auto first_register = static_cast<std::uint32_t>(routine_.registers.size());
    for (const auto& made : function.registers) routine_.registers.push_back({made.name + suffix, made.type});
    std::optional<std::size_t> within;
    if (stack_.size() > 1 && recursive_.contains(function.name))
      within = begin_recursion(function, bindings, first_register);
    if (within) ++recursions_;
    for (auto variable : function.variables) {
      const auto unique = variable.name + suffix;
      bindings.emplace(variable.name, unique);
      variable.name = unique;
      if (recursions_ == 0 || variable.space != StateSpace::Local) routine_.variables.push_back(std::move(variable));
    }
    Instance instance{function, std::move(bindings), suffix, first_register, {}, 0};
    if (recursions_ > 0) make_frame(instance);
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
    if (recursions_ > 0) leave_frame(instance, within);
    if (within) --recursions_;
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
    if (const auto place = instance.in_frame.find(operand.name);
        operand.kind == Operand::Kind::Address && place != instance.in_frame.end()) {
      operand.has_register = true;
      operand.reg = instance.frame;
      operand.offset += place->second;
      operand.name.clear();
    }
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
    if (!instance.in_frame.empty() && opcode == "mov" && instruction.operands.size() == 2 &&
        instruction.operands[1].kind == Operand::Kind::Symbol)
      take_place_in_frame(instance, instruction);
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

  /// mov %rd1, depot: the address of a local variable on the stack.
  void take_place_in_frame(const Instance& instance, Instruction& instruction) const {
    const auto unique = instance.bindings.find(instruction.operands[1].name);
    const auto place =
        unique == instance.bindings.end() ? instance.in_frame.end() : instance.in_frame.find(unique->second);
    if (place == instance.in_frame.end()) return;
    // Registers of the instruction are renamed later, from the first of the instance on.
    auto sum = add_to_address(instruction.operands[0].reg, instance.frame - instance.first_register,
                              place->second + instruction.operands[1].offset);
    instruction.name = sum.name;
    instruction.words = sum.words;
    instruction.types = sum.types;
    instruction.operands = sum.operands;
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
    if (is_named && callee == nullptr) return keep_call(instance, instruction, called.name, returns, arguments);
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
    const auto& callees = pointers_.with(
        {bytes_of(call.instance.function, call.returns), bytes_of(call.instance.function, call.arguments)});
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

  const Function* body_of(std::string_view name) const {
    const auto alias = module_.aliases.find(name);
    const auto body = bodies_.find(alias == module_.aliases.end() ? name : std::string_view(alias->second));
    return body == bodies_.end() ? nullptr : body->second;
  }

  /// Keeps a call of a function elsewhere, such as vprintf, as an instruction with an unknown opcode. Its operands are
  /// the names of the variables given to it; of malloc, the first is the register of the result.
  void keep_call(const Instance& instance, Instruction instruction, const std::string& function,
                 const std::vector<Operand>& returns, const std::vector<Operand>& arguments) {
    instruction.name = "call " + function;
    instruction.words = {"call"};
    instruction.operands.clear();
    if (function == "malloc" && returns.size() == 1) {
      auto& result = instruction.operands.emplace_back();
      result.kind = Operand::Kind::Register;
      result.reg = slot_of(renamed(instance, returns.front()).name, 0, {Type::Kind::Bits, 64});
    }
    for (const auto& argument : arguments) instruction.operands.push_back(renamed(instance, argument));
    if (instruction.guard) instruction.guard = renamed(instance, *instruction.guard);
    emit(std::move(instruction));
  }

  /// @param name  used in the call: the function's own, or an alias
  void inline_body(const Call& call, const Function& callee, const std::string& name) {
    const auto line = call.instruction.line;
    if (call.returns.size() != callee.returns.size() || call.arguments.size() != callee.parameters.size())
      fail(line, "a call has the parameters of its function", fmt::format("found others for \"{}\"", name));
    if (std::ranges::find(stack_, callee.name) != stack_.end()) return call_within(call, callee);
    ++routine_.calls;
    Bindings bindings;
    const auto bind = [&](const std::vector<Variable>& formal, const std::vector<Operand>& actual) {
      for (std::size_t i = 0; i < formal.size(); ++i)
        bindings[formal[i].name] = handed_over(call, formal[i], actual[i]);
    };
    bind(callee.returns, call.returns);
    bind(callee.parameters, call.arguments);
    const auto first = position();
    expand(callee, std::move(bindings));
    if (first < position()) routine_.instructions[first].rare = isa::serves_rare_numbers(callee.name);
  }

  /// The variable of the caller given for a parameter or a result.
  std::string handed_over(const Call& call, const Variable& formal, const Operand& actual) const {
    auto operand = renamed(call.instance, actual);
    if (formal.space != StateSpace::Parameter || operand.kind != Operand::Kind::Symbol)
      fail(call.instruction.line, "functions are called with variables of the space .param", "found another operand");
    return std::move(operand.name);
  }

  /// A call of a function whose body is being put into place: a jump, to be led there when all bodies are.
  void call_within(const Call& call, const Function& callee) {
    const auto body = std::find_if(bodies_within_.rbegin(), bodies_within_.rend(),
                                   [&](const RecursiveBody& one) { return one.function == callee.name; });
    if (body == bodies_within_.rend())
      fail(call.instruction.line, "kernels do not call themselves",
           fmt::format("found recursion of \"{}\"", callee.name));
    RecursiveBody::Call made;
    made.at = position();
    for (std::size_t i = 0; i < call.returns.size(); ++i)
      made.returns.push_back(handed_over(call, callee.returns[i], call.returns[i]));
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      made.arguments.push_back(handed_over(call, callee.parameters[i], call.arguments[i]));
    auto jump = call.instruction;
    jump.name = "bra.uni.call";
    jump.words = {"bra", "uni", "call"};
    jump.operands.clear();
    jump.guard.reset();
    body->calls.push_back(std::move(made));
    emit(std::move(jump), {position() + 1});
  }

  const Module& module_;
  FunctionBodies bodies_;
  FunctionPointers pointers_;
  Routine routine_;
  std::vector<std::string> stack_;
  std::set<std::string_view> recursive_;
  std::vector<RecursiveBody> bodies_within_;
  int recursions_ = 0;  ///< bodies within which the place is
  std::uint32_t stack_register_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> slots_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> returns_;  ///< jumps to the end of an inlined body
};

}  // namespace

Routine inline_calls(const Module& module, std::string_view entry) {
  return Inliner(module).run(find_entry(module, entry));
}

}  // namespace warpipe::ptx
