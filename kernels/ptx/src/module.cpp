#include "warpipe/ptx/module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warpipe::ptx {

std::optional<Type> parse_type(std::string_view word) {
  using TypeKind = Type::Kind;
  if (word == "pred") return Type{TypeKind::Predicate, 1};
  if (word == "f16x2" || word == "bf16x2") return Type{TypeKind::Float, 32};
  if (word == "bf16") return Type{TypeKind::Float, 16};
  if (word == "tf32") return Type{TypeKind::Float, 32};
  if (word.size() < 2) return std::nullopt;
  static constexpr std::pair<char, TypeKind> kKinds[] = {
      {'s', TypeKind::Signed}, {'u', TypeKind::Unsigned}, {'b', TypeKind::Bits}, {'f', TypeKind::Float}};
  static constexpr std::pair<std::string_view, int> kSizes[] = {
      {"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}, {"128", 128}};
  const auto* kind = std::ranges::find(kKinds, word.front(), &std::pair<char, TypeKind>::first);
  const auto* size = std::ranges::find(kSizes, word.substr(1), &std::pair<std::string_view, int>::first);
  if (kind == std::end(kKinds) || size == std::end(kSizes)) return std::nullopt;
  return Type{kind->second, size->second};
}

std::string to_string(Type type) {
  switch (type.kind) {
    case Type::Kind::None:
      return "none";
    case Type::Kind::Predicate:
      return "pred";
    case Type::Kind::Signed:
      return fmt::format("s{}", type.bits);
    case Type::Kind::Unsigned:
      return fmt::format("u{}", type.bits);
    case Type::Kind::Bits:
      return fmt::format("b{}", type.bits);
    case Type::Kind::Float:
      return fmt::format("f{}", type.bits);
  }
  return "";
}

bool Instruction::has(std::string_view word) const { return std::ranges::find(words, word) != words.end(); }

int Instruction::vector_length() const {
  if (has("v2")) return 2;
  if (has("v4")) return 4;
  if (has("v8")) return 8;
  return 1;
}

StateSpace Instruction::space() const {
  for (const auto& word : words) {
    if (word == "global") return StateSpace::Global;
    if (word.starts_with("shared")) return StateSpace::Shared;
    if (word == "local") return StateSpace::Local;
    if (word == "const") return StateSpace::Constant;
    if (word.starts_with("param")) return StateSpace::Parameter;
  }
  return StateSpace::Generic;
}

std::vector<std::string> Module::entries() const {
  std::vector<std::string> names;
  for (const auto& function : functions)
    if (function.entry) names.push_back(function.name);
  return names;
}

const Function* Module::find(std::string_view function) const {
  const Function* declared = nullptr;
  for (const auto& candidate : functions) {
    if (candidate.name != function) continue;
    if (candidate.defined) return &candidate;
    declared = &candidate;
  }
  return declared;
}

}  // namespace warpipe::ptx
