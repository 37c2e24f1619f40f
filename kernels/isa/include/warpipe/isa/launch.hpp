#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpipe::isa {

using Dimensions = std::array<std::int64_t, 3>;  ///< x, y, z; each >= 1

/// The number of a group in the launch, from 0: x first.
inline std::int64_t index_of_group(const Dimensions& grid, const Dimensions& group) {
  return (group[2] * grid[1] + group[1]) * grid[0] + group[0];
}

/// Memory as it lies there.
struct ArrayBytes {
  std::string_view bytes;                         ///< must outlive all imports
  std::shared_ptr<const std::string> owner = {};  ///< of the bytes; null where somebody else keeps them
  std::atomic<bool>* was_read = nullptr;          ///< set where an import looks at some of them
  friend bool operator==(const ArrayBytes& a, const ArrayBytes& b) { return a.bytes == b.bytes; }
  friend std::strong_ordering operator<=>(const ArrayBytes& a, const ArrayBytes& b) { return a.bytes <=> b.bytes; }
};

/// The values of an array in memory, as control or addresses need them.
struct ArrayValues {
  std::vector<double> values;            ///< by element
  std::optional<std::uint64_t> uniform;  ///< instead of values: any index gives a number below this, spread evenly
  std::optional<std::uint64_t> rows;     ///< or where rows of that length begin, one behind the other: index x length
  std::optional<ArrayBytes> bytes = {};  ///< or what lies there, whatever type a load has
  friend auto operator<=>(const ArrayValues&, const ArrayValues&) = default;
};

/// Where lanes reach whose addresses depend on data.
struct AddressPattern {
  std::int64_t bytes = 0;  ///< of the array from its start, within which they stay
  bool coalesced = false;  ///< neighbouring threads reach neighbouring elements; else what is loaded is random
  friend auto operator<=>(const AddressPattern&, const AddressPattern&) = default;
};

/// The parameters of a kernel as a program passes them.
struct ParameterBlock {
  std::string bytes;  ///< from the first parameter on; may be shorter
  std::map<std::int64_t, std::int64_t>
      pointers;  ///< by where they stand: bytes from where they lead to the array's end
  friend auto operator<=>(const ParameterBlock&, const ParameterBlock&) = default;
};

struct RecordedLoads;

/// How a kernel is started, and what the user knows of its data.
struct Launch {
  Dimensions block{1, 1, 1}, grid{1, 1, 1};
  std::int64_t dynamic_shared_memory = 0;        ///< bytes of shared memory whose size the program does not say
  std::map<std::string, std::string> arguments;  ///< by name, position (from 0), or +BYTES
  std::map<std::string, ArrayValues> arrays;     ///< likewise, of pointers
  ParameterBlock parameters;                     ///< what `arguments` says goes before
  /// What lanes loaded as a machine executed the launch: goes before `arrays`; null where it did not.
  std::shared_ptr<const RecordedLoads> recorded = {};
  std::map<std::string, std::int64_t> trips;        ///< by the label of the loop's header, at most
  std::map<std::string, double> taken;              ///< by the label a branch goes to, or its line; share of the lanes
  std::map<std::string, AddressPattern> addresses;  ///< by the array, or the line of an access
  std::int64_t resident_threads = 0;                ///< that the device holds at a time, at most; 0: not known
  bool assume = false;                              ///< what nobody says is assumed, and reported
  bool close_loops = true;  ///< iterations that only move numbers by constant steps are not executed one by one
  /// Bound of instructions of the slice that are executed, each for a warp.
  std::int64_t max_instructions = 100'000'000;
};

}  // namespace warpipe::isa
