#include "function_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::ptx {
namespace {

constexpr std::size_t kMostInstructions = 1'000'000;  // of a module
constexpr std::size_t kMostNames = 1'000'000;
constexpr std::size_t kDeepestScope = 64;
constexpr std::int64_t kMostRegisters = 1'000'000;
constexpr std::array<std::string_view, 4> kAxes{".x", ".y", ".z", ".w"};

std::vector<std::string> split(std::string_view name) {
  std::vector<std::string> words;
  while (true) {
    const auto dot = name.find('.');
    words.emplace_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return words;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

void ModuleSize::add_name(const TokenStream& tokens) {
  if (++names > kMostNames) tokens.fail("a module declares at most 10^6 names", "import one kernel's module");
}

void FunctionParser::parse() {
  scopes_.emplace_back();
  while (!scopes_.empty()) statement();
  resolve_labels();
}

void FunctionParser::statement() {
  if (tokens_.accept('{')) {
    if (scopes_.size() >= kDeepestScope) tokens_.fail(fmt::format("scopes are nested at most {} deep", kDeepestScope));
    scopes_.push_back({fmt::format("@{}", ++scopes_opened_), {}, {}, {}, function_.instructions.size()});
    return;
  }
  if (tokens_.accept('}')) {
    close_scope();
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
  if (tokens_.accept(".align")) tokens_.whole("an alignment");
  const std::size_t elements = tokens_.accept(".v2") ? 2 : tokens_.accept(".v4") ? 4 : 1;
  const Token word = tokens_.take();
  const auto type = word.text.starts_with('.') ? parse_type(word.text.substr(1)) : std::nullopt;
  if (!type || (elements > 1 && type->kind == Type::Kind::Predicate))
    tokens_.fail_at(word.line, "a register has a type, before it .v2 or .v4 for a vector of numbers",
                    fmt::format("found \"{}\"", word.text));
  do {
    const std::string name(tokens_.word("the name of a register"));
    Declared declared{*type, -1, elements};
    if (tokens_.accept('<')) {
      declared.count = tokens_.whole("a number of registers");
      if (declared.count < 0 || declared.count > kMostRegisters)
        tokens_.fail(fmt::format("a function has at most {} registers", kMostRegisters));
      tokens_.expect('>');
    }
    size_.add_name(tokens_);
    scopes_.back().registers[name] = declared;
  } while (tokens_.accept(','));
  tokens_.expect(';');
}

void FunctionParser::declare_variables(StateSpace space) {
  for (auto& variable : VariableParser(tokens_).parse(space)) {
    size_.add_name(tokens_);
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
  if (line != 0) source_.line = line;  // line 0: the compiler does not say; the line before is nearer
  tokens_.whole("a column");
  while (tokens_.accept(',')) {
    const auto word = tokens_.word("function_name or inlined_at");
    if (word == "inlined_at") {
      // For code from another file, such as a header of CUDA's, the line of its inlining says more.
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
  size_.add_name(tokens_);
  if (tokens_.accept(".branchtargets")) return branch_targets(text);
  if (tokens_.peek().is(".callprototype") || tokens_.peek().is(".calltargets")) {
    while (!tokens_.accept(';'))
      if (tokens_.take().kind == Token::Kind::End) tokens_.fail("a \";\" stands here");
    return;
  }
  auto flat = text;
  while (function_.labels.contains(flat)) flat += fmt::format("@{}", scopes_opened_);
  if (!scopes_.back().labels.emplace(text, flat).second)
    tokens_.fail_at(name.line, "labels are unique in a scope", fmt::format("found \"{}\" again", text));
  function_.labels.emplace(flat, function_.instructions.size());
}

/// Resolves branches of a scope to its labels, wherever they stand in it; the remaining branches go to labels of outer
/// scopes.
void FunctionParser::close_scope() {
  const Scope& scope = scopes_.back();
  for (auto i = scope.first; i < function_.instructions.size() && !scope.labels.empty(); ++i) {
    auto& made = function_.instructions[i];
    if (made.opcode() != "bra" || made.operands.empty() || placed_.contains(i)) continue;
    const auto found = scope.labels.find(made.operands.front().name);
    if (found == scope.labels.end()) continue;
    made.operands.front().name = found->second;
    placed_.insert(i);
  }
  scopes_.pop_back();
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
  if (++size_.instructions > kMostInstructions)
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
  if (made.opcode() == "mov" && made.vector_length() > 1) return move_elements(made);
  function_.instructions.push_back(std::move(made));
}

/// Splits a move of a vector into a move of each element. Where an element is written before a later move reads it, all
/// are read first.
void FunctionParser::move_elements(const Instruction& move) {
  if (move.operands.size() != 2) tokens_.fail_at(move.line, "a move has two operands", "");
  auto to = elements_of(move.operands[0], move), from = elements_of(move.operands[1], move);
  auto one = move;
  one.words = {"mov", to_string(move.type())};
  one.name = one.words[0] + "." + one.words[1];
  const auto move_all = [&](const std::vector<Operand>& targets, const std::vector<Operand>& sources) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (targets[i].kind != Operand::Kind::Register) continue;
      one.operands = {targets[i], sources[i]};
      function_.instructions.push_back(one);
    }
  };
  const auto is_written = [&](const Operand& source) {
    return source.kind == Operand::Kind::Register && std::ranges::find(to, source.reg, &Operand::reg) != to.end();
  };
  if (std::ranges::any_of(from, is_written)) {
    auto copies = to;
    for (std::size_t i = 0; i < copies.size(); ++i)
      copies[i].reg = intern(fmt::format("@copy{}.{}", i, to_string(move.type())), move.type());
    move_all(copies, from);
    from = std::move(copies);
  }
  move_all(to, from);
}

/// The parts of a vector; of a special register with axes, x, y, z and 0; of a single value, the value each time.
std::vector<Operand> FunctionParser::elements_of(const Operand& operand, const Instruction& move) const {
  const auto length = static_cast<std::size_t>(move.vector_length());
  std::vector<Operand> elements(length, operand);
  if (operand.kind == Operand::Kind::Vector) {
    elements = operand.parts;
  } else if (operand.kind == Operand::Kind::Special && length == kAxes.size()) {
    for (std::size_t i = 0; i < length; ++i) elements[i].name += kAxes[i];
    elements.back() = {};
    elements.back().kind = Operand::Kind::Immediate;
  }
  if (elements.size() != length)
    tokens_.fail_at(move.line, fmt::format("{} moves vectors of {} elements", move.name, length),
                    fmt::format("found one of {}", elements.size()));
  return elements;
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
