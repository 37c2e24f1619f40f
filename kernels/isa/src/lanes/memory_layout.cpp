#include "lanes/memory_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "symbolic/program_forms.hpp"
#include "warpipe/isa/lane_operation.hpp"

namespace warpipe::isa {
namespace {

template <class Whole>
Whole aligned(Whole at, std::int64_t alignment) {
  const auto step = static_cast<Whole>(alignment);
  return (at + step - 1) / step * step;
}

/// Numbers in no visible order, the same everywhere.
std::uint64_t scattered(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t bits_of(double value, Type type) {
  if (type.kind == Type::Kind::Float && type.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type.kind == Type::Kind::Float) return std::bit_cast<std::uint64_t>(value);
  if (!(value > -9.2e18 && value < 9.2e18)) return 0;
  return truncated(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), type.bits);
}

std::uint64_t bytes_of(Type type) { return static_cast<std::uint64_t>(std::max(1, type.bits / 8)); }

/// The index of the element so many bytes from the start of an array.
std::uint64_t element_at(std::uint64_t offset, Type type) { return offset / bytes_of(type); }

/// Of so many bytes, at most 8, the lowest first; nothing where the text ends before.
std::optional<std::uint64_t> number_in(std::string_view text, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > text.size() || bytes > text.size() - offset) return std::nullopt;
  std::uint64_t number = 0;
  std::memcpy(&number, text.data() + offset, std::min<std::uint64_t>(bytes, sizeof number));
  return number;
}

std::optional<std::uint64_t> element_of(const ArrayValues& values, std::uint64_t offset, Type type) {
  const auto element = element_at(offset, type);
  if (values.bytes) {
    if (values.bytes->was_read != nullptr) values.bytes->was_read->store(true, std::memory_order_relaxed);
    return number_in(values.bytes->bytes, offset, bytes_of(type));
  }
  if (values.uniform) return bits_of(static_cast<double>(scattered(element) % *values.uniform), type);
  if (values.rows) return truncated(element * *values.rows, type.bits);
  if (element >= values.values.size()) return std::nullopt;
  return bits_of(values.values[element], type);
}

}  // namespace

MemoryLayout::MemoryLayout(const Program& program, const Launch& launch, const std::vector<Argument>& arguments)
    : program_(program), regions_(program.regions), arguments_(arguments), addresses_(program.regions.size()) {
  const auto& regions = program.regions;
  const auto dynamic_shared_bytes = launch.dynamic_shared_memory;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    given_.push_back(values_of_region(program, launch, i));
    any_given_ = any_given_ || given_.back() != nullptr;
    of_space_[static_cast<std::size_t>(regions[i].space)].push_back(i);
  }
  // A region without a size lies behind all sized regions.
  for (std::size_t i = 0; i < regions.size(); ++i)
    if (regions[i].elements > 0) place(regions[i], addresses_[i], regions[i].bytes());
  const auto fixed = shared_;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (regions[i].elements > 0) continue;
    if (regions[i].space == Space::Shared) shared_ = fixed;
    place(regions[i], addresses_[i], dynamic_shared_bytes);
  }
  shared_ = std::max(shared_, fixed + dynamic_shared_bytes);
  any_array_ = std::ranges::any_of(
      arguments_, [](const Argument& argument) { return argument.values != nullptr || !argument.arrays.empty(); });
}

void MemoryLayout::place(const MemoryRegion& region, std::uint64_t& address, std::int64_t bytes) {
  const auto size = static_cast<std::uint64_t>(bytes);
  switch (region.space) {
    case Space::Shared:
      shared_ = aligned(shared_, region.alignment);
      address = static_cast<std::uint64_t>(shared_);
      shared_ += bytes;
      break;
    case Space::Local:
      local_ = aligned(local_, region.alignment);
      address = static_cast<std::uint64_t>(local_);
      local_ += bytes;
      break;
    case Space::Constant:
      constant_ = aligned(constant_, region.alignment);
      address = constant_;
      if (region.known) constants_.push_back({constant_, size, &region});
      constant_ += size;
      break;
    default:
      // Each on lines of its own.
      global_ = aligned(global_, 256);
      address = global_;
      if (region.known) globals_.push_back({global_, size, &region});
      global_ += size;
  }
}

std::optional<std::size_t> MemoryLayout::region_at(Space space, std::uint64_t address) const {
  std::optional<std::size_t> unsized;
  for (const auto i : of_space_[static_cast<std::size_t>(space)]) {
    if (address < addresses_[i]) continue;
    if (regions_[i].elements == 0) unsized = i;
    if (address - addresses_[i] < static_cast<std::uint64_t>(regions_[i].bytes())) return i;
  }
  return unsized;
}

bool MemoryLayout::may_know(Space space) const {
  const bool global = any_array_ || !globals_.empty();
  if (any_given_ || space == Space::Constant) return true;
  if (space == Space::Generic) return global || !of_space_[static_cast<std::size_t>(Space::Constant)].empty();
  return space == Space::Global && global;
}

std::optional<StructurePlace> MemoryLayout::structure_at(Space space, std::uint64_t address) const {
  const bool generic = space == Space::Generic && (address & kWindowMask) == kConstantWindow;
  if (space != Space::Constant && !generic) return std::nullopt;
  address &= ~kWindowMask;
  const auto region = region_at(Space::Constant, address);
  if (!region || regions_[*region].parameter == kNoParameter) return std::nullopt;
  return StructurePlace{regions_[*region].parameter, static_cast<std::int64_t>(address - addresses_[*region])};
}

std::uint64_t MemoryLayout::pointer_at(const StructurePlace& place) const {
  const auto& known = arguments_[place.parameter].pointers;
  const auto found = known.find(place.offset);
  return found == known.end() ? array_of_pointer(program_, place) : found->second;
}

std::optional<std::uint64_t> MemoryLayout::load_field(const StructurePlace& place, Type type) const {
  const auto& fields = arguments_[place.parameter].fields;
  const auto found = fields.find(place.offset);
  if (found == fields.end()) {
    const auto& argument = arguments_[place.parameter];
    if (place.offset < 0 || argument.pointers_in_block.contains(place.offset)) return std::nullopt;
    return number_in(argument.block, static_cast<std::uint64_t>(place.offset), bytes_of(type));
  }
  const auto number = bits_of(found->second, type);
  const auto next = std::next(found);
  const auto apart = next == fields.end() ? type.bits : 8 * (next->first - place.offset);
  if (apart >= type.bits) return number;
  // Whoever copies a structure loads two fields at once.
  const auto low = static_cast<int>(apart);
  return truncated(number, low) | bits_of(next->second, {Type::Kind::Unsigned, type.bits - low}) << low;
}

MemoryLayout::GivenPlace MemoryLayout::given_by_argument(std::uint64_t address) const {
  if (const auto found = find_pointer(program_, address)) {
    const auto& arrays = arguments_[found->pointer.parameter].arrays;
    const auto values = arrays.find(found->pointer.offset);
    if (values == arrays.end() || found->offset < 0) return {};
    return {values->second, static_cast<std::uint64_t>(found->offset)};
  }
  const auto index = (address >> kArrayShift) - 1;
  if (index >= arguments_.size() || !arguments_[index].pointer) return {};
  return {arguments_[index].values, address & ((std::uint64_t{1} << kArrayShift) - 1)};
}

/// Of a region with values from the user.
MemoryLayout::GivenPlace MemoryLayout::given_by_region(Space space, std::uint64_t address) const {
  if (!any_given_) return {};
  const auto region = region_at(space == Space::Generic ? Space::Global : space, address);
  if (!region || given_[*region] == nullptr) return {};
  return {given_[*region], address - addresses_[*region]};
}

std::optional<MemoryLayout::TooFew> MemoryLayout::too_few(Space space, std::uint64_t address, Type type) const {
  auto place = given_by_region(space, address);
  if (place.values == nullptr && (space == Space::Global || space == Space::Generic))
    place = given_by_argument(address);
  if (place.values == nullptr || place.values->uniform || place.values->rows) return std::nullopt;
  if (const auto& given = place.values->bytes)
    return TooFew{element_at(place.offset, type), static_cast<std::size_t>(given->bytes.size() / bytes_of(type))};
  return TooFew{element_at(place.offset, type), place.values->values.size()};
}

std::optional<std::uint64_t> MemoryLayout::load(Space space, std::uint64_t address, Type type) const {
  if (const auto place = structure_at(space, address)) return load_field(*place, type);
  for (const auto& [window, of] : {std::pair(kConstantWindow, Space::Constant), std::pair(kSharedWindow, Space::Shared),
                                   std::pair(kLocalWindow, Space::Local)})
    if (space == Space::Generic && (address & kWindowMask) == window) {
      space = of;
      address &= ~kWindowMask;
    }
  if (const auto given = given_by_region(space, address); given.values != nullptr)
    if (const auto element = element_of(*given.values, given.offset, type)) return element;
  if (space != Space::Constant && space != Space::Global && space != Space::Generic) return std::nullopt;
  for (const auto& known : space == Space::Constant ? constants_ : globals_) {
    if (address < known.address || address - known.address >= known.bytes) continue;
    // Elements without an initialiser are zero.
    if (known.region->element.bits != type.bits) return std::nullopt;
    const auto& values = known.region->values;
    const auto element = (address - known.address) * 8 / static_cast<std::uint64_t>(type.bits);
    return element < values.size() ? truncated(values[element], type.bits) : 0;
  }
  if (space == Space::Constant) return std::nullopt;
  const auto given = given_by_argument(address);
  return given.values == nullptr ? std::nullopt : element_of(*given.values, given.offset, type);
}

LaunchNumbers launch_numbers(const Program& program, const Launch& launch, const std::vector<Argument>& arguments) {
  LaunchNumbers numbers{launch.block, launch.grid, launch.dynamic_shared_memory, program.lanes, {}, {}};
  for (const auto& argument : arguments) numbers.parameters.push_back(argument.bits);
  const MemoryLayout memory(program, launch, arguments);
  for (std::size_t i = 0; i < program.regions.size(); ++i) numbers.regions.push_back(memory.address_of(i));
  if (program.grid_workspace) numbers.grid_workspace = memory.address_of(*program.grid_workspace);
  return numbers;
}

}  // namespace warpipe::isa
