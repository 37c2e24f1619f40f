#include "decoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lane_patterns.hpp"
#include "lines.hpp"

namespace warpipe::amdgcn {

using isa::Input;
using isa::Instruction;
using isa::LaneOp;
using isa::Type;

bool Decoder::is_product(const Opcode& opcode) { return opcode.multiply_adds > 0; }

/// Names the values exchanged between lanes of the wave through the unit of the group's memory.
void Decoder::name_permutation(const TextInstruction& one, Emitter& emitter) {
  if (one.name == "ds_swizzle_b32") {
    const auto pattern = swizzle_pattern(one);
    if (!pattern) throw Problem{"the pattern of a swizzle is known", fmt::format("found \"{}\"", one.text), ""};
    emitter.names["swizzle"] = parse_semantics("t=" + *pattern).front().value;
    return;
  }
  const auto offset = one.modifier("offset");
  Expression number;
  number.operation.op = LaneOp::Move;
  number.number = static_cast<std::uint64_t>(offset ? whole_number(*offset).value_or(0) : 0);
  emitter.names["offset"] = number;
}

Instruction Decoder::compute(const TextInstruction& one, const Opcode& opcode, Instruction made) {
  made.per_lane = opcode.form == Form::Vector;
  auto shape = opcode.operands;
  if (one.name.starts_with("v_cmpx") && one.operands.size() == 3) shape = "m " + shape;
  const auto bound = bind(one, shape);
  auto statements = opcode.statements;
  if (is_product(opcode)) {
    made.transactions = slowness_of_shape(opcode, target_) * std::max(1, opcode.multiply_adds / 256);
    made.flops = 0;
  }
  if (one.name.starts_with("v_cmpx") && bound.contains("m"))
    statements.insert(statements.begin(), Statement{"m", statements.front().value});
  if (one.name == "s_add_u32" || one.name == "s_addc_u32" || one.name == "s_getpc_b64")
    if (auto address = symbol_address(one, bound, made)) return *address;
  note_effect(one, bound);
  if (opcode.semantics == "readlane") return read_lane(bound, std::move(made));
  Emitter emitter(made, registers_, lanes_, sections(one, bound));
  if (one.name.starts_with("v_div_fmas")) made.reads.push_back({kVcc, lanes_ > 32 ? 2U : 1U});
  emitter.saturate = one.has("clamp");
  emitter.factor = one.has("mul:2") ? 2 : one.has("mul:4") ? 4 : one.has("div:2") ? 0.5 : 1;
  emitter.result_section = one.modifier("dst_sel").value_or("");
  emitter.unused = one.modifier("dst_unused").value_or("UNUSED_PAD");
  if (one.name.starts_with("ds_")) {
    made.timing.raises = {kSharedMemory};
    name_permutation(one, emitter);
  }
  if (opcode.semantics.starts_with("pk")) {
    emitter.run_packed(opcode.semantics.size() > 3 ? opcode.semantics.substr(3) : "", one);
    return made;
  }
  if (one.encoding == "dpp" || one.modifier("quad_perm") || one.modifier("row_shr") || one.modifier("dpp8"))
    apply_pattern(one, statements, emitter);
  if (is_not_followed(one, opcode)) {
    for (auto& statement : statements) statement.value = parse_semantics("d=?").front().value;
  }
  if (is_unfollowed(statements)) read_all(bound, made, emitter);
  emitter.run(statements);
  return made;
}

bool Decoder::is_unfollowed(const std::vector<Statement>& statements) {
  return std::ranges::any_of(statements, [](const Statement& one) { return one.value.is_unknown; });
}

/// Adds the reads of an instruction that is not followed.
void Decoder::read_all(const std::map<std::string, BoundOperand>& bound, Instruction& made,
                       const Emitter& emitter) const {
  for (const auto& [name, one] : bound) {
    if (name == "d" || name == "m" || name == "x" || !one.operand.is_register()) continue;
    const bool truth = one.operand.kind == Operand::Kind::Scalar && one.operand.first == kScc;
    made.reads.push_back(emitter.range_of(one, truth ? 1 : std::min(one.words, one.operand.count)));
  }
  if (made.name.find("mac") != std::string::npos || made.name.find("dot") != std::string::npos ||
      made.name == "v_writelane_b32")
    if (const auto to = bound.find("d"); to != bound.end() && to->second.operand.is_register())
      made.reads.push_back(emitter.range_of(to->second, to->second.words));
}

/// Modifiers whose effect on whole numbers is not followed.
bool Decoder::is_not_followed(const TextInstruction& one, const Opcode& opcode) {
  const auto op_sel = one.modifier("op_sel");
  const bool selects = op_sel && op_sel->find('1') != std::string::npos;
  const bool whole = opcode.name.find("_f") == std::string::npos;
  return selects || (whole && one.has("clamp")) || one.modifier("dst_unused") == "UNUSED_SEXT";
}

void Decoder::apply_pattern(const TextInstruction& one, std::vector<Statement>& statements, Emitter& emitter) {
  const auto pattern = dpp_pattern(one);
  if (!pattern) {
    for (auto& statement : statements) statement.value = parse_semantics("d=?").front().value;
    return;
  }
  emitter.names["a"] = parse_semantics("t=from.b32(a," + pattern->from + ")").front().value;
  const auto reaches = fmt::format("ne.u32(0,from.u32(1,{}))", pattern->from);
  auto takes_part = pattern->zero_where_none ? pattern->takes_part : reaches;
  if (!pattern->takes_part.empty() && !pattern->zero_where_none)
    takes_part = fmt::format("and.p({},{})", pattern->takes_part, reaches);
  if (takes_part.empty()) return;
  for (auto& statement : statements) {
    if (statement.to != "d" || statement.value.is_unknown) continue;
    auto chosen = parse_semantics("d=sel.b32(d,d," + takes_part + ")").front().value;
    chosen.inputs[0] = statement.value;
    statement.value = std::move(chosen);
  }
}

Instruction Decoder::read_lane(const std::map<std::string, BoundOperand>& bound, Instruction made) {
  const auto& lane = bound.at("b").operand;
  Emitter emitter(made, registers_, lanes_, bound);
  auto value = emitter.read(bound.at("a"), kWord);
  const auto to = emitter.write("d", kWord);
  isa::Assignment one;
  if (lane.kind == Operand::Kind::Number) {
    value.lane = static_cast<std::uint8_t>(lane.bits & static_cast<std::uint64_t>(lanes_ - 1));
    one.operation.op = LaneOp::Move;
    one.operation.type = one.operation.result = kWord;
    one.inputs = {value};
  } else {
    emitter.read(bound.at("b"), kWord);
  }
  one.outputs = {to};
  made.assignments.push_back(one);
  return made;
}

/// `s_add_u32 s0, s0, weights@rel32@lo+4` and its upper half, behind s_getpc_b64.
std::optional<Instruction> Decoder::symbol_address(const TextInstruction& one,
                                                   const std::map<std::string, BoundOperand>& bound, Instruction made) {
  if (one.name == "s_getpc_b64") {
    Input place;
    place.kind = Input::Kind::Region;
    place.index = region_of("code");
    const auto first = kernel_.instructions.front().address;
    place.bits = one.address && first ? *one.address - *first + 4 : 0;
    const Emitter emitter(made, registers_, lanes_, bound);
    move(made, kPointer, {place}, {emitter.range_of(bound.at("d"), 2)});
    return made;
  }
  const auto& symbol = bound.at("b").operand;
  if (symbol.kind != Operand::Kind::Symbol) return std::nullopt;
  const bool low = one.name == "s_add_u32", table = symbol.part.starts_with("gotpcrel");
  const auto region = region_of(symbol.symbol);
  Emitter emitter(made, registers_, lanes_, bound);
  emitter.read(bound.at("a"), kWord);
  const auto to = emitter.range_of(bound.at("d"), 1);
  Input address;
  address.kind = Input::Kind::Region;
  address.index = region;
  address.bits = table ? 0 : static_cast<std::uint64_t>(symbol.addend - (low ? 4 : 12));
  move(made, kPointer, {address},
       low ? std::vector<isa::RegisterRange>{to, {0, 0}} : std::vector<isa::RegisterRange>{{0, 0}, to});
  move(made, {Type::Kind::Predicate, 1}, {number_input(0)}, {{kScc, 1}});
  if (table && !low) {
    // The pair holds where the address stands.
    effect_.to = to.first - 1;
    effect_.sets = KnownPointer{KnownPointer::To::AddressOf, region, 0, false};
  }
  return made;
}

/// Copies of pointers, and sums with numbers.
void Decoder::note_effect(const TextInstruction& one, const std::map<std::string, BoundOperand>& bound) {
  const auto scalar = [&](const char* name) {
    const auto found = bound.find(name);
    return found != bound.end() && found->second.operand.kind == Operand::Kind::Scalar ? &found->second.operand
                                                                                       : nullptr;
  };
  const auto* const to = scalar("d");
  const auto* const from = scalar("a");
  if (to == nullptr || from == nullptr) return;
  if (one.name == "s_mov_b32" || one.name == "s_mov_b64") {
    effect_ = {to->first, from->first, one.name.ends_with("64") ? 2U : 1U, 0, std::nullopt};
  } else if (one.name == "s_add_u32" || one.name == "s_addc_u32" || one.name == "s_add_i32") {
    const auto& number = bound.at("b").operand;
    if (number.kind == Operand::Kind::Number)
      effect_ = {to->first, from->first, 1, static_cast<std::int64_t>(static_cast<std::int32_t>(number.bits)),
                 std::nullopt};
  }
}

}  // namespace warpipe::amdgcn
