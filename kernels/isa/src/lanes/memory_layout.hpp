#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "lanes/arguments.hpp"
#include "lanes/structures.hpp"

namespace warpipe::isa {

struct LaunchNumbers;

inline constexpr int kArrayShift = 40;  ///< no two arrays share the bits of an address above it
/// The number of the array around an address. An array has half of its room on either side of its origin: the origin is
/// its number times the room.
constexpr std::uint64_t array_number(std::uint64_t address) {
  return (address + (std::uint64_t{1} << (kArrayShift - 1))) >> kArrayShift;
}
inline constexpr std::uint32_t kNamelessArrays = 1024;  ///< for accesses without a parameter, behind the parameters'

/// The layout of a program's memory regions, and the known contents of memory.
class MemoryLayout {
 public:
  /// @param program  must live as long as the layout, as must the launch and the arguments
  MemoryLayout(const Program& program, const Launch& launch, const std::vector<Argument>& arguments);

  /// The address of a region in its space.
  std::uint64_t address_of(std::size_t region) const { return addresses_[region]; }
  /// The region around an address of a space; nothing outside of regions.
  std::optional<std::size_t> region_at(Space space, std::uint64_t address) const;
  /// Whether any load of a space has a known value: a kernel's own stores are not known here.
  bool may_know(Space space) const;
  /// The value of a load; nothing where unknown.
  std::optional<std::uint64_t> load(Space space, std::uint64_t address, Type type) const;

  /// An element behind the given numbers of its array, and the number of given elements.
  struct TooFew {
    std::uint64_t element = 0;
    std::size_t given = 0;
  };
  /// Of an address with an unknown value.
  std::optional<TooFew> too_few(Space space, std::uint64_t address, Type type) const;

  /// The place of an address in a structure among the parameters; nothing outside of structures.
  std::optional<StructurePlace> structure_at(Space space, std::uint64_t address) const;
  /// The address of the array behind a pointer in a structure, for a pointer without a given number.
  std::uint64_t pointer_at(const StructurePlace& place) const;

  std::int64_t shared_bytes() const { return shared_; }

 private:
  struct Known {
    std::uint64_t address, bytes;
    const MemoryRegion* region;
  };
  void place(const MemoryRegion& region, std::uint64_t& address, std::int64_t bytes);
  std::optional<std::uint64_t> load_field(const StructurePlace& place, Type type) const;
  /// The user's values of the array around an address, and the address's distance from its start in bytes.
  struct GivenPlace {
    const ArrayValues* values = nullptr;  ///< null: nothing
    std::uint64_t offset = 0;
  };
  GivenPlace given_by_region(Space space, std::uint64_t address) const;
  GivenPlace given_by_argument(std::uint64_t address) const;
  const Program& program_;
  const std::vector<MemoryRegion>& regions_;
  const std::vector<Argument>& arguments_;
  std::vector<std::uint64_t> addresses_;              ///< by region
  std::array<std::vector<std::size_t>, 6> of_space_;  ///< regions, by Space
  std::vector<const ArrayValues*> given_;             ///< by region: the user's values; null without any
  bool any_given_ = false, any_array_ = false;        ///< of the regions, of arrays behind pointers
  std::vector<Known> constants_, globals_;
  std::int64_t shared_ = 0, local_ = 0;
  std::uint64_t constant_ = 0, global_ = std::uint64_t{1} << 56;
};

/// The numbers of a launch, for the program's arithmetic.
LaunchNumbers launch_numbers(const Program& program, const Launch& launch, const std::vector<Argument>& arguments);

}  // namespace warpipe::isa
