#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lanes/arguments.hpp"
#include "lanes/memory_layout.hpp"
#include "warpipe/isa/recorded_loads.hpp"

namespace warpipe::isa {

/// Leads from the addresses of an import, where each pointer among the arguments has an array of its own, to those of
/// the memory that a machine reached, and back.
class RecordedMemory {
 public:
  /// All must live as long as this.
  RecordedMemory(const RecordedLoads& recorded, const Program& program, const std::vector<Argument>& arguments,
                 const MemoryLayout& layout);

  /// Where the machine had what an access reaches; nothing for memory of a thread, parameters and constants.
  std::optional<std::uint64_t> recorded(Space space, std::uint64_t address) const;
  /// Of a number that was loaded: the address of the import where it is one of that memory, else the number.
  std::uint64_t imported(std::uint64_t number) const;
  /// The range of memory that an address of the import lies in, to which no argument leads; nothing for other
  /// addresses.
  std::optional<std::size_t> range_at(std::uint64_t address) const;
  /// The address of the import where it begins.
  std::uint64_t address_of(std::size_t range) const { return first_ + (std::uint64_t{range} << kArrayShift); }
  std::int64_t bytes_of(std::size_t range) const;

 private:
  /// An array of the import.
  struct Array {
    std::uint64_t recorded = 0, imported = 0;
  };
  std::optional<std::size_t> recorded_range(std::uint64_t number) const;

  const RecordedLoads& recorded_;
  const Program& program_;
  const std::vector<Argument>& arguments_;
  const MemoryLayout& layout_;
  std::vector<Array> arrays_;  ///< by where they were recorded
  std::uint64_t first_ = 0;    ///< of the addresses for ranges without an argument
};

}  // namespace warpipe::isa
