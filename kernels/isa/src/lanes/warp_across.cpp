// What lanes of a warp compute together.
#include <algorithm>

#include "lanes/across_lanes.hpp"
#include "lanes/interpreter.hpp"

namespace warpipe::isa {
namespace {

/// Whether lanes that take part together get the same.
bool is_alike(LaneOp op) { return op != LaneOp::MatchAny && op != LaneOp::Elect && op < LaneOp::ShuffleUp; }

}  // namespace

/// The active lanes count, and of these the ones in a mask among the inputs, which may be another one in other lanes.
void Interpreter::compute_across(const Step& next, const Assignment& assignment, LaneMask mask) {
  const auto& inputs = assignment.inputs;
  const auto values = inputs_of(assignment.operation.op);
  auto certain = mask, placed = mask;  // lanes whose numbers are known, and whose masks are
  auto origin = next.index;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    touch(inputs[i], mask);
    const auto given = known(inputs[i], mask);
    (i < values ? certain : placed) &= given;
    if (given != mask && inputs[i].kind == Input::Kind::Register) origin = origin_of(inputs[i]);
  }
  LaneInputs read{};
  for_each_lane(certain & placed, [&](std::size_t lane) {
    for (std::size_t i = 0; i < values && i < read.size(); ++i) read[i][lane] = value(inputs[i], lane);
    for (const auto& input : inputs)
      if (closing_ && !motion(input, lane).rests()) closable_ = false;
  });
  // Masks have 32 bits: in wider warps all lanes take part.
  const bool masked = inputs.size() > values && lanes_ <= 32;
  const auto members = [&](std::size_t lane) {
    return mask & (masked ? value(inputs[values], lane) | (LaneMask{1} << lane) : ~LaneMask{0});
  };
  for (const auto& output : assignment.outputs) forget(output.registers, mask & ~placed, origin);
  for (auto rest = placed; rest != 0;) {
    const auto lanes = members(static_cast<std::size_t>(std::countr_zero(rest)));
    LaneMask together = 0;
    for_each_lane(rest, [&](std::size_t lane) { together |= LaneMask{members(lane) == lanes} << lane; });
    rest &= ~together;
    write_across(assignment, read, lanes, together, certain & placed, origin);
  }
}

/// Where a lane that takes part is not known, nothing is, but that some lane holds what a known one does.
void Interpreter::write_across(const Assignment& assignment, const LaneInputs& read, LaneMask lanes, LaneMask together,
                               LaneMask certain, std::uint32_t origin) {
  const auto& operation = assignment.operation;
  const auto& outputs = assignment.outputs;
  const auto get = [&](std::size_t lane) { return evaluate_across(operation, read, lanes & certain, lane); };
  const auto first = static_cast<std::size_t>(std::countr_zero(together));
  const bool settled = operation.op == LaneOp::AnyLane && get(first).value != 0;
  if ((lanes & ~certain) != 0 && !settled) {
    for (const auto& output : outputs) forget(output.registers, together, origin);
    return;
  }
  const auto put = [&](LaneMask to, const AcrossLanes& result) {
    for (std::size_t i = 0; i < outputs.size(); ++i)
      write(outputs[i].registers, to, i == 0 ? result.value : result.truth ? 1 : 0);
  };
  if (is_alike(operation.op)) return put(together, get(first));
  for_each_lane(together, [&](std::size_t lane) { put(LaneMask{1} << lane, get(lane)); });
}

}  // namespace warpipe::isa
