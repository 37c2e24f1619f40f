// Decodes the words of an instruction into its operation in a lane.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "decode.hpp"
#include "opcode_table.hpp"

namespace warpipe::ptx {
namespace {

using Kind = Type::Kind;
using isa::Comparison;
using isa::LaneOp;
using isa::LaneOperation;

constexpr Type kTruth{Kind::Predicate, 1};

/// The meaning given by a table to a word of an instruction; nothing where the table has none of its words.
template <class Meaning, std::size_t size>
std::optional<Meaning> meaning_of(const Instruction& instruction,
                                  const std::pair<std::string_view, Meaning> (&words)[size]) {
  for (const auto& [word, meaning] : words)
    if (instruction.has(word)) return meaning;
  return std::nullopt;
}

constexpr std::pair<std::string_view, isa::Join> kJoins[] = {
    {"and", isa::Join::And}, {"or", isa::Join::Or}, {"xor", isa::Join::Xor}};
constexpr std::pair<std::string_view, isa::Rounding> kToWhole[] = {{"rzi", isa::Rounding::Zero},
                                                                   {"rni", isa::Rounding::Nearest},
                                                                   {"rmi", isa::Rounding::Down},
                                                                   {"rpi", isa::Rounding::Up}};
constexpr std::pair<std::string_view, isa::Rounding> kToFloat[] = {{"rn", isa::Rounding::Nearest},
                                                                   {"rz", isa::Rounding::Zero},
                                                                   {"rm", isa::Rounding::Down},
                                                                   {"rp", isa::Rounding::Up}};
constexpr std::pair<std::string_view, isa::FloatClass> kClasses[] = {
    {"finite", isa::FloatClass::Finite}, {"infinite", isa::FloatClass::Infinite},
    {"number", isa::FloatClass::Number}, {"notanumber", isa::FloatClass::NoNumber},
    {"normal", isa::FloatClass::Normal}, {"subnormal", isa::FloatClass::Subnormal}};
constexpr std::pair<std::string_view, isa::Bytes> kBytes[] = {
    {"f4e", isa::Bytes::Forwards},     {"b4e", isa::Bytes::Backwards},    {"rc8", isa::Bytes::Repeated},
    {"ecl", isa::Bytes::ClampedBelow}, {"ecr", isa::Bytes::ClampedAbove}, {"rc16", isa::Bytes::HalfRepeated}};

/// "e4m3x2": floats of 8 bits, two in a register.
std::optional<isa::Format> format_of_byte(std::string_view word) {
  if (word == "e4m3x2") return isa::Format::E4M3;
  if (word == "e5m2x2") return isa::Format::E5M2;
  return std::nullopt;
}

/// Whether an instruction has a kind of numbers that is not followed: packed numbers, halves, unknown words.
bool is_strange(const Instruction& instruction, Reading reading) {
  const auto words = row_of(instruction).words;
  const bool of_bytes =
      reading == Reading::ForExecution && instruction.opcode() == "cvt" &&
      std::ranges::any_of(instruction.words, [](const auto& word) { return format_of_byte(word).has_value(); });
  for (std::size_t i = 1; i < instruction.words.size(); ++i) {
    const std::string_view word = instruction.words[i];
    const auto type = parse_type(word);
    const bool packed = word.ends_with("x2") || word == "tf32";
    const bool half = type && type->kind == Kind::Float && type->bits < 32;
    if (((packed || half) && reading == Reading::ForImport) || (type && type->bits > 64)) return true;
    if (of_bytes && (format_of_byte(word) || word == "satfinite")) continue;
    if (!type && !has_word(words, word)) return true;
  }
  return false;
}

void decode_comparison(const Instruction& instruction, LaneOperation& operation) {
  static const std::map<std::string, Comparison, std::less<>> kComparisons{
      {"eq", Comparison::Equal},        {"ne", Comparison::NotEqual},     {"lt", Comparison::Less},
      {"le", Comparison::LessEqual},    {"gt", Comparison::Greater},      {"ge", Comparison::GreaterEqual},
      {"lo", Comparison::Less},         {"ls", Comparison::LessEqual},    {"hi", Comparison::Greater},
      {"hs", Comparison::GreaterEqual}, {"num", Comparison::BothNumbers}, {"nan", Comparison::NotBothNumbers}};
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
  operation.unordered |= operation.comparison == Comparison::NotBothNumbers;
  operation.join = meaning_of(instruction, kJoins).value_or(isa::Join::None);
  // setp writes a predicate; set writes a number with all bits set, or 1.0.
  operation.result = instruction.opcode() == "setp" ? kTruth : operation.result;
}

LaneOp with_half(LaneOp op, const Instruction& instruction) {
  const bool wide = instruction.has("wide"), high = instruction.has("hi");
  if (op == LaneOp::Multiply) return wide ? LaneOp::MultiplyWide : high ? LaneOp::MultiplyHigh : op;
  if (op == LaneOp::MultiplyAdd) return wide ? LaneOp::MultiplyAddWide : high ? LaneOp::MultiplyAddHigh : op;
  return op;
}

/// Operations that read other lanes; Unknown for the rest.
LaneOp across_lanes(const Instruction& instruction) {
  static const std::map<std::string, LaneOp, std::less<>> kByWords{
      {"vote any", LaneOp::AnyLane},     {"vote all", LaneOp::AllLanes},     {"vote uni", LaneOp::SameTruth},
      {"vote ballot", LaneOp::Ballot},   {"match any", LaneOp::MatchAny},    {"match all", LaneOp::MatchAll},
      {"shfl up", LaneOp::ShuffleUp},    {"shfl down", LaneOp::ShuffleDown}, {"shfl bfly", LaneOp::ShuffleAcross},
      {"shfl idx", LaneOp::ShuffleIndex}};
  if (const auto op = row_of(instruction).lanes; isa::is_across_lanes(op)) return op;
  for (const auto& word : instruction.words)
    if (const auto found = kByWords.find(instruction.opcode() + " " + word); found != kByWords.end())
      return found->second;
  return LaneOp::Unknown;
}

void decode_across_lanes(const Instruction& instruction, LaneOperation& operation) {
  static const std::map<std::string, LaneOp, std::less<>> kReductions{
      {"add", LaneOp::Add}, {"min", LaneOp::Minimum}, {"max", LaneOp::Maximum},
      {"and", LaneOp::And}, {"or", LaneOp::Or},       {"xor", LaneOp::Xor}};
  if (operation.op != LaneOp::Reduce) return;
  for (const auto& word : instruction.words)
    if (const auto found = kReductions.find(word); found != kReductions.end()) operation.each = found->second;
  // The variants for floats with .abs and .NaN are not followed.
  if (operation.each == LaneOp::Unknown || instruction.has("abs") || instruction.has("NaN"))
    operation.op = LaneOp::Unknown;
}

std::uint64_t window_of(const Instruction& instruction) {
  switch (instruction.space()) {
    case StateSpace::Shared:
      return isa::kSharedWindow;
    case StateSpace::Local:
      return isa::kLocalWindow;
    case StateSpace::Constant:
    case StateSpace::Parameter:
      return isa::kConstantWindow;
    default:
      return 0;
  }
}

/// The type of the result, where it differs from the type of the operands.
Type result_of(const Instruction& instruction, const LaneOperation& operation) {
  const auto& opcode = instruction.opcode();
  if (opcode == "setp" || opcode == "testp" || opcode == "isspacep") return kTruth;
  if (opcode == "popc" || opcode == "clz" || opcode == "bfind") return {Kind::Unsigned, 32};
  if (opcode == "cvt" || opcode == "set" || opcode == "slct") return instruction.first_type();
  auto result = instruction.type();
  if (operation.op == LaneOp::MultiplyWide || operation.op == LaneOp::MultiplyAddWide) result.bits *= 2;
  return result;
}

/// Words with a meaning for some opcodes only.
void decode_words(const Instruction& instruction, LaneOperation& operation) {
  const auto& opcode = instruction.opcode();
  if (opcode == "mul24" || opcode == "mad24") operation.type.bits = 24;
  if (opcode == "shf" && instruction.has("l")) operation.op = LaneOp::FunnelLeft;
  if (opcode == "bfind" && instruction.has("shiftamt")) operation.op = LaneOp::HighestBitShift;
  if (opcode == "lop3") operation.join = meaning_of(instruction, kJoins).value_or(isa::Join::None);
  if (opcode == "dp4a" || opcode == "dp2a") operation.type = instruction.first_type();
  operation.other = instruction.type().kind;
  operation.upper = instruction.has("hi");
  operation.wrap = instruction.has("wrap");
  operation.window = window_of(instruction);
  operation.float_class = meaning_of(instruction, kClasses).value_or(isa::FloatClass::Finite);
  operation.bytes = meaning_of(instruction, kBytes).value_or(isa::Bytes::Selected);
  operation.keep_no_number = instruction.has("NaN");
  operation.saturate = instruction.has("sat");
  operation.flush = instruction.has("ftz");
  operation.gross = instruction.has("approx") && operation.flush && operation.type == Type{Kind::Float, 64};
  operation.rounding = meaning_of(instruction, kToWhole).value_or(isa::Rounding::None);
  operation.to_float = meaning_of(instruction, kToFloat).value_or(isa::Rounding::Nearest);
}

/// The layouts of floats with a format of their own, and their number per register.
void decode_formats(const Instruction& instruction, LaneOperation& operation) {
  std::vector<std::string_view> words;
  for (const auto& word : instruction.words)
    if (parse_type(word) || format_of_byte(word)) words.push_back(word);
  if (words.empty()) return;
  const auto settle = [&](std::string_view word, Type& type, isa::Format& format) {
    const bool packed = word.ends_with("x2");
    if (packed) operation.parts = 2;
    if (packed) type = {Kind::Float, 16};
    if (word.starts_with("bf16")) format = isa::Format::Brain;
    if (word == "tf32") format = isa::Format::Tensor;
    if (const auto byte = format_of_byte(word)) std::tie(type.bits, format) = std::pair(8, *byte);
  };
  const bool converts = operation.op == LaneOp::Convert || instruction.opcode() == "set";
  settle(words.back(), operation.type, operation.format);
  settle(converts ? words.front() : words.back(), operation.result, operation.result_format);
  if (instruction.opcode() == "setp") operation.result = kTruth;
}

}  // namespace

LaneOperation operation_of(const Instruction& instruction, Reading reading) {
  LaneOperation operation;
  operation.type = operation.result = instruction.type();
  const auto& opcode = instruction.opcode();
  if (opcode == "cvta") {
    operation.op = instruction.has("to") ? LaneOp::FromGeneric : LaneOp::ToGeneric;
    operation.window = window_of(instruction);
    return operation;
  }
  if (const auto across = across_lanes(instruction); across != LaneOp::Unknown) {
    operation.op = across;
    decode_across_lanes(instruction, operation);
    return operation;
  }
  operation.op = row_of(instruction).lanes;
  if (operation.op == LaneOp::Unknown || operation.op == LaneOp::Load) return operation;
  if (is_strange(instruction, reading)) operation.op = LaneOp::Unknown;
  operation.op = with_half(operation.op, instruction);
  operation.result = result_of(instruction, operation);
  decode_words(instruction, operation);
  if (operation.op == LaneOp::Compare) decode_comparison(instruction, operation);
  if (reading == Reading::ForExecution) decode_formats(instruction, operation);
  return operation;
}

Type type_of_input(const Instruction& instruction, const LaneOperation& operation, std::size_t input) {
  const auto& opcode = instruction.opcode();
  constexpr Type kWord{Kind::Unsigned, 32};
  // Masks of lanes are no numbers of the type.
  if (isa::is_across_lanes(operation.op)) return {};
  if (operation.op == LaneOp::MultiplyAddWide && input == 2) return operation.result;
  if (operation.op == LaneOp::SelectBySign) return input == 2 ? operation.type : operation.result;
  if (operation.op == LaneOp::Compare && input == 2) return kTruth;
  const bool places = opcode == "shl" || opcode == "shr" || opcode == "bfe";
  if ((places && input > 0) || (opcode == "bfi" && input > 1)) return kWord;
  return instruction.type();
}

isa::Instruction::Others others_behind(const Instruction& instruction) {
  using Others = isa::Instruction::Others;
  static constexpr std::string_view kOrders[] = {"volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio"};
  const auto& opcode = instruction.opcode();
  const auto has_one_of = [&](const auto& words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return instruction.has(word); });
  };
  const auto& row = row_of(instruction);
  if (!row.has(kMeets)) {
    const bool alone = row.has(kAlone) || row.lanes != LaneOp::Unknown || across_lanes(instruction) != LaneOp::Unknown;
    return alone ? Others::None : Others::Anybody;
  }
  if (instruction.has("cluster") || instruction.has("shared::cluster") || instruction.has("async"))
    return Others::Anybody;
  if (opcode == "bar" && instruction.has("warp")) return Others::None;
  const bool plain = (opcode == "ld" || opcode == "ldu" || opcode == "st") && !has_one_of(kOrders);
  return plain ? Others::None : Others::OfGroup;
}

isa::Special special_of(std::string_view name, Reading reading) {
  using Name = isa::Special::Name;
  // Cooperative groups of CUDA find the address of their workspace in the environment.
  if (name == "%envreg2") return {Name::GridWorkspace, 0};
  if (name == "%envreg1") return {Name::GridWorkspace, 1};
  static const std::map<std::string_view, isa::Special> kOfMachines{{"%clock", {Name::Clock, 0}},
                                                                    {"%clock64", {Name::Clock, 0}},
                                                                    {"%clock_hi", {Name::Other, 0}},
                                                                    {"%globaltimer", {Name::Nanoseconds, 0}},
                                                                    {"%globaltimer_lo", {Name::Nanoseconds, 0}},
                                                                    {"%smid", {Name::UnitIndex, 0}},
                                                                    {"%nsmid", {Name::UnitCount, 0}}};
  if (reading == Reading::ForExecution)
    if (const auto found = kOfMachines.find(name); found != kOfMachines.end()) return found->second;
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
