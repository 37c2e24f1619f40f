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
/// Which array an address is of that has half of the room on either side of its origin: the origin is that many times
/// the room.
constexpr std::uint64_t array_number(std::uint64_t address) {
  return (address + (std::uint64_t{1} << (kArrayShift - 1))) >> kArrayShift;
}
inline constexpr std::uint32_t kNamelessArrays = 1024;  ///< that accesses have of their own, behind those of parameters

/// Where the memory regions of a program lie, and what is known of memory.
class MemoryLayout {
 public:
  /// @param program  must live as long as the layout, as must the launch and the arguments
  MemoryLayout(const Program& program, const Launch& launch, const std::vector<Argument>& arguments);

  /// The address of a region in its space.
  std::uint64_t address_of(std::size_t region) const { return addresses_[region]; }
  /// The region that holds an address of a space; nothing where none does.
  std::optional<std::size_t> region_at(Space space, std::uint64_t address) const;
  /// Whether any load of a space yields something: what a kernel writes itself is not known here.
  bool may_know(Space space) const;
  /// What a load yields; nothing where it is not known.
  std::optional<std::uint64_t> load(Space space, std::uint64_t address, Type type) const;

  /// Numbers of an array that are given, where an address means one behind them.
  struct TooFew {
    std::uint64_t element = 0;
    std::size_t given = 0;
  };
  /// Of an address at which nothing is known.
  std::optional<TooFew> too_few(Space space, std::uint64_t address, Type type) const;

  /// The place in a structure among the parameters that an address means; nothing where it is in none.
  std::optional<StructurePlace> structure_at(Space space, std::uint64_t address) const;
  /// The address of the array that a pointer there leads to, which no number is given for.
  std::uint64_t pointer_at(const StructurePlace& place) const;

  std::int64_t shared_bytes() const { return shared_; }

 private:
  struct Known {
    std::uint64_t address, bytes;
    const MemoryRegion* region;
  };
  void place(const MemoryRegion& region, std::uint64_t& address, std::int64_t bytes);
  std::optional<std::uint64_t> load_field(const StructurePlace& place, Type type) const;
  /// What the user gives of the array that an address lies in, and how many bytes from its start it does.
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
  std::vector<const ArrayValues*> given_;       ///< by region: what the user says that it holds; null where nothing
  bool any_given_ = false, any_array_ = false;  ///< of the regions, of what pointers lead to
  std::vector<Known> constants_, globals_;
  std::int64_t shared_ = 0, local_ = 0;
  std::uint64_t constant_ = 0, global_ = std::uint64_t{1} << 56;
};

/// The numbers of a launch, as the program's arithmetic has them.
LaunchNumbers launch_numbers(const Program& program, const Launch& launch, const std::vector<Argument>& arguments);

}  // namespace warpipe::isa
