#include "decoder.hpp"

#include <fmt/format.h>

namespace warpipe::amdgcn {

using isa::Input;
using isa::LaneOp;
using isa::Special;

void Decoder::begin() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!launch_.group[axis]) continue;
    auto made = launch_instruction(fmt::format("s{} = the index of the group", *launch_.group[axis]), false);
    move(made, kWord, {special_input(Special::Name::GroupIndex, axis)}, {{*launch_.group[axis], 1}});
    put(std::move(made), kOfLaunch);
  }
  auto index = launch_instruction("v0 = the index of the thread", true);
  if (launch_.packed_index && launch_.thread_axes > 1) {
    const isa::RegisterRange moved{kOwn + kOwnOfAWidth + 1, 1};
    move(index, kWord, {special_input(Special::Name::ThreadIndex, 0)}, {{kVectors, 1}});
    for (std::size_t axis = 1; axis < static_cast<std::size_t>(launch_.thread_axes); ++axis) {
      isa::Assignment shift;
      shift.operation.op = LaneOp::ShiftLeft;
      shift.operation.type = shift.operation.result = kWord;
      shift.inputs = {special_input(Special::Name::ThreadIndex, axis), number_input(10 * axis)};
      shift.outputs = {{moved, false}};
      index.assignments.push_back(shift);
      Input v0, part;
      v0.kind = part.kind = Input::Kind::Register;
      v0.registers = {kVectors, 1};
      part.registers = moved;
      move(index, kWord, {v0, part}, {{kVectors, 1}}, LaneOp::Or);
    }
  } else {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(launch_.packed_index ? 1 : launch_.thread_axes); ++axis)
      move(index, kWord, {special_input(Special::Name::ThreadIndex, axis)},
           {{kVectors + static_cast<std::uint32_t>(axis), 1}});
  }
  put(std::move(index), kOfLaunch);
  auto zero = launch_instruction("m0, scratch and trap registers", false);
  move(zero, kWord, {number_input(0)}, {{kM0, 1}});
  if (launch_.wave_offset) move(zero, kWord, {number_input(0)}, {{*launch_.wave_offset, 1}});
  if (launch_.private_buffer)
    for (std::uint32_t i = 0; i < 4; ++i) move(zero, kWord, {number_input(0)}, {{*launch_.private_buffer + i, 1}});
  put(std::move(zero), kOfLaunch);
  first_ = static_cast<std::uint32_t>(made_.program.instructions.size());
}

}  // namespace warpipe::amdgcn
