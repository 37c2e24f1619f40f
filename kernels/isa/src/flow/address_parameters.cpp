#include "warpipe/isa/address_parameters.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {
namespace {

/// The number of times a number may be a term of a sum: once, subtracted once, or any other number of times, as for a
/// loop's sum or a product.
constexpr std::uint8_t kOnce = 1, kTakenOff = 2, kOften = 4;
/// By parameter of 64 bits; behind the last parameter, memory regions.
using Shares = std::map<std::size_t, std::uint8_t>;

void join(Shares& into, const Shares& more) {
  for (const auto& [index, how] : more) into[index] |= how;
}

Shares negative(Shares shares) {
  for (auto& [index, how] : shares)
    how = static_cast<std::uint8_t>((how & kOften) | ((how & kOnce) != 0 ? kTakenOff : 0) |
                                    ((how & kTakenOff) != 0 ? kOnce : 0));
  return shares;
}

Shares multiple(Shares shares) {
  for (auto& [index, how] : shares) how = kOften;
  return shares;
}

/// A number less itself is nothing.
std::uint8_t sum_of(std::uint8_t one, std::uint8_t other) {
  const bool once_more = ((one & kOnce) != 0 && (other & kOnce) != 0);
  const bool taken_twice = ((one & kTakenOff) != 0 && (other & kTakenOff) != 0);
  return ((one | other) & kOften) != 0 || once_more || taken_twice ? kOften : 0;
}

Shares sum(Shares one, const Shares& other) {
  for (const auto& [index, how] : other) {
    const auto [place, is_new] = one.emplace(index, how);
    if (is_new) continue;
    place->second = sum_of(place->second, how);
    if (place->second == 0) one.erase(place);
  }
  return one;
}

Shares product(const Input& factor, const Shares& of_factor, const Shares& shares, int bits) {
  if (factor.kind != Input::Kind::Constant) return sum(multiple(of_factor), multiple(shares));
  if (factor.bits == 0) return {};
  if (factor.bits == 1) return shares;
  return sign_extended(factor.bits, bits) == -1 ? negative(shares) : multiple(shares);
}

bool is_constant(const Input& input, std::uint64_t bits) {
  return input.kind == Input::Kind::Constant && input.bits == bits;
}

/// The parameters in the sums computed by a program.
class Sums {
 public:
  Sums(const Program& program, const ReachingDefinitions& definitions)
      : program_(program),
        definitions_(definitions),
        may_hold_(program.registers.size(), false),
        of_(program.instructions.size()) {
    const auto count = static_cast<std::uint32_t>(program.instructions.size());
    std::vector<bool> adds(count, false);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < count; ++i)
        if (!adds[i] && may_add(program.instructions[i])) changed = adds[i] = true;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < count; ++i)
        if (adds[i]) changed |= follow(i);
    }
  }

  Shares of(std::uint32_t instruction, const Input& input) const { return of(instruction, input, {}); }

  Shares of_address(std::uint32_t instruction, const Access& access) const {
    auto shares = of(instruction, access.base);
    if (access.scale != 1) shares = multiple(std::move(shares));
    return access.uniform_base ? sum(std::move(shares), of(instruction, *access.uniform_base)) : shares;
  }

 private:
  using Written = std::map<std::uint32_t, Shares>;  ///< by register

  /// Whether an instruction may pass a parameter on; notes its outputs.
  bool may_add(const Instruction& instruction) {
    bool any = false;
    for (const auto& assignment : instruction.assignments) {
      const bool holds = std::ranges::any_of(assignment.inputs, [&](const Input& input) {
        if (input.kind != Input::Kind::Register) return !start(input).empty();
        for (std::uint32_t k = 0; k < input.registers.count; ++k)
          if (may_hold_[input.registers.first + k]) return true;
        return false;
      });
      if (!holds || !passes_on(assignment.operation.op)) continue;
      any = true;
      for (const auto& output : assignment.outputs)
        for (std::uint32_t k = 0; k < output.registers.count; ++k) may_hold_[output.registers.first + k] = true;
    }
    return any;
  }

  static bool passes_on(LaneOp op) {
    switch (op) {
      case LaneOp::Move:
      case LaneOp::Add:
      case LaneOp::Subtract:
      case LaneOp::Multiply:
      case LaneOp::MultiplyHigh:
      case LaneOp::MultiplyWide:
      case LaneOp::MultiplyAdd:
      case LaneOp::MultiplyAddHigh:
      case LaneOp::MultiplyAddWide:
      case LaneOp::Negate:
      case LaneOp::Not:
      case LaneOp::ShiftLeft:
      case LaneOp::ShiftRight:
      case LaneOp::FunnelLeft:
      case LaneOp::Select:
      case LaneOp::ToGeneric:
      case LaneOp::FromGeneric:
        return true;
      default:
        return false;
    }
  }

  Shares start(const Input& input) const {
    if (input.kind == Input::Kind::Region) return {{program_.parameters.size() + input.index, kOnce}};
    if (input.kind == Input::Kind::Parameter && input.index != kNoParameter &&
        program_.parameters[input.index].type.bits == 64)
      return {{input.index, kOnce}};
    return {};
  }

  /// @param before  the results of the instruction's earlier assignments
  Shares of(std::uint32_t instruction, const Input& input, const Written& before) const {
    if (input.kind != Input::Kind::Register) return start(input);
    Shares shares;
    for (std::uint32_t k = 0; k < input.registers.count; ++k) {
      const auto reg = input.registers.first + k;
      if (!may_hold_[reg]) continue;
      if (const auto own = before.find(reg); own != before.end()) {
        join(shares, own->second);
        continue;
      }
      for (const auto writer : definitions_.writers(instruction, reg))
        if (const auto found = of_[writer].find(reg); found != of_[writer].end()) join(shares, found->second);
    }
    return shares;
  }

  static Shares result(const Assignment& assignment, std::vector<Shares> from) {
    const auto& inputs = assignment.inputs;
    const auto bits = assignment.operation.type.bits;
    if (from.empty()) return {};
    switch (assignment.operation.op) {
      case LaneOp::Select:
        from.resize(std::min<std::size_t>(from.size(), 2));
        [[fallthrough]];
      case LaneOp::Move:  // of several, packed
      case LaneOp::ToGeneric:
      case LaneOp::FromGeneric:
        for (std::size_t i = 1; i < from.size(); ++i) join(from[0], from[i]);
        return from[0];
      case LaneOp::Add:
        for (std::size_t i = 1; i < from.size(); ++i) from[0] = sum(std::move(from[0]), from[i]);
        return from[0];
      case LaneOp::Subtract:
        return from.size() < 2 ? Shares() : sum(from[0], negative(from[1]));
      case LaneOp::Negate:
      case LaneOp::Not:
        return negative(from[0]);
      case LaneOp::ShiftLeft:
        return inputs.size() > 1 && is_constant(inputs[1], 0) ? from[0] : multiple(from[0]);
      case LaneOp::ShiftRight:  // the upper word of two
        return inputs.size() > 1 && is_constant(inputs[1], 32) ? from[0] : Shares();
      case LaneOp::FunnelLeft:
        if (from.size() > 1) join(from[0], from[1]);
        return multiple(from[0]);
      default: {
        if (!passes_on(assignment.operation.op) || from.size() < 2) return {};
        const bool first = inputs[0].kind == Input::Kind::Constant;
        const auto made = product(inputs[first ? 0 : 1], from[first ? 0 : 1], from[first ? 1 : 0], bits);
        return from.size() > 2 ? sum(made, from[2]) : made;
      }
    }
  }

  /// @return whether an instruction's results may contain more than known before
  bool follow(std::uint32_t instruction) {
    Written written;
    for (const auto& assignment : program_.instructions[instruction].assignments) {
      std::vector<Shares> from;
      for (const auto& input : assignment.inputs) from.push_back(of(instruction, input, written));
      const auto made = result(assignment, std::move(from));
      for (const auto& output : assignment.outputs)
        for (std::uint32_t k = 0; k < output.registers.count; ++k) written[output.registers.first + k] = made;
    }
    bool changed = false;
    for (const auto& [reg, shares] : written)
      for (const auto& [index, how] : shares) {
        auto& known = of_[instruction][reg][index];
        changed = changed || (known | how) != known;
        known |= how;
      }
    return changed;
  }

  const Program& program_;
  const ReachingDefinitions& definitions_;
  std::vector<bool> may_hold_;  ///< by register: a parameter, somewhere
  std::vector<Written> of_;     ///< by instruction
};

}  // namespace

std::vector<bool> parameters_in_addresses(const Program& program, const ReachingDefinitions& definitions) {
  const Sums sums(program, definitions);
  const auto count = program.parameters.size();
  std::vector<bool> once(count, false), often(count, false), alone(count, false);
  const auto use = [&](const Shares& shares) {
    for (const auto& [index, how] : shares) {
      if (index >= count) continue;
      once[index] = once[index] || (how & kOnce) != 0;
      often[index] = often[index] || (how & kOften) != 0;
      alone[index] = alone[index] || (shares.size() == 1 && how == kOnce);
    }
  };
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const auto& instruction = program.instructions[i];
    if (instruction.access) use(sums.of_address(i, *instruction.access));
    for (const auto& assignment : instruction.assignments)
      if (assignment.operation.op == LaneOp::ToGeneric || assignment.operation.op == LaneOp::FromGeneric)
        for (const auto& input : assignment.inputs) use(sums.of(i, input));
  }
  std::vector<bool> result(count, false);
  for (std::size_t i = 0; i < count; ++i) result[i] = once[i] && (alone[i] || !often[i]);
  return result;
}

}  // namespace warpipe::isa
