#include "decoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lines.hpp"

namespace warpipe::amdgcn {

using isa::Access;
using isa::Input;
using isa::Instruction;
using isa::LaneOp;
using isa::Space;
using Unit = MemoryForm::Unit;

std::int64_t Decoder::offset_of(const TextInstruction& one, const char* name) const {
  const auto text = one.modifier(name);
  if (!text) return 0;
  const auto number = whole_number(*text);
  if (!number) throw Problem{"an offset is a number", fmt::format("found \"{}\"", *text), ""};
  return *number;
}

std::vector<Instruction> Decoder::memory(const TextInstruction& one, const Opcode& opcode, const Instruction& begun) {
  const auto& form = opcode.memory;
  switch (form.unit) {
    case Unit::Scalar:
    case Unit::ScalarBuffer:
      return {scalar_load(one, opcode, begun)};
    case Unit::Shared:
      return shared(one, opcode, begun);
    case Unit::Buffer:
      return buffer(one, opcode, begun);
    default:
      return {vector_access(one, opcode, begun)};
  }
}

Instruction Decoder::scalar_load(const TextInstruction& one, const Opcode& opcode, Instruction made) {
  made.per_lane = false;
  if (one.operands.size() < 2)
    throw Problem{"a scalar load has a result and an address", fmt::format("found \"{}\"", one.text), ""};
  const auto words = static_cast<std::uint32_t>(opcode.memory.elements);
  const auto to = sized(one.operands[0], words),
             base = sized(one.operands[1], opcode.memory.unit == Unit::ScalarBuffer ? 4 : 2);
  if (to.kind != Operand::Kind::Scalar || base.kind != Operand::Kind::Scalar)
    throw Problem{"a scalar load has scalar registers", fmt::format("found \"{}\"", one.text), ""};
  Access access;
  access.base = register_input(base, 2, made);
  access.offset = offset_of(one);
  if (one.operands.size() > 2) {
    const auto offset = operand_of(one.operands[2]);
    if (offset.is_register())
      access.uniform_base = register_input(offset, 1, made);
    else
      access.offset += static_cast<std::int64_t>(isa::sign_extended(offset.bits, 32));
  }
  access.bytes = static_cast<int>(4 * words);
  access.element = opcode.memory.element;
  access.lanes = 64;
  if (opcode.memory.unit == Unit::ScalarBuffer) {
    // Of a resource, 48 bits are the address.
    access.base.registers.count = 2;
  }
  isa::Assignment load;
  load.operation.op = LaneOp::Load;
  for (std::uint32_t i = 0; i < words; ++i) load.outputs.push_back({{to.first + i, 1}, false});
  made.assignments = {load};
  made.writes = {{to.first, words}};
  made.access = access;
  made.timing.raises = {kScalarMemory};
  return made;
}

void Decoder::add_results(Instruction& made, const Operand& to, const MemoryForm& form, std::uint32_t skip) const {
  if (!to.is_register()) throw Problem{"a result is a register", fmt::format("found \"{}\"", made.text), ""};
  isa::Assignment load;
  load.operation.op = form.half ? LaneOp::Unknown : LaneOp::Load;
  const auto words = form.element.bits == 64 ? 2U : 1U;
  const auto first = registers_.range_of(to, 1).first + skip;
  for (int i = 0; i < form.elements; ++i)
    load.outputs.push_back({{first + static_cast<std::uint32_t>(i) * words, words}, false});
  const isa::RegisterRange all{first, static_cast<std::uint32_t>(form.elements) * words};
  if (form.half) made.reads.push_back(all);
  if (form.kind == Access::Kind::Atomic) load.operation.op = LaneOp::Unknown;
  made.assignments.push_back(std::move(load));
  made.writes.push_back(all);
}

void Decoder::add_stored(Instruction& made, Access& access, const Operand& data, const Opcode& opcode,
                         std::uint32_t skip) const {
  if (!data.is_register()) throw Problem{"what is stored is a register", fmt::format("found \"{}\"", made.text), ""};
  const auto& form = opcode.memory;
  const std::uint32_t each = form.element.bits == 64 ? 2U : 1U;
  const auto first = registers_.range_of(data, 1).first + skip;
  const auto words = word_count(opcode.operands);
  // The comparand of a compare-and-swap stands behind the value to store.
  for (std::uint32_t i = 0; i < words; i += each) {
    Input part;
    part.kind = Input::Kind::Register;
    part.registers = {first + i, each};
    access.stored.push_back(part);
  }
  if (opcode.operands.starts_with("h")) access.stored.clear();
  made.reads.push_back({first, words});
}

/// Registers of the stored operand: 2 of "a2", "d1 a2 b2".
std::uint32_t Decoder::word_count(std::string_view shape) {
  const auto at = shape.find_first_of("ah");
  return at == std::string_view::npos || at + 1 >= shape.size() ? 1 : static_cast<std::uint32_t>(shape[at + 1] - '0');
}

bool Decoder::returns(const TextInstruction& one) { return one.has("glc") || one.has("sc0"); }

void Decoder::count(Instruction& made, const MemoryForm& form, bool result) const {
  const bool writes = form.kind == Access::Kind::Store || (form.kind == Access::Kind::Atomic && !result);
  made.timing.raises = {target_.store_counter && writes ? kStores : kVectorMemory};
  if (form.unit == Unit::Flat) made.timing.raises.push_back(kSharedMemory);
}

Instruction Decoder::vector_access(const TextInstruction& one, const Opcode& opcode, Instruction made) {
  const auto& form = opcode.memory;
  const bool atomic = form.kind == Access::Kind::Atomic, load = form.kind == Access::Kind::Load && !form.to_lds;
  std::vector<std::string> texts = one.operands;
  const bool has_result = load || (atomic && returns(one));
  std::optional<Operand> to;
  const auto take = [&] {
    if (texts.empty())
      throw Problem{fmt::format("\"{}\" has more operands", one.name), fmt::format("found \"{}\"", one.text), ""};
    const auto text = texts.front();
    texts.erase(texts.begin());
    return text;
  };
  const auto words = static_cast<std::uint32_t>(form.elements * std::max(1, form.element.bits / 32));
  if (has_result) to = sized(take(), words);
  Access access;
  const auto address = operand_of(take());
  std::optional<Operand> data;
  if (form.kind != Access::Kind::Load) data = sized(take(), word_count(opcode.operands));
  std::optional<Operand> scalar;
  if (!texts.empty()) scalar = operand_of(take());
  if (!texts.empty())
    throw Problem{fmt::format("\"{}\" has fewer operands", one.name), fmt::format("found \"{}\"", one.text), ""};
  const bool scratch = form.unit == Unit::Scratch;
  const bool by_scalar = scalar && scalar->is_register();
  if (address.is_register() && !by_scalar && !scratch && address.count < 2)
    throw Problem{"an address has two registers", fmt::format("found \"{}\"", one.text), ""};
  access.base = register_input(address, by_scalar || scratch ? 1 : 2, made);
  if (by_scalar) {
    const auto uniform = sized(texts_of_scalar(one, *scalar), scratch ? 1 : 2);
    access.uniform_base = register_input(uniform, scratch ? 1 : 2, made);
  }
  access.kind = form.kind;
  access.space = scratch ? Space::Local : form.unit == Unit::Flat ? Space::Generic : Space::Global;
  access.offset = offset_of(one);
  access.element = form.element;
  access.bytes = form.elements * form.element.bits / 8;
  if (to) add_results(made, *to, form);
  if (data) add_stored(made, access, *data, opcode);
  made.access = access;
  count(made, form, has_result);
  return made;
}

std::string Decoder::texts_of_scalar(const TextInstruction& one, const Operand&) { return one.operands.back(); }

/// The address common to all lanes of a buffer access: the address of its resource, if any, and an offset.
Instruction Decoder::buffer_base(const TextInstruction& one, const std::optional<Operand>& resource,
                                 const Operand& offset, const isa::RegisterRange& base) const {
  auto sum = launch_instruction(one.text, false);
  sum.line = one.line;
  sum.source = one.source;
  const auto whole = resource ? register_input(*resource, 2, sum) : number_input(0);
  isa::Assignment cut;
  cut.operation.op = LaneOp::And;
  cut.operation.type = cut.operation.result = kPointer;
  cut.inputs = {whole, number_input((std::uint64_t{1} << 48) - 1)};
  cut.outputs = {{base, false}};
  auto add = cut;
  add.operation.op = LaneOp::Add;
  Input so_far;
  so_far.kind = Input::Kind::Register;
  so_far.registers = base;
  add.inputs = {so_far, register_input(offset, 1, sum)};
  sum.assignments = {cut, add};
  sum.writes = {base};
  return sum;
}

/// An access through a resource in four scalar registers: its address, the offset of all lanes, and the offset of each
/// lane.
std::vector<Instruction> Decoder::buffer(const TextInstruction& one, const Opcode& opcode, Instruction made) {
  const auto& form = opcode.memory;
  const bool has_data = !form.to_lds;
  const std::size_t expected = has_data ? 4 : 3;
  if (one.operands.size() != expected)
    throw Problem{fmt::format("\"{}\" has {} operands", one.name, expected), fmt::format("found \"{}\"", one.text), ""};
  std::size_t next = has_data ? 1 : 0;
  const auto address = operand_of(one.operands[next++]);
  const auto resource = sized(one.operands[next++], 4);
  const auto offset = operand_of(one.operands[next++]);
  const bool scratch =
      launch_.private_buffer && resource.kind == Operand::Kind::Scalar && resource.first == *launch_.private_buffer;
  const bool indexed = one.has("idxen");
  const isa::RegisterRange base{kOwn + 5 * kOwnOfAWidth + kOwnOfAWidth - 1,
                                1};  // the last of the wave's own of 64 bits
  auto sum = buffer_base(one, scratch ? std::nullopt : std::optional(resource), offset, base);
  Access access;
  const bool laned = one.has("offen") && !indexed;
  if (indexed && !scratch) {
    // How far indices lie apart stands in the resource.
    access.base.kind = Input::Kind::Missing;
    register_input(address, address.count, made);
  } else if (laned || (address.is_register() && one.has("offen"))) {
    access.base = register_input(address, 1, made);
  }
  access.uniform_base = sum.assignments.back().inputs.front();
  made.reads.push_back(base);
  access.kind = form.kind;
  access.space = scratch ? Space::Local : Space::Global;
  access.offset = offset_of(one);
  access.element = form.element;
  access.bytes = form.elements * form.element.bits / 8;
  const auto words = static_cast<std::uint32_t>(form.elements * std::max(1, form.element.bits / 32));
  bool has_result = false;
  if (has_data) {
    const auto data = sized(one.operands[0], words);
    if (form.kind != Access::Kind::Load) add_stored(made, access, data, opcode);
    has_result = form.kind == Access::Kind::Load || (form.kind == Access::Kind::Atomic && returns(one));
    if (has_result) add_results(made, data, form);
  }
  made.access = access;
  count(made, form, has_result);
  return {sum, made};
}

/// Makes two accesses of two places, each with a single op, but as a unit for its counter.
std::vector<Instruction> Decoder::shared(const TextInstruction& one, const Opcode& opcode, const Instruction& begun) {
  const auto& form = opcode.memory;
  const bool result = opcode.operands.starts_with("d");
  const bool second_data = opcode.operands.find('b') != std::string::npos;
  const std::size_t expected = (result ? 1U : 0U) + 1U + (form.kind == Access::Kind::Load ? 0U : second_data ? 2U : 1U);
  if (one.operands.size() != expected)
    throw Problem{fmt::format("\"{}\" has {} operands", one.name, expected), fmt::format("found \"{}\"", one.text), ""};
  if (one.has("gds"))
    throw Problem{"the memory of all groups is not followed", fmt::format("found \"{}\"", one.text), ""};
  const auto words = static_cast<std::uint32_t>(form.elements * std::max(1, form.element.bits / 32));
  std::optional<Operand> to;
  if (result) to = sized(one.operands[0], words * static_cast<std::uint32_t>(form.places));
  const auto address = sized(one.operands[result ? 1 : 0], 1);
  std::vector<Instruction> all;
  for (int place = 0; place < form.places; ++place) {
    auto made = begun;
    Access access;
    access.space = Space::Shared;
    access.kind = form.kind;
    access.base = register_input(address, 1, made);
    access.offset = form.places == 1 ? offset_of(one) : offset_of(one, place == 0 ? "offset0" : "offset1") * form.scale;
    access.element = form.element;
    access.bytes = form.elements * form.element.bits / 8;
    if (to) add_results(made, *to, form, static_cast<std::uint32_t>(place) * words);
    if (form.kind != Access::Kind::Load) {
      const auto first = result ? 2 : 1;
      const auto data = sized(one.operands[static_cast<std::size_t>(first + (form.places == 2 ? place : 0))],
                              word_count(opcode.operands));
      add_stored(made, access, data, opcode);
      if (second_data && form.places == 1)
        made.reads.push_back(
            registers_.range_of(sized(one.operands.back(), word_count(opcode.operands)), word_count(opcode.operands)));
      if (second_data && form.places == 1) access.stored.clear();
    }
    made.access = access;
    all.push_back(std::move(made));
  }
  // Where the first one's result is the address, it comes last.
  if (all.size() == 2 && to && to->kind == address.kind && to->first <= address.first &&
      address.first < to->first + words)
    std::swap(all[0], all[1]);
  all[0].timing.raises = {kSharedMemory};
  if (all.size() == 2) all[1].timing.joins = {kSharedMemory};
  return all;
}

}  // namespace warpipe::amdgcn
