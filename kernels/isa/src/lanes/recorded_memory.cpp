#include "lanes/recorded_memory.hpp"

#include <algorithm>
#include <iterator>

#include "lanes/structures.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kMostRanges = std::size_t{1} << 15;  // ranges with addresses below the program's variables

}  // namespace

RecordedMemory::RecordedMemory(const RecordedLoads& recorded, const Program& program,
                               const std::vector<Argument>& arguments, const MemoryLayout& layout)
    : recorded_(recorded), program_(program), arguments_(arguments), layout_(layout) {
  // Behind the arrays of parameters, of accesses without a parameter and of structures.
  first_ = std::uint64_t{2 * program.parameters.size() + 1 + kNamelessArrays} << kArrayShift;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].pointer && arguments[i].passed) arrays_.push_back({*arguments[i].passed, *arguments[i].bits});
    for (const auto at : arguments[i].pointers_in_block)
      if (const auto passed = pointer_in(arguments[i], at))
        arrays_.push_back({*passed, array_of_pointer(program, {i, at})});
  }
  for (std::size_t i = 0; i < program.regions.size(); ++i) {
    const auto& region = program.regions[i];
    const auto found = recorded.variables.find(region.name);
    if (region.space == Space::Global && found != recorded.variables.end())
      arrays_.push_back({found->second, layout.address_of(i)});
  }
  std::ranges::stable_sort(arrays_, {}, &Array::recorded);
}

std::optional<std::uint64_t> RecordedMemory::recorded(Space space, std::uint64_t address) const {
  const auto window = address & kWindowMask;
  if (space == Space::Shared || (space == Space::Generic && window == kSharedWindow))
    return (address & ~kWindowMask) | kSharedWindow;
  if ((space != Space::Global && space != Space::Generic) || window != 0) return std::nullopt;
  if (const auto region = layout_.region_at(Space::Global, address)) {
    const auto found = recorded_.variables.find(program_.regions[*region].name);
    if (found == recorded_.variables.end()) return std::nullopt;
    return found->second + (address - layout_.address_of(*region));
  }
  if (const auto range = range_at(address)) return recorded_.memory[*range].begin + (address - address_of(*range));
  if (const auto place = find_pointer(program_, address)) {
    const auto passed = pointer_in(arguments_[place->pointer.parameter], place->pointer.offset);
    if (!passed) return std::nullopt;
    return *passed + static_cast<std::uint64_t>(place->offset);
  }
  const auto number = array_number(address);
  if (number == 0 || number > arguments_.size()) return std::nullopt;
  const auto& argument = arguments_[number - 1];
  if (!argument.pointer || !argument.passed) return std::nullopt;
  return *argument.passed + (address - (number << kArrayShift));
}

std::optional<std::size_t> RecordedMemory::recorded_range(std::uint64_t number) const {
  const auto& all = recorded_.memory;
  const auto behind = std::ranges::upper_bound(all, number, {}, &RecordedLoads::Range::begin);
  // The address just behind a range counts as its end.
  if (behind == all.begin() || number > std::prev(behind)->end) return std::nullopt;
  return static_cast<std::size_t>(std::distance(all.begin(), behind) - 1);
}

std::uint64_t RecordedMemory::imported(std::uint64_t number) const {
  const auto range = recorded_range(number);
  if (!range) return number;
  const auto behind = std::ranges::upper_bound(arrays_, number, {}, &Array::recorded);
  if (behind != arrays_.begin() && std::prev(behind)->recorded >= recorded_.memory[*range].begin)
    return std::prev(behind)->imported + (number - std::prev(behind)->recorded);
  if (*range >= kMostRanges) return number;
  return address_of(*range) + (number - recorded_.memory[*range].begin);
}

std::optional<std::size_t> RecordedMemory::range_at(std::uint64_t address) const {
  const auto number = array_number(address), first = first_ >> kArrayShift;
  if (number < first || number - first >= recorded_.memory.size()) return std::nullopt;
  return static_cast<std::size_t>(number - first);
}

std::int64_t RecordedMemory::bytes_of(std::size_t range) const {
  return static_cast<std::int64_t>(recorded_.memory[range].end - recorded_.memory[range].begin);
}

}  // namespace warpipe::isa
