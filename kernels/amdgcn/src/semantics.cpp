#include "semantics.hpp"

#include <cctype>
#include <map>
#include <stdexcept>

#include "lines.hpp"

namespace warpipe::amdgcn {
namespace {

using isa::Comparison;
using isa::LaneOp;
using isa::Type;
using TypeKind = Type::Kind;

const std::map<std::string_view, LaneOp>& operations() {
  static const std::map<std::string_view, LaneOp> kAll{{"mov", LaneOp::Move},
                                                       {"add", LaneOp::Add},
                                                       {"carry", LaneOp::Carry},
                                                       {"sub", LaneOp::Subtract},
                                                       {"borrow", LaneOp::Borrow},
                                                       {"mul", LaneOp::Multiply},
                                                       {"mulhi", LaneOp::MultiplyHigh},
                                                       {"mulwide", LaneOp::MultiplyWide},
                                                       {"mad", LaneOp::MultiplyAdd},
                                                       {"madwide", LaneOp::MultiplyAddWide},
                                                       {"div", LaneOp::Divide},
                                                       {"min", LaneOp::Minimum},
                                                       {"max", LaneOp::Maximum},
                                                       {"abs", LaneOp::Absolute},
                                                       {"absdiff", LaneOp::AbsoluteDifference},
                                                       {"neg", LaneOp::Negate},
                                                       {"and", LaneOp::And},
                                                       {"andn", LaneOp::AndNot},
                                                       {"or", LaneOp::Or},
                                                       {"xor", LaneOp::Xor},
                                                       {"not", LaneOp::Not},
                                                       {"shl", LaneOp::ShiftLeft},
                                                       {"shr", LaneOp::ShiftRight},
                                                       {"fshr", LaneOp::FunnelRight},
                                                       {"sel", LaneOp::Select},
                                                       {"cvt", LaneOp::Convert},
                                                       {"rcp", LaneOp::Reciprocal},
                                                       {"sqrt", LaneOp::SquareRoot},
                                                       {"rsq", LaneOp::ReciprocalRoot},
                                                       {"sin", LaneOp::Sine},
                                                       {"cos", LaneOp::Cosine},
                                                       {"log2", LaneOp::BinaryLogarithm},
                                                       {"exp2", LaneOp::PowerOfTwo},
                                                       {"popc", LaneOp::PopulationCount},
                                                       {"clz", LaneOp::LeadingZeros},
                                                       {"hibs", LaneOp::HighestBitShift},
                                                       {"rev", LaneOp::ReverseBits},
                                                       {"ext", LaneOp::ExtractBits},
                                                       {"ins", LaneOp::InsertBits},
                                                       {"mask", LaneOp::MaskBits},
                                                       {"perm", LaneOp::Permute},
                                                       {"dot4", LaneOp::DotProduct4},
                                                       {"from", LaneOp::FromLane},
                                                       {"elect", LaneOp::Elect},
                                                       {"iszero", LaneOp::IsZero},
                                                       {"floor", LaneOp::Convert},
                                                       {"ceil", LaneOp::Convert},
                                                       {"trunc", LaneOp::Convert},
                                                       {"rndne", LaneOp::Convert}};
  return kAll;
}

const std::map<std::string_view, Comparison>& comparisons() {
  static const std::map<std::string_view, Comparison> kAll{
      {"eq", Comparison::Equal},         {"ne", Comparison::NotEqual},
      {"lt", Comparison::Less},          {"le", Comparison::LessEqual},
      {"gt", Comparison::Greater},       {"ge", Comparison::GreaterEqual},
      {"both", Comparison::BothNumbers}, {"notboth", Comparison::NotBothNumbers}};
  return kAll;
}

[[noreturn]] void fail(std::string_view text) {
  throw std::logic_error("the opcode table has \"" + std::string(text) + "\"");
}

Type type_of(std::string_view word) {
  if (word == "p") return {TypeKind::Predicate, 1};
  const auto bits = whole_number(word.substr(1));
  if (!bits || *bits < 1 || *bits > 64) fail(word);
  const auto kind = word[0] == 'u'   ? TypeKind::Unsigned
                    : word[0] == 'i' ? TypeKind::Signed
                    : word[0] == 'f' ? TypeKind::Float
                                     : TypeKind::Bits;
  return {kind, static_cast<int>(*bits)};
}

/// "cvt.f32.u32", "not.lt.f32": an operation and its types.
isa::LaneOperation operation_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto rest = text; !rest.empty();) {
    const auto dot = rest.find('.');
    words.push_back(rest.substr(0, dot));
    rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
  }
  if (words.size() < 2) fail(text);
  isa::LaneOperation made;
  made.type = made.result = type_of(words[1]);
  if (words.size() > 2) made.result = type_of(words[2]);
  auto name = words[0];
  // "nlt": not less, also true where an operand is no number.
  if (const auto found = comparisons().find(name); found != comparisons().end()) {
    made.op = LaneOp::Compare;
    made.comparison = found->second;
    made.unordered = name == "ne" || name == "notboth";
    made.result = {TypeKind::Predicate, 1};
    return made;
  }
  if (name[0] == 'n' && comparisons().contains(name.substr(1))) {
    made = operation_of(std::string(text.substr(1)));
    made.opposite = true;
    return made;
  }
  const auto found = operations().find(name);
  if (found == operations().end()) fail(text);
  made.op = found->second;
  if (made.op == LaneOp::Carry || made.op == LaneOp::Borrow || made.op == LaneOp::IsZero)
    made.result = {TypeKind::Predicate, 1};
  if (made.op == LaneOp::MultiplyWide || made.op == LaneOp::MultiplyAddWide)
    made.result = {made.type.kind, 2 * made.type.bits};
  if (made.op == LaneOp::PopulationCount || made.op == LaneOp::LeadingZeros || made.op == LaneOp::HighestBitShift)
    made.result = {TypeKind::Unsigned, 32};
  if (name == "floor") made.rounding = isa::Rounding::Down;
  if (name == "ceil") made.rounding = isa::Rounding::Up;
  if (name == "trunc") made.rounding = isa::Rounding::Zero;
  if (name == "rndne") made.rounding = isa::Rounding::Nearest;
  if (made.op == LaneOp::Convert && made.type.kind == TypeKind::Float && made.result.kind != TypeKind::Float) {
    made.saturate = true;
    made.rounding = isa::Rounding::Zero;
  }
  return made;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expression run() {
    auto read = expression();
    if (!text_.empty()) fail(text_);
    return read;
  }

 private:
  std::string_view word() {
    std::size_t end = 0;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '.' ||
                                  text_[end] == '_' || text_[end] == '?' || text_[end] == '-'))
      ++end;
    const auto found = text_.substr(0, end);
    text_.remove_prefix(end);
    return found;
  }

  bool next_is(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  Expression expression() {
    Expression made;
    const auto name = word();
    if (name.empty()) fail(text_);
    made.operation.op = LaneOp::Move;
    if (name == "?") {
      made.is_unknown = true;
    } else if (next_is('(')) {
      made.operation = operation_of(name);
      while (!next_is(')')) {
        if (text_.empty()) fail(name);
        made.inputs.push_back(expression());
        next_is(',');
      }
    } else if (const auto whole = whole_number(name)) {
      made.number = static_cast<std::uint64_t>(*whole);
    } else {
      made.name = name;
    }
    return made;
  }

  std::string_view text_;
};

}  // namespace

std::vector<Statement> parse_semantics(std::string_view text) {
  std::vector<Statement> made;
  while (!text.empty()) {
    const auto end = text.find(';');
    const auto one = text.substr(0, end);
    const auto equals = one.find('=');
    if (equals == std::string_view::npos) fail(one);
    made.push_back({std::string(one.substr(0, equals)), Parser(one.substr(equals + 1)).run()});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return made;
}

}  // namespace warpipe::amdgcn
