#include "function_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostInstructions = 1'000'000;  // of a module
constexpr std::size_t kDeepestScope = 64;
constexpr int kDeepestOperand = 4;
constexpr std::int64_t kMostRegisters = 1'000'000;

std::vector<std::string> split(std::string_view name) {
  std::vector<std::string> words;
  while (true) {
    const auto dot = name.find('.');
    words.emplace_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return words;
    name.remove_prefix(dot + 1);
  }
}

bool is_special(std::string_view name) {
  static constexpr std::string_view kSpecial[] = {"%tid",
                                                  "%ntid",
                                                  "%ctaid",
                                                  "%nctaid",
                                                  "%laneid",
                                                  "%warpid",
                                                  "%nwarpid",
                                                  "%smid",
                                                  "%nsmid",
                                                  "%gridid",
                                                  "%clock",
                                                  "%globaltimer",
                                                  "%lanemask",
                                                  "%pm",
                                                  "%envreg",
                                                  "%dynamic_smem_size",
                                                  "%total_smem_size",
                                                  "%aggr_smem_size",
                                                  "%cluster",
                                                  "%nclusterid",
                                                  "%clusterid",
                                                  "%is_explicit_cluster",
                                                  "%reserved_smem",
                                                  "%current_graph_exec"};
  return std::ranges::any_of(kSpecial, [&](std::string_view start) { return name.starts_with(start); }) ||
         name == "WARP_SZ";
}

}  // namespace

void FunctionParser::parse() {
  scopes_.emplace_back();
  while (!scopes_.empty()) statement();
  resolve_labels();
}

void FunctionParser::statement() {
  if (tokens_.accept('{')) {
    if (scopes_.size() >= kDeepestScope) tokens_.fail(fmt::format("scopes are nested at most {} deep", kDeepestScope));
    scopes_.push_back({fmt::format("@{}", ++scopes_opened_), {}, {}});
    return;
  }
  if (tokens_.accept('}')) {
    scopes_.pop_back();
    return;
  }
  if (tokens_.accept(';')) return;
  if (tokens_.peek().is('@')) {
    auto predicate = guard();
    const Token opcode = tokens_.take();
    if (opcode.kind != Token::Kind::Word) tokens_.fail_at(opcode.line, "an instruction stands behind a guard", "");
    instruction(opcode, std::move(predicate));
    return;
  }
  if (tokens_.peek().kind != Token::Kind::Word) tokens_.fail("a statement of a function stands here");
  const Token first = tokens_.take();
  if (first.text.starts_with('.')) {
    directive(first);
  } else if (tokens_.accept(':')) {
    label(first);
  } else {
    instruction(first, std::nullopt);
  }
}

void FunctionParser::directive(const Token& token) {
  if (token.text == ".reg") {
    declare_registers();
  } else if (token.text == ".loc") {
    location();
  } else if (token.text == ".pragma") {
    tokens_.text("a pragma");
    while (tokens_.accept(',')) tokens_.text("a pragma");
    tokens_.expect(';');
  } else if (const auto space = space_of_directive(token.text)) {
    declare_variables(*space);
  } else {
    tokens_.fail_at(token.line, "a directive of a function is .reg, .loc, .pragma or a variable",
                    fmt::format("found \"{}\"", token.text));
  }
}

void FunctionParser::declare_registers() {
  const Token word = tokens_.take();
  const auto type = word.text.starts_with('.') ? parse_type(word.text.substr(1)) : std::nullopt;
  if (!type)
    tokens_.fail_at(word.line, "a register has a type of one element", fmt::format("found \"{}\"", word.text),
                    "vectors are written in braces");
  do {
    const std::string name(tokens_.word("the name of a register"));
    Declared declared{*type, -1};
    if (tokens_.accept('<')) {
      declared.count = tokens_.whole("a number of registers");
      if (declared.count < 0 || declared.count > kMostRegisters)
        tokens_.fail(fmt::format("a function has at most {} registers", kMostRegisters));
      tokens_.expect('>');
    }
    scopes_.back().registers[name] = declared;
  } while (tokens_.accept(','));
  tokens_.expect(';');
}

void FunctionParser::declare_variables(StateSpace space) {
  for (auto& variable : VariableParser(tokens_).parse(space)) {
    const auto flat = variable.name + scopes_.back().suffix;
    scopes_.back().variables[variable.name] = flat;
    variable.name = flat;
    function_.variables.push_back(std::move(variable));
  }
  tokens_.expect(';');
}

void FunctionParser::location() {
  source_.file = static_cast<std::uint32_t>(tokens_.whole("the number of a file"));
  const auto line = static_cast<std::uint32_t>(tokens_.whole("a line"));
  if (line != 0) source_.line = line;  // line 0: the compiler does not say; what came before is nearer
  tokens_.whole("a column");
  while (tokens_.accept(',')) {
    const auto word = tokens_.word("function_name or inlined_at");
    if (word == "inlined_at") {
      // Of code from another file, such as a header of CUDA's, the line that it was put into says more.
      const auto outer_file = static_cast<std::uint32_t>(tokens_.whole("the number of a file"));
      const auto outer_line = static_cast<std::uint32_t>(tokens_.whole("a line"));
      if (outer_file != source_.file) source_ = {outer_file, outer_line};
      tokens_.whole("a column");
    } else {
      tokens_.word("the label of a name");
      if (tokens_.accept('+')) tokens_.whole("an offset");
    }
  }
}

void FunctionParser::label(const Token& name) {
  const std::string text(name.text);
  if (tokens_.accept(".branchtargets")) return branch_targets(text);
  if (tokens_.peek().is(".callprototype") || tokens_.peek().is(".calltargets")) {
    while (!tokens_.accept(';'))
      if (tokens_.take().kind == Token::Kind::End) tokens_.fail("a \";\" stands here");
    return;
  }
  if (!function_.labels.emplace(text, function_.instructions.size()).second)
    tokens_.fail_at(name.line, "labels are unique in a function", fmt::format("found \"{}\" again", text));
}

void FunctionParser::branch_targets(const std::string& name) {
  auto& targets = function_.branch_tables[name];
  do {
    targets.emplace_back(tokens_.word("a label"));
    if (targets.size() > kMostInstructions) tokens_.fail("a table of targets has at most 10^6 labels");
  } while (tokens_.accept(','));
  tokens_.expect(';');
}

std::optional<Operand> FunctionParser::guard() {
  tokens_.expect('@');
  const bool negated = tokens_.accept('!');
  const Token token = tokens_.take();
  const auto reg = token.kind == Token::Kind::Word ? find_register(token.text) : std::nullopt;
  if (!reg || function_.registers[*reg].type.kind != Type::Kind::Predicate)
    tokens_.fail_at(token.line, "a guard is a predicate register", fmt::format("found \"{}\"", token.text));
  Operand operand;
  operand.kind = Operand::Kind::Register;
  operand.reg = *reg;
  operand.negated = negated;
  return operand;
}

void FunctionParser::instruction(Token opcode, std::optional<Operand> predicate) {
  if (++instructions_ > kMostInstructions)
    tokens_.fail_at(opcode.line, "a module has at most 10^6 instructions", "found more", "import one kernel's module");
  Instruction made;
  made.name = opcode.text;
  made.words = split(opcode.text);
  made.line = opcode.line;
  made.source = source_;
  made.guard = std::move(predicate);
  for (std::size_t i = 1; i < made.words.size(); ++i)
    if (const auto type = parse_type(made.words[i])) made.types.push_back(*type);
  while (!tokens_.accept(';')) {
    if (!made.operands.empty()) tokens_.expect(',');
    made.operands.push_back(operand(0));
    if (made.operands.size() > 64) tokens_.fail("an instruction has at most 64 operands");
  }
  function_.instructions.push_back(std::move(made));
}

Operand FunctionParser::operand(int depth) {
  if (depth > kDeepestOperand) tokens_.fail("operands are nested at most 4 deep");
  if (tokens_.accept('{')) return list('}', depth + 1);
  if (tokens_.accept('(')) return list(')', depth + 1);
  if (tokens_.accept('[')) return address();
  Operand first = simple_operand();
  if (!tokens_.accept('|')) return first;
  Operand pair;
  pair.kind = Operand::Kind::Vector;
  pair.parts = {std::move(first), simple_operand()};
  return pair;
}

Operand FunctionParser::list(char end, int depth) {
  Operand vector;
  vector.kind = Operand::Kind::Vector;
  while (!tokens_.accept(end)) {
    if (!vector.parts.empty()) tokens_.expect(',');
    vector.parts.push_back(operand(depth));
    if (vector.parts.size() > 256) tokens_.fail("a list has at most 256 operands");
  }
  return vector;
}

Operand FunctionParser::address() {
  Operand address;
  address.kind = Operand::Kind::Address;
  if (tokens_.peek().kind == Token::Kind::Word) {
    const Operand base = name(tokens_.take());
    address.has_register = base.kind == Operand::Kind::Register;
    address.reg = base.reg;
    address.name = base.name;
    if (tokens_.accept('+') || tokens_.peek().is('-')) address.offset = tokens_.whole("an offset");
  } else {
    address.offset = tokens_.whole("an address");
  }
  // Coordinates of a texture follow: kept as parts.
  while (tokens_.accept(',')) address.parts.push_back(operand(kDeepestOperand));
  tokens_.expect(']');
  return address;
}

Operand FunctionParser::simple_operand() {
  const bool negated = tokens_.accept('!');
  const bool negative = tokens_.accept('-');
  const Token token = tokens_.take();
  if (token.kind == Token::Kind::Number) return parse_literal(tokens_, token, negative);
  if (token.kind != Token::Kind::Word)
    tokens_.fail_at(
        token.line, "an operand is a register, a number, a name or an address",
        token.kind == Token::Kind::End ? "found the end of the file" : fmt::format("found \"{}\"", token.text));
  Operand operand = name(token);
  operand.negated = negated;
  // A symbol plus an offset.
  if (operand.kind == Operand::Kind::Symbol && tokens_.accept('+')) operand.offset = tokens_.whole("an offset");
  return operand;
}

Operand FunctionParser::name(const Token& token) {
  Operand operand;
  const std::string text(token.text);
  if (text == "_") return operand;
  if (const auto reg = find_register(text)) {
    operand.kind = Operand::Kind::Register;
    operand.reg = *reg;
    return operand;
  }
  operand.name = text;
  if (is_special(text)) {
    operand.kind = Operand::Kind::Special;
    return operand;
  }
  if (text.starts_with('%'))
    tokens_.fail_at(token.line, "a register is declared before it is used", fmt::format("found \"{}\"", text),
                    "declare it with .reg");
  operand.kind = Operand::Kind::Symbol;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->variables.find(text); found != scope->variables.end()) {
      operand.name = found->second;
      break;
    }
  return operand;
}

std::optional<std::uint32_t> FunctionParser::find_register(std::string_view name) {
  const auto digits = name.find_last_not_of("0123456789") + 1;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->registers.find(name); found != scope->registers.end() && found->second.count < 0)
      return intern(std::string(name) + scope->suffix, found->second.type);
    // %r<100> declares %r0 to %r99; the name before the number may end in digits itself.
    for (std::size_t cut = digits; cut < name.size(); ++cut) {
      const auto range = scope->registers.find(name.substr(0, cut));
      if (range == scope->registers.end() || range->second.count < 0) continue;
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(name.data() + cut, name.data() + name.size(), number);
      if (error == std::errc{} && number < range->second.count)
        return intern(std::string(name) + scope->suffix, range->second.type);
    }
  }
  // The parameters of a function may be registers.
  for (const auto* list : {&function_.parameters, &function_.returns})
    for (const auto& parameter : *list)
      if (parameter.space == StateSpace::Generic && parameter.name == name)
        return intern(parameter.name, parameter.type);
  return std::nullopt;
}

std::uint32_t FunctionParser::intern(const std::string& name, Type type) {
  const auto [place, is_new] = interned_.emplace(name, static_cast<std::uint32_t>(function_.registers.size()));
  if (is_new) function_.registers.push_back({name, type});
  return place->second;
}

void FunctionParser::resolve_labels() {
  std::vector<std::string> names;
  for (const auto& [name, index] : function_.labels) names.push_back(name);
  const auto check = [&](const std::string& name, std::uint32_t line) {
    if (function_.labels.contains(name)) return;
    tokens_.fail_at(line, "a branch goes to a label of its function", fmt::format("found \"{}\"", name),
                    suggest(name, names));
  };
  for (const auto& made : function_.instructions) {
    if (made.opcode() == "bra") {
      if (made.operands.size() != 1 || made.operands[0].kind != Operand::Kind::Symbol)
        tokens_.fail_at(made.line, "bra has one label", fmt::format("found {} operands", made.operands.size()));
      check(made.operands[0].name, made.line);
    }
    if (made.opcode() == "brx") {
      const auto* table = made.operands.size() == 2 ? &made.operands[1].name : nullptr;
      const auto found = table ? function_.branch_tables.find(*table) : function_.branch_tables.end();
      if (found == function_.branch_tables.end())
        tokens_.fail_at(made.line, "brx.idx has an index and the name of a table of .branchtargets", "");
      for (const auto& target : found->second) check(target, made.line);
    }
  }
}

}  // namespace warpipe::ptx
