// What the words of an instruction do in a lane.
#include <algorithm>
#include <map>
#include <string_view>

#include "decode.hpp"

namespace warpipe::ptx {
namespace {

using Kind = Type::Kind;
using isa::Comparison;
using isa::LaneOp;
using isa::LaneOperation;

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
                                                      {"bfind", LaneOp::HighestBit},
                                                      {"rcp", LaneOp::Reciprocal},
                                                      {"sqrt", LaneOp::SquareRoot},
                                                      {"rsqrt", LaneOp::ReciprocalRoot},
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
  if (found == kComparisons.end())
    operation.op = LaneOp::Unknown;
  else
    operation.comparison = found->second;
  using isa::Join;
  for (const auto& [join, meaning] :
       {std::pair("and", Join::And), std::pair("or", Join::Or), std::pair("xor", Join::Xor)})
    if (instruction.has(join)) operation.join = meaning;
  // setp writes a predicate; set a number that is all ones, or 1.0.
  operation.result = instruction.opcode() == "setp" ? Type{Kind::Predicate, 1} : operation.result;
}

LaneOp with_half(LaneOp op, const Instruction& instruction) {
  const bool wide = instruction.has("wide"), high = instruction.has("hi");
  if (op == LaneOp::Multiply) return wide ? LaneOp::MultiplyWide : high ? LaneOp::MultiplyHigh : op;
  if (op == LaneOp::MultiplyAdd) return wide ? LaneOp::MultiplyAddWide : high ? LaneOp::MultiplyAddHigh : op;
  return op;
}

/// What reads other lanes; Unknown for all else.
LaneOp across_lanes(const Instruction& instruction) {
  static const std::map<std::string, LaneOp, std::less<>> kByWords{
      {"vote any", LaneOp::AnyLane},     {"vote all", LaneOp::AllLanes},     {"vote uni", LaneOp::SameTruth},
      {"vote ballot", LaneOp::Ballot},   {"match any", LaneOp::MatchAny},    {"match all", LaneOp::MatchAll},
      {"shfl up", LaneOp::ShuffleUp},    {"shfl down", LaneOp::ShuffleDown}, {"shfl bfly", LaneOp::ShuffleAcross},
      {"shfl idx", LaneOp::ShuffleIndex}};
  const auto& opcode = instruction.opcode();
  if (opcode == "redux") return LaneOp::Reduce;
  if (opcode == "activemask") return LaneOp::ActiveLanes;
  if (opcode == "elect") return LaneOp::Elect;
  for (const auto& word : instruction.words)
    if (const auto found = kByWords.find(opcode + " " + word); found != kByWords.end()) return found->second;
  return LaneOp::Unknown;
}

void decode_across_lanes(const Instruction& instruction, LaneOperation& operation) {
  static const std::map<std::string, LaneOp, std::less<>> kJoins{{"add", LaneOp::Add},     {"min", LaneOp::Minimum},
                                                                 {"max", LaneOp::Maximum}, {"and", LaneOp::And},
                                                                 {"or", LaneOp::Or},       {"xor", LaneOp::Xor}};
  if (operation.op != LaneOp::Reduce) return;
  for (const auto& word : instruction.words)
    if (const auto found = kJoins.find(word); found != kJoins.end()) operation.each = found->second;
  // Of floats, those with .abs and .NaN are not followed.
  if (operation.each == LaneOp::Unknown || instruction.has("abs") || instruction.has("NaN"))
    operation.op = LaneOp::Unknown;
}

/// Roundings and modes that are not followed.
bool is_strange(const Instruction& instruction, Type type) {
  static constexpr std::string_view kModes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  const auto one_of = [&](const auto& words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return instruction.has(word); });
  };
  return instruction.has("sat") || type.bits > 64 || (type.kind == Kind::Float && type.bits < 32) ||
         instruction.has("f16x2") || (instruction.opcode() == "prmt" && one_of(kModes));
}

void decode_address_conversion(const Instruction& instruction, LaneOperation& operation) {
  operation.op = instruction.has("to") ? LaneOp::FromGeneric : LaneOp::ToGeneric;
  const auto space = instruction.space();
  if (space == StateSpace::Shared) operation.window = isa::kSharedWindow;
  if (space == StateSpace::Local) operation.window = isa::kLocalWindow;
  if (space == StateSpace::Constant) operation.window = isa::kConstantWindow;
}

}  // namespace

LaneOperation operation_of(const Instruction& instruction) {
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
  if (const auto across = across_lanes(instruction); across != LaneOp::Unknown) {
    operation.op = across;
    decode_across_lanes(instruction, operation);
    return operation;
  }
  // Saturation and packed halves are not followed; neither are types that no register of the slice has.
  if (found == kOps.end() || (is_strange(instruction, operation.type) && opcode != "ld")) return operation;
  operation.op = with_half(found->second, instruction);
  const bool wide = operation.op == LaneOp::MultiplyWide || operation.op == LaneOp::MultiplyAddWide;
  if (wide) operation.result.bits *= 2;
  if (instruction.types.size() > 1 && (opcode == "cvt" || opcode == "set"))
    operation.result = instruction.types.front();
  if (operation.result.kind == Kind::Float && operation.result.bits < 32 && opcode != "ld")
    operation.op = LaneOp::Unknown;
  if (opcode == "bfind" && instruction.has("shiftamt")) operation.op = LaneOp::HighestBitShift;
  if (opcode == "popc" || opcode == "clz" || opcode == "bfind") operation.result = {Kind::Unsigned, 32};
  operation.flush = instruction.has("ftz");
  operation.gross = instruction.has("approx") && operation.type == Type{Kind::Float, 64};
  if (operation.op == LaneOp::Compare) decode_comparison(instruction, operation);
  using isa::Rounding;
  for (const auto& [word, rounding] : {std::pair("rzi", Rounding::Zero), std::pair("rni", Rounding::Nearest),
                                       std::pair("rmi", Rounding::Down), std::pair("rpi", Rounding::Up)})
    if (instruction.has(word)) operation.rounding = rounding;
  return operation;
}

isa::Special special_of(std::string_view name) {
  using Name = isa::Special::Name;
  static const std::map<std::string_view, Name> kAlongAxes{{"%tid", Name::ThreadIndex},
                                                           {"%ntid", Name::GroupSize},
                                                           {"%ctaid", Name::GroupIndex},
                                                           {"%nctaid", Name::GridSize}};
  static const std::map<std::string_view, Name> kPlain{
      {"%laneid", Name::LaneIndex},      {"%warpid", Name::WarpIndex},
      {"%nwarpid", Name::WarpCount},     {"WARP_SZ", Name::LanesPerWarp},
      {"%lanemask_eq", Name::LaneBit},   {"%lanemask_lt", Name::LanesBelow},
      {"%lanemask_le", Name::LanesUpTo}, {"%lanemask_gt", Name::LanesAbove},
      {"%lanemask_ge", Name::LanesFrom}, {"%dynamic_smem_size", Name::DynamicSharedBytes}};
  const auto dot = name.find('.');
  if (const auto found = kAlongAxes.find(name.substr(0, dot)); found != kAlongAxes.end() && dot != name.npos)
    return {found->second, static_cast<std::uint8_t>(name.ends_with(".x") ? 0 : name.ends_with(".y") ? 1 : 2)};
  const auto found = kPlain.find(name);
  return {found == kPlain.end() ? Name::Other : found->second, 0};
}

}  // namespace warpipe::ptx
