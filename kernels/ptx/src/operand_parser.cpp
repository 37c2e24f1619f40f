// Operands of instructions, and their registers.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "function_parser.hpp"

namespace warpipe::ptx {
namespace {

constexpr int kDeepestOperand = 4;
constexpr std::string_view kElementNames = "xyzw", kColourNames = "rgba";  // of a vector, by either name

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

Operand FunctionParser::operand(int depth) {
  if (depth > kDeepestOperand) tokens_.fail("operands are nested at most 4 deep");
  if (tokens_.accept('{')) return list('}', depth + 1);
  if (tokens_.accept('(')) return list(')', depth + 1);
  if (tokens_.accept('[')) return address(depth + 1);
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

Operand FunctionParser::address(int depth) {
  Operand address;
  address.kind = Operand::Kind::Address;
  if (tokens_.peek().kind == Token::Kind::Word) {
    const Token token = tokens_.take();
    const Operand base = name(token);
    if (base.kind == Operand::Kind::Vector)
      tokens_.fail_at(token.line, "an address has a register of one element",
                      fmt::format("found \"{}\", a vector", token.text));
    address.has_register = base.kind == Operand::Kind::Register;
    address.reg = base.reg;
    address.name = base.name;
    if (tokens_.accept('+') || tokens_.peek().is('-')) address.offset = tokens_.whole("an offset");
  } else {
    address.offset = tokens_.whole("an address");
  }
  // Coordinates of a texture or a tensor follow: kept as parts.
  while (tokens_.accept(',')) address.parts.push_back(operand(depth));
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
  // generic(name): the generic address of a variable.
  const bool generic = token.is("generic") && tokens_.accept('(');
  Operand operand = name(generic ? tokens_.take() : token);
  if (generic) tokens_.expect(')');
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
  if (auto vector = find_vector(text)) return std::move(*vector);
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

FunctionParser::Found FunctionParser::find_declared(std::string_view name) const {
  const auto digits = name.find_last_not_of("0123456789") + 1;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->registers.find(name); found != scope->registers.end() && found->second.count < 0)
      return {&found->second, scope->suffix};
    // %r<100> declares %r0 to %r99; the name before the number may end in digits itself.
    for (std::size_t cut = digits; cut < name.size(); ++cut) {
      const auto range = scope->registers.find(name.substr(0, cut));
      if (range == scope->registers.end() || range->second.count < 0) continue;
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(name.data() + cut, name.data() + name.size(), number);
      if (error == std::errc{} && number < range->second.count) return {&range->second, scope->suffix};
    }
  }
  return {};
}

/// `%r1`, or an element of a vector: `v.x`, or `v.r` for the same.
std::optional<std::uint32_t> FunctionParser::find_register(std::string_view name) {
  if (const auto [declared, suffix] = find_declared(name); declared != nullptr && declared->elements == 1)
    return intern(fmt::format("{}{}", name, suffix), declared->type);
  if (const auto dot = name.find('.'); dot != std::string_view::npos && dot + 2 == name.size()) {
    const auto element = std::min(kElementNames.find(name.back()), kColourNames.find(name.back()));
    const auto [declared, suffix] = find_declared(name.substr(0, dot));
    if (declared != nullptr && element < declared->elements)
      return intern(fmt::format("{}.{}{}", name.substr(0, dot), kElementNames[element], suffix), declared->type);
  }
  // The parameters of a function may be registers.
  for (const auto* list : {&function_.parameters, &function_.returns})
    for (const auto& parameter : *list)
      if (parameter.space == StateSpace::Generic && parameter.name == name)
        return intern(parameter.name, parameter.type);
  return std::nullopt;
}

/// The elements of a vector named as a whole.
std::optional<Operand> FunctionParser::find_vector(std::string_view name) {
  const auto [declared, suffix] = find_declared(name);
  if (declared == nullptr) return std::nullopt;
  Operand vector;
  vector.kind = Operand::Kind::Vector;
  for (std::size_t i = 0; i < declared->elements; ++i) {
    Operand& part = vector.parts.emplace_back();
    part.kind = Operand::Kind::Register;
    part.reg = intern(fmt::format("{}.{}{}", name, kElementNames[i], suffix), declared->type);
  }
  return vector;
}

std::uint32_t FunctionParser::intern(const std::string& name, Type type) {
  const auto [place, is_new] = interned_.emplace(name, static_cast<std::uint32_t>(function_.registers.size()));
  if (is_new) function_.registers.push_back({name, type});
  return place->second;
}

}  // namespace warpipe::ptx
