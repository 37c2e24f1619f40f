// From the words of an instruction to what it does in a lane.
#include <map>

#include "lane_operation.hpp"

namespace warpipe::ptx {
namespace {

using Kind = Type::Kind;

const std::map<std::string, LaneOp, std::less<>> kOps{{"mov", LaneOp::Move},
                                                      {"add", LaneOp::Add},
                                                      {"sub", LaneOp::Subtract},
                                                      {"mul", LaneOp::Multiply},
                                                      {"mul24", LaneOp::Multiply},
                                                      {"mad", LaneOp::MultiplyAdd},
                                                      {"mad24", LaneOp::MultiplyAdd},
                                                      {"fma", LaneOp::MultiplyAdd},
                                                      {"div", LaneOp::Divide},
                                                      {"rem", LaneOp::Remainder},
                                                      {"min", LaneOp::Minimum},
                                                      {"max", LaneOp::Maximum},
                                                      {"abs", LaneOp::Absolute},
                                                      {"neg", LaneOp::Negate},
                                                      {"and", LaneOp::And},
                                                      {"or", LaneOp::Or},
                                                      {"xor", LaneOp::Xor},
                                                      {"not", LaneOp::Not},
                                                      {"shl", LaneOp::ShiftLeft},
                                                      {"shr", LaneOp::ShiftRight},
                                                      {"setp", LaneOp::Compare},
                                                      {"set", LaneOp::Compare},
                                                      {"selp", LaneOp::Select},
                                                      {"cvt", LaneOp::Convert},
                                                      {"popc", LaneOp::PopulationCount},
                                                      {"clz", LaneOp::LeadingZeros},
                                                      {"brev", LaneOp::ReverseBits},
                                                      {"bfe", LaneOp::ExtractBits},
                                                      {"bfi", LaneOp::InsertBits},
                                                      {"prmt", LaneOp::Permute},
                                                      {"lop3", LaneOp::Logic3},
                                                      {"ld", LaneOp::Load},
                                                      {"ldu", LaneOp::Load}};

void decode_comparison(const Instruction& instruction, LaneOperation& operation) {
  static const std::map<std::string, Comparison, std::less<>> kComparisons{
      {"eq", Comparison::Equal},       {"ne", Comparison::NotEqual},  {"lt", Comparison::Less},
      {"le", Comparison::LessEqual},   {"gt", Comparison::Greater},   {"ge", Comparison::GreaterEqual},
      {"lo", Comparison::Less},        {"ls", Comparison::LessEqual}, {"hi", Comparison::Greater},
      {"hs", Comparison::GreaterEqual}};
  const auto& word = instruction.words.size() > 1 ? instruction.words[1] : instruction.words[0];
  auto found = kComparisons.find(word);
  if (found == kComparisons.end() && word.size() == 3 && word.ends_with('u')) {
    found = kComparisons.find(word.substr(0, 2));
    operation.unordered = true;
  }
  operation.comparison = found == kComparisons.end() ? Comparison::Other : found->second;
  if (operation.comparison == Comparison::Other) operation.op = LaneOp::Unknown;
  for (const char* combine : {"and", "or", "xor"})
    if (instruction.has(combine)) operation.combine = combine;
  // setp writes a predicate; set a number that is all ones, or 1.0.
  operation.result = instruction.opcode() == "setp" ? Type{Kind::Predicate, 1} : operation.result;
}

LaneOp with_half(LaneOp op, const Instruction& instruction) {
  const bool wide = instruction.has("wide"), high = instruction.has("hi");
  if (op == LaneOp::Multiply) return wide ? LaneOp::MultiplyWide : high ? LaneOp::MultiplyHigh : op;
  if (op == LaneOp::MultiplyAdd) return wide ? LaneOp::MultiplyAddWide : high ? LaneOp::MultiplyAddHigh : op;
  return op;
}

void decode_address_conversion(const Instruction& instruction, LaneOperation& operation) {
  operation.op = instruction.has("to") ? LaneOp::FromGeneric : LaneOp::ToGeneric;
  const auto space = instruction.space();
  if (space == StateSpace::Shared) operation.window = kSharedWindow;
  if (space == StateSpace::Local) operation.window = kLocalWindow;
  if (space == StateSpace::Constant) operation.window = kConstantWindow;
}

}  // namespace

std::size_t inputs_of(LaneOp op) {
  switch (op) {
    case LaneOp::Move:
    case LaneOp::Absolute:
    case LaneOp::Negate:
    case LaneOp::Not:
    case LaneOp::Convert:
    case LaneOp::PopulationCount:
    case LaneOp::LeadingZeros:
    case LaneOp::ReverseBits:
    case LaneOp::ToGeneric:
    case LaneOp::FromGeneric:
    case LaneOp::Load:
      return 1;
    case LaneOp::Unknown:
      return 0;
    case LaneOp::MultiplyAdd:
    case LaneOp::MultiplyAddHigh:
    case LaneOp::MultiplyAddWide:
    case LaneOp::FunnelLeft:
    case LaneOp::FunnelRight:
    case LaneOp::Select:
    case LaneOp::ExtractBits:
    case LaneOp::Permute:
      return 3;
    case LaneOp::InsertBits:
    case LaneOp::Logic3:
      return 4;
    default:
      return 2;
  }
}

LaneOperation decode(const Instruction& instruction) {
  LaneOperation operation;
  operation.type = operation.result = instruction.type();
  const auto& opcode = instruction.opcode();
  if (opcode == "cvta") {
    decode_address_conversion(instruction, operation);
    return operation;
  }
  if (opcode == "shf") {
    operation.op = instruction.has("l") ? LaneOp::FunnelLeft : LaneOp::FunnelRight;
    operation.wrap = instruction.has("wrap");
    return operation;
  }
  const auto found = kOps.find(opcode);
  // Carries, saturation and packed halves are not followed; neither are types that no register of the slice has.
  const bool strange = instruction.has("cc") || instruction.has("sat") || operation.type.bits > 64 ||
                       (operation.type.kind == Kind::Float && operation.type.bits < 32) || instruction.has("f16x2");
  if (found == kOps.end() || (strange && opcode != "ld")) return operation;
  operation.op = with_half(found->second, instruction);
  const bool wide = operation.op == LaneOp::MultiplyWide || operation.op == LaneOp::MultiplyAddWide;
  if (wide) operation.result.bits *= 2;
  if (instruction.types.size() > 1 && (opcode == "cvt" || opcode == "set"))
    operation.result = instruction.types.front();
  if (operation.result.kind == Kind::Float && operation.result.bits < 32 && opcode != "ld")
    operation.op = LaneOp::Unknown;
  if (operation.op == LaneOp::PopulationCount || operation.op == LaneOp::LeadingZeros)
    operation.result = {Kind::Unsigned, 32};
  if (operation.op == LaneOp::Compare) decode_comparison(instruction, operation);
  for (const char* rounding : {"rzi", "rni", "rmi", "rpi"})
    if (instruction.has(rounding)) operation.rounding = rounding;
  return operation;
}

}  // namespace warpipe::ptx
