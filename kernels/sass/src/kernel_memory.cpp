#include "kernel_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "decode.hpp"

namespace warpipe::sass {
namespace {

using isa::Input;
using isa::Type;

constexpr unsigned kArguments = 0, kUserConstants = 3;  // banks

/// The places of the words of a launch in bank 0.
/// @source experiments with ptxas 13.0: results of kernels that read them, docs/cubins.md
struct LaunchWords {
  int first, last;  ///< architectures
  std::uint64_t block, grid, stack, descriptor;
  std::uint64_t parameters;  ///< the address of the first
  std::uint64_t clusters;    ///< 1 where groups are launched in clusters; read by code that meets its cluster
  std::uint64_t workspace;   ///< the upper word of the address at which the groups of a launch meet, then the lower one
};
constexpr std::array<LaunchWords, 3> kLaunchWords{{{75, 89, 0x0, 0xc, 0x28, 0x118, 0, 0, 0x8c},
                                                   {90, 90, 0x0, 0xc, 0x28, 0x208, 0x198, 0x140, 0x44},
                                                   {100, 199, 0x360, 0x370, 0x37c, 0x358, 0x348, 0x36c, 0x254}}};

const LaunchWords& words_of(int architecture) {
  return *std::ranges::find_if(kLaunchWords, [&](const LaunchWords& words) {
    return architecture >= words.first && architecture <= words.last;
  });
}

Input whole(std::uint64_t bits) {
  Input made;
  made.bits = bits;
  return made;
}

Input missing() {
  Input made;
  made.kind = Input::Kind::Missing;
  return made;
}

Input region_input(std::uint32_t region, std::uint64_t bits) {
  Input made;
  made.kind = Input::Kind::Region;
  made.index = region;
  made.bits = bits;
  return made;
}

Input special(isa::Special::Name name, std::uint64_t axis) {
  Input made;
  made.kind = Input::Kind::Special;
  made.special = {name, static_cast<std::uint8_t>(axis)};
  return made;
}

std::uint64_t little_endian(std::string_view bytes, std::uint64_t offset, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i)
    value = (value << 8) | static_cast<std::uint8_t>(bytes[offset + static_cast<std::uint64_t>(i)]);
  return value;
}

std::vector<std::uint64_t> words_in(std::string_view bytes) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t at = 0; at + 4 <= bytes.size(); at += 4) words.push_back(little_endian(bytes, at, 4));
  return words;
}

constexpr Type kByte{Type::Kind::Bits, 8}, kWord{Type::Kind::Bits, 32};

isa::Parameter parameter_of(const Kernel& kernel, std::size_t index) {
  const auto& of = kernel.parameters[index];
  isa::Parameter made;
  made.name = fmt::format("{}_param_{}", kernel.symbol, index);
  made.offset = of.offset;
  if (of.bytes == 1 || of.bytes == 2 || of.bytes == 4 || of.bytes == 8) {
    made.type = {Type::Kind::Bits, static_cast<int>(8 * of.bytes)};
    made.declaration = fmt::format(".b{} {}", 8 * of.bytes, made.name);
  } else {
    made.type = kByte;
    made.elements = of.bytes;
    made.declaration = fmt::format(".b8[{}] {}", of.bytes, made.name);
  }
  return made;
}

}  // namespace

KernelMemory::KernelMemory(const Module& module, const Kernel& kernel, isa::Program& program)
    : module_(module), kernel_(kernel), program_(program) {
  using isa::Space;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) program.parameters.push_back(parameter_of(kernel, i));
  if (kernel.shared_memory > 0)
    program.regions.push_back({"shared", Space::Shared, kByte, 16, kernel.shared_memory, false, {}});
  program.regions.push_back({"dynamic_shared", Space::Shared, kByte, 1, 0, false, {}});
  if (kernel.stack > 0) {
    stack_ = static_cast<std::uint32_t>(program.regions.size());
    program.regions.push_back({"stack", Space::Local, kByte, 16, kernel.stack, false, {}});
  }
  for (const auto& variable : module.variables)
    if (variable.space == Space::Global)
      program.regions.push_back(
          {variable.symbol, Space::Global, kByte, 256, std::max<std::int64_t>(1, variable.bytes), false, {}});
}

std::int64_t KernelMemory::shared_base() const { return reserved_shared_memory(module_.architecture); }

std::optional<std::uint32_t> KernelMemory::parameter_at(std::uint64_t offset) const {
  const auto place = static_cast<std::int64_t>(offset) - kernel_.parameter_base;
  for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i) {
    const auto& of = kernel_.parameters[i];
    if (place >= of.offset && place < of.offset + of.bytes) return i;
  }
  return std::nullopt;
}

std::optional<Input> KernelMemory::launch_word(std::uint64_t offset, int bytes) const {
  const auto& words = words_of(module_.architecture);
  using Name = isa::Special::Name;
  if (offset == words.descriptor || offset == words.descriptor + 4) return whole(0);
  if (bytes != 4) return std::nullopt;
  if (words.clusters != 0 && offset == words.clusters) return whole(1);
  if (offset == words.workspace || offset == words.workspace + 4) {
    isa::add_grid_workspace(program_);
    return special(Name::GridWorkspace, offset == words.workspace ? 1 : 0);
  }
  for (std::uint64_t axis = 0; axis < 3; ++axis) {
    if (offset == words.block + 4 * axis) return special(Name::GroupSize, axis);
    if (offset == words.grid + 4 * axis) return special(Name::GridSize, axis);
  }
  if (offset != words.stack) return std::nullopt;
  return stack_ ? region_input(*stack_, static_cast<std::uint64_t>(kernel_.stack)) : whole(0);
}

Input KernelMemory::field(std::uint32_t parameter, std::int64_t offset, int bytes) {
  Input made;
  made.kind = Input::Kind::Parameter;
  const auto& whole = program_.parameters[parameter];
  if (whole.elements == 1 && offset == 0) {
    made.index = parameter;
    return made;
  }
  const auto [place, is_new] =
      fields_.emplace(std::tuple(parameter, offset, bytes), static_cast<std::uint32_t>(program_.parameters.size()));
  if (is_new) {
    isa::Parameter one;
    one.name = fmt::format("{}+{}", whole.name, offset);
    const bool taken = std::ranges::any_of(program_.parameters, [&](const auto& of) { return of.name == one.name; });
    if (taken) one.name += fmt::format(".b{}", 8 * bytes);
    one.type = {Type::Kind::Bits, 8 * bytes};
    one.declaration = fmt::format(".b{} {}", 8 * bytes, one.name);
    one.field = true;
    program_.parameters.push_back(one);
  }
  made.index = place->second;
  return made;
}

std::uint64_t KernelMemory::parameters_word() const { return words_of(module_.architecture).parameters; }

std::optional<Input> KernelMemory::tensor_at(std::int64_t bytes) {
  const auto parameter = parameter_at(static_cast<std::uint64_t>(bytes + kernel_.parameter_base));
  if (bytes < 0 || !parameter) return std::nullopt;
  const auto made = field(*parameter, bytes - kernel_.parameters[*parameter].offset, 8);
  program_.parameters[made.index].is_pointer = true;
  return made;
}

std::string KernelMemory::function_at(unsigned bank, std::uint64_t offset) const {
  const auto relocated = kernel_.constant_relocations.find(bank);
  if (relocated == kernel_.constant_relocations.end()) return "";
  const auto found = std::ranges::find(relocated->second, offset, &Relocation::offset);
  return found == relocated->second.end() || region_of(found->symbol) ? "" : found->symbol;
}

std::optional<std::uint32_t> KernelMemory::region_of(const std::string& symbol) const {
  for (std::uint32_t i = 0; i < program_.regions.size(); ++i)
    if (program_.regions[i].name == symbol) return i;
  return std::nullopt;
}

ConstantInput KernelMemory::of_bytes(unsigned bank, std::uint64_t offset, int bytes) {
  if (const auto relocated = kernel_.constant_relocations.find(bank); relocated != kernel_.constant_relocations.end())
    for (const auto& one : relocated->second) {
      const bool high = offset == one.offset + 4;
      if (one.offset != offset && !high) continue;
      const auto region = region_of(one.symbol);
      if (!region) return {missing(), false};
      return {region_input(*region, static_cast<std::uint64_t>(one.addend)), high};
    }
  const auto found = kernel_.constants.find(bank);
  const auto size = static_cast<std::uint64_t>(bytes);
  if (found == kernel_.constants.end() || offset > found->second.size() || found->second.size() - offset < size)
    return {missing(), false};
  const auto& all = found->second;
  // Constants open to the host are taken from the file, where any is set there.
  const bool is_set = std::ranges::any_of(all, [](char byte) { return byte != 0; });
  if (bank == kUserConstants && !is_set) return {missing(), false};
  return {whole(little_endian(all, offset, bytes)), false};
}

ConstantInput KernelMemory::constant(unsigned bank, std::uint64_t offset, int bytes) {
  if (bank != kArguments) return of_bytes(bank, offset, bytes);
  if (const auto word = launch_word(offset, bytes)) return {*word, false};
  const auto parameter = parameter_at(offset);
  if (!parameter) return {missing(), false};
  const auto place = static_cast<std::int64_t>(offset) - kernel_.parameter_base - kernel_.parameters[*parameter].offset;
  const auto& whole_one = program_.parameters[*parameter];
  if (whole_one.elements == 1 && place == 4 && whole_one.type.bits == 64) return {field(*parameter, 0, 8), true};
  // Beyond its end the next parameter begins.
  if (whole_one.elements == 1 && (place != 0 || whole_one.type.bits < 8 * bytes)) {
    const bool narrow = place == 0 && bytes == 4 && whole_one.type.bits < 32;
    if (!narrow) return {missing(), false};
  }
  return {field(*parameter, place, bytes), false};
}

std::uint32_t KernelMemory::structure_region(std::uint32_t parameter) {
  const auto [place, is_new] = structures_.emplace(parameter, static_cast<std::uint32_t>(program_.regions.size()));
  if (is_new) {
    isa::MemoryRegion made{program_.parameters[parameter].name,
                           isa::Space::Constant,
                           kByte,
                           16,
                           kernel_.parameters[parameter].bytes,
                           false,
                           {}};
    made.parameter = parameter;
    program_.regions.push_back(made);
  }
  return place->second;
}

std::optional<std::pair<std::uint32_t, std::int64_t>> KernelMemory::bank_region(unsigned bank, std::uint64_t offset) {
  if (bank == kArguments) {
    const auto parameter = parameter_at(offset);
    if (!parameter) return std::nullopt;
    const auto start = kernel_.parameter_base + kernel_.parameters[*parameter].offset;
    return std::pair(structure_region(*parameter), static_cast<std::int64_t>(offset) - start);
  }
  const auto bytes = kernel_.constants.find(bank);
  if (bytes == kernel_.constants.end()) return std::nullopt;
  const auto [place, is_new] = banks_.emplace(bank, static_cast<std::uint32_t>(program_.regions.size()));
  if (is_new) {
    isa::MemoryRegion made{fmt::format("constants_{}", bank),
                           isa::Space::Constant,
                           kWord,
                           64,
                           static_cast<std::int64_t>(bytes->second.size() + 3) / 4,
                           true,
                           words_in(bytes->second)};
    const bool is_set = std::ranges::any_of(bytes->second, [](char byte) { return byte != 0; });
    made.known = bank != kUserConstants || is_set;
    for (const auto& variable : module_.variables)
      if (variable.space == isa::Space::Constant && bank == kUserConstants && variable.offset == 0)
        made.name = variable.symbol;
    program_.regions.push_back(made);
  }
  return std::pair(place->second, static_cast<std::int64_t>(offset));
}

}  // namespace warpipe::sass
