#include "memory_layout.hpp"

#include <algorithm>
#include <bit>

#include "lane_operation.hpp"

namespace warpipe::ptx {
namespace {

template <class Whole>
Whole aligned(Whole at, std::int64_t alignment) {
  const auto step = static_cast<Whole>(alignment);
  return (at + step - 1) / step * step;
}

/// Numbers that look unordered and are the same everywhere.
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

}  // namespace

MemoryLayout::MemoryLayout(const Routine& routine, const PtxLaunch& launch, const std::vector<Argument>& arguments)
    : arguments_(arguments) {
  // An array without a size lies behind all others.
  for (const auto& variable : routine.variables)
    if (variable.elements > 0) place(variable, 0);
  const auto fixed = shared_;
  for (const auto& variable : routine.variables) {
    if (variable.elements > 0) continue;
    if (variable.space == StateSpace::Shared) shared_ = fixed;
    place(variable, launch.dynamic_shared_memory);
  }
  shared_ = std::max(shared_, fixed + launch.dynamic_shared_memory);
}

void MemoryLayout::place(const Variable& variable, std::int64_t dynamic) {
  const auto bytes = variable.elements > 0 ? variable.bytes() : dynamic;
  const auto size = static_cast<std::uint64_t>(bytes);
  switch (variable.space) {
    case StateSpace::Shared:
      shared_ = aligned(shared_, variable.alignment);
      addresses_[variable.name] = static_cast<std::uint64_t>(shared_);
      shared_ += bytes;
      break;
    case StateSpace::Local:
      local_ = aligned(local_, variable.alignment);
      addresses_[variable.name] = static_cast<std::uint64_t>(local_);
      local_ += bytes;
      break;
    case StateSpace::Constant:
      constant_ = aligned(constant_, variable.alignment);
      addresses_[variable.name] = constant_;
      if (variable.known) constants_.push_back({constant_, size, &variable});
      constant_ += size;
      break;
    default:
      // Each on lines of its own.
      global_ = aligned(global_, 256);
      addresses_[variable.name] = global_;
      if (variable.known) globals_.push_back({global_, size, &variable});
      global_ += size;
  }
}

std::optional<std::uint64_t> MemoryLayout::address_of(const std::string& name) const {
  const auto found = addresses_.find(name);
  if (found == addresses_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint64_t> MemoryLayout::load_argument(std::uint64_t address, Type type) const {
  const auto index = (address >> kArrayShift) - 1;
  if (index >= arguments_.size() || !arguments_[index].pointer || arguments_[index].values == nullptr)
    return std::nullopt;
  const auto& values = *arguments_[index].values;
  const auto element =
      (address & ((std::uint64_t{1} << kArrayShift) - 1)) / static_cast<std::uint64_t>(std::max(1, type.bits / 8));
  if (values.uniform) return bits_of(static_cast<double>(scattered(element) % *values.uniform), type);
  if (element >= values.values.size()) return std::nullopt;
  return bits_of(values.values[element], type);
}

std::optional<std::uint64_t> MemoryLayout::load(StateSpace space, std::uint64_t address, Type type) const {
  if (space == StateSpace::Generic && (address & kWindowMask) == kConstantWindow) {
    space = StateSpace::Constant;
    address &= ~kWindowMask;
  }
  if (space != StateSpace::Constant && space != StateSpace::Global && space != StateSpace::Generic) return std::nullopt;
  for (const auto& known : space == StateSpace::Constant ? constants_ : globals_) {
    if (address < known.address || address - known.address >= known.bytes) continue;
    // What has no initialiser is zero.
    const auto element = (address - known.address) * 8 / static_cast<std::uint64_t>(known.variable->type.bits);
    if (known.variable->type.bits != type.bits) return std::nullopt;
    return element < known.variable->values.size() ? truncated(known.variable->values[element], type.bits) : 0;
  }
  return space == StateSpace::Constant ? std::nullopt : load_argument(address, type);
}

}  // namespace warpipe::ptx
