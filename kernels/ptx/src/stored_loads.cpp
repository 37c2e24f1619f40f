#include "stored_loads.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace warpipe::ptx {
namespace {

using Place = std::tuple<StateSpace, std::uint32_t, std::string, std::int64_t>;

Place place_of(const Instruction& access) {
  const auto& operands = access.operands;
  const auto& address = operands[access.opcode() == "st" ? 0 : std::min<std::size_t>(1, operands.size() - 1)];
  return {access.space(), address.has_register ? address.reg : UINT32_MAX, address.name, address.offset};
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> stored_loads(const Routine& routine,
                                                                  const isa::ControlFlow& flow) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
  for (const auto& block : flow.blocks) {
    std::map<Place, std::uint32_t> stored;
    for (auto i = block.first; i < block.last; ++i) {
      const auto& instruction = routine.instructions[i];
      const auto space = instruction.space();
      if (is_access(instruction) && (space == StateSpace::Shared || space == StateSpace::Local)) {
        const auto place = place_of(instruction);
        const auto found = stored.find(place);
        if (instruction.opcode() == "st")
          stored[place] = i;
        else if (found != stored.end())
          result.emplace_back(i, found->second);
      }
      if (instruction.opcode() == "bar" || instruction.opcode() == "barrier" || instruction.opcode() == "mbarrier")
        stored.clear();
      for (const auto reg : written_registers(instruction))
        std::erase_if(stored, [&](const auto& entry) { return std::get<1>(entry.first) == reg; });
    }
  }
  return result;
}

}  // namespace warpipe::ptx
