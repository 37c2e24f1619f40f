#include "decoder.hpp"

#include <fmt/format.h>

#include <set>

#include "lines.hpp"

namespace warpipe::amdgcn {

using isa::Input;
using isa::Instruction;

Operand Decoder::operand_of(const std::string& text) const {
  auto operand = parse_operand(text, target_);
  if (!operand) throw Problem{"an operand is a register, a number or a symbol", fmt::format("found \"{}\"", text), ""};
  if (target_.null_is_124 && operand->kind == Operand::Kind::Scalar && operand->first == kM0 && text == "null")
    operand->kind = Operand::Kind::Off;
  return *operand;
}

/// Parses an operand and refuses too few registers.
Operand Decoder::sized(const std::string& text, std::uint32_t words) const {
  const auto operand = operand_of(text);
  const bool truth = operand.kind == Operand::Kind::Scalar && operand.first == kScc;
  if (operand.is_register() && !truth && operand.count < words)
    throw Problem{fmt::format("the operand has {} registers", words), fmt::format("found \"{}\"", text), ""};
  return operand;
}

/// Binds the operands of the text to the names in the table.
std::map<std::string, BoundOperand> Decoder::bind(const TextInstruction& one, std::string_view shape) const {
  std::map<std::string, BoundOperand> bound;
  std::size_t next = 0;
  while (!shape.empty()) {
    const auto end = shape.find(' ');
    const auto word = shape.substr(0, end);
    shape.remove_prefix(end == std::string_view::npos ? shape.size() : end + 1);
    if (next == one.operands.size()) {
      // The short form of gfx9 leaves out where a mask goes.
      throw Problem{fmt::format("\"{}\" has more operands", one.name), fmt::format("found \"{}\"", one.text), ""};
    }
    BoundOperand made;
    made.mask = word[0] == 'm' || word[0] == 'n';
    made.words = word.size() > 1 ? static_cast<std::uint32_t>(*whole_number(word.substr(1))) : 1;
    const auto& text = one.operands[next++];
    if (word[0] == 'k' || word[0] == 'h') {
      const auto number = whole_number(text);
      if (!number && !text.starts_with("hwreg"))
        throw Problem{"the operand is a number", fmt::format("found \"{}\"", text), ""};
      made.operand.kind = Operand::Kind::Number;
      const auto bits = static_cast<std::uint64_t>(number.value_or(0));
      made.operand.bits =
          word[0] == 'k' ? static_cast<std::uint64_t>(isa::sign_extended(bits & 0xffff, 16)) : bits & 0xffff;
    } else {
      made.operand = sized(text, made.mask ? (lanes_ > 32 ? 2U : 1U) : made.words);
      const bool result = word[0] == 'd' || word[0] == 'x' || word[0] == 'm';
      if (result && !made.operand.is_register() && made.operand.kind != Operand::Kind::Off)
        throw Problem{"a result is a register", fmt::format("found \"{}\"", text), ""};
      if (made.mask && made.operand.kind == Operand::Kind::Number && word[0] == 'n') made.mask = false;
    }
    bound[std::string(1, word[0])] = made;
  }
  if (next < one.operands.size())
    throw Problem{fmt::format("\"{}\" has {} operands", one.name, next), fmt::format("found \"{}\"", one.text), ""};
  return bound;
}

std::map<std::string, BoundOperand> Decoder::sections(const TextInstruction& one,
                                                      std::map<std::string, BoundOperand> bound) {
  for (const auto& [name, modifier] : {std::pair{"a", "src0_sel"}, std::pair{"b", "src1_sel"}}) {
    const auto section = one.modifier(modifier);
    const auto operand = bound.find(name);
    if (!section || operand == bound.end()) continue;
    static const std::set<std::string, std::less<>> kSections{"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3",
                                                              "WORD_0", "WORD_1", "DWORD"};
    if (!kSections.contains(*section))
      throw Problem{"a section is BYTE_0 to BYTE_3, WORD_0, WORD_1 or DWORD", fmt::format("found \"{}\"", *section),
                    ""};
    operand->second.section = *section;
  }
  if (const auto section = one.modifier("dst_sel");
      section && !section->starts_with("BYTE_") && !section->starts_with("WORD_") && *section != "DWORD")
    throw Problem{"a section is BYTE_0 to BYTE_3, WORD_0, WORD_1 or DWORD", fmt::format("found \"{}\"", *section), ""};
  return bound;
}

Input Decoder::register_input(const Operand& operand, std::uint32_t words, Instruction& made) const {
  Input input;
  if (!operand.is_register()) {
    input.bits = operand.kind == Operand::Kind::Number ? operand.bits : 0;
    return input;
  }
  input.kind = Input::Kind::Register;
  input.registers = registers_.range_of(operand, words);
  made.reads.push_back(input.registers);
  return input;
}

}  // namespace warpipe::amdgcn
