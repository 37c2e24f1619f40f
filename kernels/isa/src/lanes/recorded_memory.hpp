#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lanes/arguments.hpp"
#include "lanes/memory_layout.hpp"
#include "warpipe/isa/recorded_loads.hpp"

namespace warpipe::isa {

/// Translates addresses between an import, where each pointer among the arguments has an array of its own, and the
/// memory reached by a machine.
class RecordedMemory {
 public:
  /// All arguments must live as long as the object.
  RecordedMemory(const RecordedLoads& recorded, const Program& program, const std::vector<Argument>& arguments,
                 const MemoryLayout& layout);

  /// The machine's address for an access; nothing for memory of a thread, parameters and constants.
  std::optional<std::uint64_t> recorded(Space space, std::uint64_t address) const;
  /// Translates a loaded number: to the import's address where it is an address of the machine's memory, else
  /// unchanged.
  std::uint64_t imported(std::uint64_t number) const;
  /// The range of memory around an import's address, if no argument leads to the range; nothing for any other address.
  std::optional<std::size_t> range_at(std::uint64_t address) const;
  /// The range's first address in the import.
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
  std::vector<Array> arrays_;  ///< by recorded address
  std::uint64_t first_ = 0;    ///< of the addresses for ranges without an argument
};

}  // namespace warpipe::isa
