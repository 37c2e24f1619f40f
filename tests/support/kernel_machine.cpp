#include "kernel_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "lanes/across_lanes.hpp"
#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::test {
namespace {

using isa::Access;
using isa::Input;
using isa::Instruction;
using isa::LaneOp;
using isa::Space;
using Flow = Instruction::Flow;
using Mask = std::uint64_t;

constexpr std::uint64_t kGlobal = std::uint64_t{1} << 33;  // where global memory begins
constexpr std::size_t kGap = 256, kSharedBytes = 1 << 17, kLocalBytes = 1 << 14;
constexpr std::int64_t kMostInstructions = 100'000'000;

std::uint64_t aligned(std::uint64_t address, std::uint64_t to) { return (address + to - 1) / to * to; }

bool names_addition(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower.find("add") != std::string::npos || lower.find("red") != std::string::npos ||
         lower.find("popc.inc") != std::string::npos;
}

}  // namespace

KernelMachine::KernelMachine(const isa::Program& program)
    : program_(program), executions_(program.instructions.size(), 0) {
  for (const auto& region : program.regions) {
    const auto to = static_cast<std::uint64_t>(std::max<std::int64_t>(1, region.alignment));
    const auto bytes = static_cast<std::uint64_t>(region.bytes());
    std::vector<std::byte> content(bytes);
    const auto width = static_cast<std::size_t>(region.element.bits / 8);
    for (std::size_t i = 0; i < region.values.size() && (i + 1) * width <= bytes; ++i)
      std::memcpy(content.data() + i * width, &region.values[i], width);
    switch (region.space) {
      case Space::Shared:
        shared_bytes_ = aligned(shared_bytes_, to);
        regions_.push_back(shared_bytes_);
        shared_bytes_ += bytes;
        break;
      case Space::Local:
        local_bytes_ = aligned(local_bytes_, to);
        regions_.push_back(local_bytes_);
        local_bytes_ += bytes;
        break;
      case Space::Constant:
        constant_.resize(aligned(constant_.size(), to));
        regions_.push_back(constant_.size());
        constant_.insert(constant_.end(), content.begin(), content.end());
        break;
      default:
        regions_.push_back(add_array(content));
    }
  }
}

std::uint64_t KernelMachine::add_array(std::span<const std::byte> bytes) {
  global_.resize(aligned(global_.size() + kGap, kGap));
  const auto address = kGlobal + global_.size();
  global_.insert(global_.end(), bytes.begin(), bytes.end());
  return address;
}

std::span<const std::byte> KernelMachine::bytes_at(std::uint64_t address, std::size_t count) const {
  if (address < kGlobal || address - kGlobal + count > global_.size())
    throw std::runtime_error(fmt::format("address {:#x} is outside of memory", address));
  return {global_.data() + (address - kGlobal), count};
}

void KernelMachine::set_region(const std::string& name, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < program_.regions.size(); ++i) {
    if (program_.regions[i].name != name) continue;
    auto& memory = program_.regions[i].space == Space::Constant ? constant_ : global_;
    const auto first = regions_[i] - (program_.regions[i].space == Space::Constant ? 0 : kGlobal);
    std::memcpy(memory.data() + first, bytes.data(), bytes.size());
    return;
  }
  throw std::runtime_error("no region \"" + name + "\"");
}

/// A group in execution.
struct Group {
  std::array<std::int64_t, 3> index{};
  std::vector<std::byte> shared = std::vector<std::byte>(kSharedBytes);
};

struct KernelMachine::Warp {
  std::int64_t number = 0;
  std::vector<std::array<std::uint64_t, 64>> registers;  ///< of a uniform register, the first lane's
  std::array<std::uint32_t, 64> at{};                    ///< the next instruction of each lane
  Mask alive = 0, at_barrier = 0;
  std::vector<std::byte> local;
  std::int64_t executed = 0;
};

class WarpOfMachine {
 public:
  WarpOfMachine(KernelMachine& machine, const isa::Launch& launch, const std::vector<std::uint64_t>& arguments,
                Group& group, KernelMachine::Warp& warp)
      : machine_(machine),
        program_(machine.program_),
        launch_(launch),
        arguments_(arguments),
        group_(group),
        warp_(warp) {}

  /// Until all lanes are at a barrier or have ended.
  void go_on() {
    while ((warp_.alive & ~warp_.at_barrier) != 0) step();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("line {}, \"{}\": {}", instruction_->line, instruction_->text, what));
  }

  void step() {
    const auto ready = warp_.alive & ~warp_.at_barrier;
    std::uint32_t first = UINT32_MAX;
    for (std::size_t lane = 0; lane < 64; ++lane)
      if (((ready >> lane) & 1) != 0) first = std::min(first, warp_.at[lane]);
    Mask here = 0;
    for (std::size_t lane = 0; lane < 64; ++lane)
      here |= Mask{((ready >> lane) & 1) != 0 && warp_.at[lane] == first} << lane;
    if (first >= program_.instructions.size()) throw std::runtime_error("a warp runs over the end");
    instruction_ = &program_.instructions[first];
    if (++warp_.executed > kMostInstructions) fail("the kernel does not end");
    execute(first, here);
  }

  void execute(std::uint32_t index, Mask here) {
    const auto& next = *instruction_;
    auto active = program_.mask ? whole(*program_.mask) : here;
    if (!next.per_lane) active = here & (~here + 1);
    if (next.guard) active &= true_lanes(*next.guard, active);
    ++machine_.executions_[index];
    const bool jumps = next.flow == Flow::Jump || next.flow == Flow::Exit || next.flow == Flow::Table;
    if (!jumps && next.flow != Flow::Barrier && active != 0) {
      if (next.access)
        access(active);
      else
        for (const auto& assignment : next.assignments) assign(assignment, active);
    }
    for (std::size_t lane = 0; lane < 64; ++lane)
      if (((here >> lane) & 1) != 0) warp_.at[lane] = index + 1;
    if (next.flow == Flow::Barrier) warp_.at_barrier |= here;
    // The lanes of a warp with an execution mask share one place: the guard of one lane decides for all.
    const auto going = program_.mask && active != 0 ? here : active;
    if (next.flow == Flow::Exit) warp_.alive &= ~going;
    if (next.flow == Flow::Jump || next.flow == Flow::Table)
      for (std::size_t lane = 0; lane < 64; ++lane)
        if (((going >> lane) & 1) != 0)
          warp_.at[lane] = next.targets.at(next.flow == Flow::Table ? value(*next.index, lane) : 0);
  }

  Mask true_lanes(const Input& guard, Mask active) const {
    Mask result = 0;
    for (std::size_t lane = 0; lane < 64; ++lane)
      if (((active >> lane) & 1) != 0 && value(guard, lane) != 0) result |= Mask{1} << lane;
    return result;
  }

  bool uniform(std::uint32_t reg) const { return !isa::is_per_lane(program_.registers[reg].file); }
  std::size_t place(std::uint32_t reg, std::size_t lane) const { return uniform(reg) ? 0 : lane; }

  std::uint64_t whole(const isa::RegisterRange& range, std::size_t lane = 0) const {
    std::uint64_t number = 0;
    int shift = 0;
    for (std::uint32_t i = 0; i < range.count && shift < 64; ++i) {
      number |= warp_.registers[range.first + i][place(range.first + i, lane)] << shift;
      shift += program_.registers[range.first + i].bits;
    }
    return number;
  }

  std::uint64_t value(const Input& input, std::size_t lane) const {
    switch (input.kind) {
      case Input::Kind::Register: {
        auto number = whole(input.registers, input.lane.value_or(lane));
        if (input.bit_of_lane) number = (number >> lane) & 1;
        return input.negated ? (number == 0 ? 1 : 0) : number;
      }
      case Input::Kind::Constant:
        return input.bits;
      case Input::Kind::Special:
        return special(input.special, lane);
      case Input::Kind::Parameter:
        if (input.index == isa::kNoParameter || input.part) fail("reads a parameter that is not known");
        return input.index < arguments_.size() ? arguments_[input.index] : 0;
      case Input::Kind::Region:
        return machine_.regions_[input.index] + input.bits;
      default:
        fail("an input is not known");
    }
  }

  std::uint64_t special(const isa::Special& special, std::size_t lane) const {
    using Name = isa::Special::Name;
    const auto axis = special.axis;
    const auto& block = launch_.block;
    const auto linear = warp_.number * program_.lanes + static_cast<std::int64_t>(lane);
    const std::array<std::int64_t, 3> thread{linear % block[0], linear / block[0] % block[1],
                                             linear / block[0] / block[1]};
    const auto number = [](std::int64_t whole) { return static_cast<std::uint64_t>(whole); };
    const auto own = Mask{1} << lane;
    switch (special.name) {
      case Name::ThreadIndex:
        return number(thread[axis]);
      case Name::GroupSize:
        return number(block[axis]);
      case Name::GroupIndex:
        return number(group_.index[axis]);
      case Name::GridSize:
        return number(launch_.grid[axis]);
      case Name::LaneIndex:
        return lane;
      case Name::LaneBit:
        return own;
      case Name::LanesBelow:
        return own - 1;
      case Name::LanesUpTo:
        return own | (own - 1);
      case Name::LanesAbove:
        return isa::truncated(~(own | (own - 1)), static_cast<int>(program_.lanes));
      case Name::LanesFrom:
        return isa::truncated(~(own - 1), static_cast<int>(program_.lanes));
      case Name::WarpIndex:
        return number(warp_.number);
      case Name::LanesPerWarp:
        return number(program_.lanes);
      case Name::DynamicSharedBytes:
        return number(launch_.dynamic_shared_memory);
      default:
        return 0;
    }
  }

  void put(const isa::Output& output, std::size_t lane, std::uint64_t number) {
    for (std::uint32_t i = 0; i < output.registers.count; ++i) {
      const auto reg = output.registers.first + i;
      const auto bits = program_.registers[reg].bits;
      warp_.registers[reg][place(reg, lane)] = isa::truncated(number, bits);
      number = bits >= 64 ? 0 : number >> bits;
    }
  }

  void put_in(Mask active, const isa::Output& output, std::uint64_t number) {
    for (std::size_t lane = 0; lane < 64; ++lane)
      if (((active >> lane) & 1) != 0) put(output, lane, number);
  }

  void assign(const isa::Assignment& assignment, Mask active) {
    const auto& operation = assignment.operation;
    if (operation.op == LaneOp::Unknown) {
      // No division needs its slow path.
      if (instruction_->name.starts_with("FCHK")) return put_in(active, assignment.outputs.front(), 0);
      // A further result, such as an overflow, may be lost.
      if (instruction_->assignments.size() == 1) fail("its operation is not followed");
      return;
    }
    if (isa::is_across_lanes(operation.op)) return assign_across(assignment, active);
    std::vector<Mask> bits(assignment.outputs.size(), 0);
    for (std::size_t lane = 0; lane < 64; ++lane) {
      if (((active >> lane) & 1) == 0) continue;
      std::vector<std::uint64_t> inputs;
      for (const auto& input : assignment.inputs) inputs.push_back(value(input, lane));
      const bool packs = operation.op == LaneOp::Move && inputs.size() > 1;
      if (packs) {
        const auto part = operation.type.bits / static_cast<int>(inputs.size());
        std::uint64_t joined = 0;
        for (std::size_t i = 0; i < inputs.size(); ++i)
          joined |= isa::truncated(inputs[i], part) << (static_cast<int>(i) * part);
        inputs = {joined};
      }
      const auto result = isa::evaluate(operation, inputs);
      if (!result) fail("a division by zero");
      for (std::size_t i = 0; i < assignment.outputs.size(); ++i) {
        auto number = *result;
        if (operation.op == LaneOp::Move && assignment.outputs.size() > 1) {
          const auto part = operation.type.bits / static_cast<int>(assignment.outputs.size());
          number = isa::truncated(number >> (static_cast<int>(i) * part), part);
        } else if (i == 1) {
          number = isa::second_result(operation, inputs, *result);
        }
        if (assignment.outputs[i].bit_of_lane)
          bits[i] |= Mask{number != 0} << lane;
        else
          put(assignment.outputs[i], lane, number);
      }
    }
    for (std::size_t i = 0; i < assignment.outputs.size(); ++i)
      if (assignment.outputs[i].bit_of_lane) put({assignment.outputs[i].registers}, 0, bits[i]);
  }

  void assign_across(const isa::Assignment& assignment, Mask active) {
    isa::LaneInputs read{};
    for (std::size_t lane = 0; lane < 64; ++lane)
      if (((active >> lane) & 1) != 0)
        for (std::size_t i = 0; i < assignment.inputs.size() && i < read.size(); ++i)
          read[i][lane] = value(assignment.inputs[i], lane);
    std::array<isa::AcrossLanes, 64> results{};
    for (std::size_t lane = 0; lane < 64; ++lane)
      if (((active >> lane) & 1) != 0) results[lane] = isa::evaluate_across(assignment.operation, read, active, lane);
    for (std::size_t lane = 0; lane < 64; ++lane)
      if (((active >> lane) & 1) != 0)
        for (std::size_t i = 0; i < assignment.outputs.size(); ++i)
          put(assignment.outputs[i], lane, i == 0 ? results[lane].value : results[lane].truth ? 1 : 0);
  }

  // ---- memory

  std::byte* memory(Space space, std::uint64_t address, std::size_t lane, std::size_t bytes) {
    if (space == Space::Generic) {
      const auto window = address & isa::kWindowMask;
      space = window == isa::kSharedWindow     ? Space::Shared
              : window == isa::kLocalWindow    ? Space::Local
              : window == isa::kConstantWindow ? Space::Constant
                                               : Space::Global;
    }
    if (space != Space::Global) address &= ~isa::kWindowMask;
    const auto within = [&](std::vector<std::byte>& all, std::uint64_t first, std::uint64_t end) {
      if (address < first || address + bytes > end || end - first > all.size() + first)
        fail(fmt::format("address {:#x} is outside of the {} memory", address, isa::to_string(space)));
      return all.data() + (address - first);
    };
    switch (space) {
      case Space::Shared:
        return within(group_.shared, 0, group_.shared.size());
      case Space::Local:
        if (address + bytes > kLocalBytes) fail("an address is outside of the memory of the thread");
        if (warp_.local.empty()) warp_.local.resize(kLocalBytes * 64);
        return warp_.local.data() + lane * kLocalBytes + address;
      case Space::Constant:
        if (address < kGlobal) return within(machine_.constant_, 0, machine_.constant_.size());
        [[fallthrough]];
      default:
        return within(machine_.global_, kGlobal, kGlobal + machine_.global_.size());
    }
  }

  std::uint64_t address_of(const Access& access, std::size_t lane) const {
    auto address = value(access.base, lane) * access.scale + static_cast<std::uint64_t>(access.offset);
    if (access.uniform_base) address += value(*access.uniform_base, lane);
    if (!access.terms.empty() || access.tile) fail("an access to tensors is not executed");
    const auto& base = access.base;
    const bool narrow = base.kind == Input::Kind::Register && base.registers.count == 1 && !access.uniform_base &&
                        program_.registers[base.registers.first].bits == 32;
    return narrow && access.space != Space::Global && access.space != Space::Generic ? address & 0xffffffff : address;
  }

  void access(Mask active) {
    const auto& access = *instruction_->access;
    std::array<std::uint64_t, 64> addresses{};
    for (std::size_t lane = 0; lane < 64; ++lane)
      if (((active >> lane) & 1) != 0) addresses[lane] = address_of(access, lane);
    if (access.kind == Access::Kind::Copy || access.kind == Access::Kind::Matrix) fail("such a copy is not executed");
    for (std::size_t lane = 0; lane < 64; ++lane) {
      if (((active >> lane) & 1) == 0) continue;
      const auto width = static_cast<std::size_t>(std::max(8, access.element.bits) / 8);
      if (access.kind == Access::Kind::Atomic) {
        atomic(access, lane, addresses[lane], width);
      } else if (access.kind == Access::Kind::Store) {
        if (access.stored.empty()) fail("what it stores is not known");
        for (std::size_t i = 0; i < access.stored.size(); ++i) {
          const auto number = value(access.stored[i], lane);
          std::memcpy(memory(access.space, addresses[lane] + i * width, lane, width), &number, width);
        }
      } else {
        load(access, lane, addresses[lane], width);
      }
    }
  }

  void load(const Access& access, std::size_t lane, std::uint64_t address, std::size_t width) {
    std::size_t i = 0;
    for (const auto& assignment : instruction_->assignments)
      for (const auto& output : assignment.outputs) {
        std::uint64_t number = 0;
        std::memcpy(&number, memory(access.space, address + i++ * width, lane, width), width);
        if (access.element.kind == isa::Type::Kind::Signed)
          number = static_cast<std::uint64_t>(isa::sign_extended(number, access.element.bits));
        put(output, lane, number);
      }
  }

  /// Additions of whole numbers.
  void atomic(const Access& access, std::size_t lane, std::uint64_t address, std::size_t width) {
    if (access.stored.size() != 1 || !names_addition(instruction_->name)) fail("such an atomic is not executed");
    auto* const place = memory(access.space, address, lane, width);
    std::uint64_t before = 0;
    std::memcpy(&before, place, width);
    const auto sum = before + value(access.stored.front(), lane);
    std::memcpy(place, &sum, width);
    for (const auto& assignment : instruction_->assignments)
      for (const auto& output : assignment.outputs) put(output, lane, before);
  }

  KernelMachine& machine_;
  const isa::Program& program_;
  const isa::Launch& launch_;
  const std::vector<std::uint64_t>& arguments_;
  Group& group_;
  KernelMachine::Warp& warp_;
  const Instruction* instruction_ = nullptr;
};

std::map<std::string, double> KernelMachine::issued() const {
  std::map<std::string, double> issued;
  for (std::size_t i = 0; i < executions_.size(); ++i)
    for (const auto& op : program_.instructions[i].ops)
      if (executions_[i] > 0) issued[op] += static_cast<double>(executions_[i]);
  return issued;
}

void KernelMachine::run(const isa::Launch& launch, const std::vector<std::uint64_t>& arguments) {
  const auto threads = launch.block[0] * launch.block[1] * launch.block[2];
  const auto groups = launch.grid[0] * launch.grid[1] * launch.grid[2];
  for (std::int64_t index = 0; index < groups; ++index) {
    Group group;
    group.index = {index % launch.grid[0], index / launch.grid[0] % launch.grid[1],
                   index / launch.grid[0] / launch.grid[1]};
    std::vector<Warp> warps;
    for (std::int64_t first = 0; first < threads; first += program_.lanes) {
      auto& warp = warps.emplace_back();
      warp.number = first / program_.lanes;
      warp.registers.resize(program_.registers.size());
      warp.alive = isa::truncated(~Mask{0}, static_cast<int>(std::min(program_.lanes, threads - first)));
      if (const auto& mask = program_.mask) {
        auto bits = warp.alive;
        for (std::uint32_t i = 0; i < mask->count; ++i) {
          const auto width = program_.registers[mask->first + i].bits;
          warp.registers[mask->first + i][0] = isa::truncated(bits, width);
          bits = width >= 64 ? 0 : bits >> width;
        }
      }
    }
    const auto is_alive = [](const Warp& warp) { return warp.alive != 0; };
    while (std::ranges::any_of(warps, is_alive)) {
      for (auto& warp : warps) WarpOfMachine(*this, launch, arguments, group, warp).go_on();
      for (auto& warp : warps) warp.at_barrier = 0;
    }
  }
}

}  // namespace warpipe::test
