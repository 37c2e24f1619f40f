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

/// The bytes of an array as they lie in memory.
struct ArrayBytes {
  std::string_view bytes;                         ///< must outlive all imports
  std::shared_ptr<const std::string> owner = {};  ///< of the bytes; null where the caller keeps them
  std::atomic<bool>* was_read = nullptr;          ///< set where an import looks at some of them
  friend bool operator==(const ArrayBytes& a, const ArrayBytes& b) { return a.bytes == b.bytes; }
  friend std::strong_ordering operator<=>(const ArrayBytes& a, const ArrayBytes& b) { return a.bytes <=> b.bytes; }
};

/// The values of an array in memory, as control or addresses need them.
struct ArrayValues {
  std::vector<double> values;            ///< by element
  std::optional<std::uint64_t> uniform;  ///< instead of values: any index gives a number below this, spread evenly
  std::optional<std::uint64_t> rows;     ///< or begins of consecutive rows of this length: index x length
  std::optional<ArrayBytes> bytes = {};  ///< or the array's bytes, for loads of any type
  friend auto operator<=>(const ArrayValues&, const ArrayValues&) = default;
};

/// The reach of lanes with addresses that depend on data.
struct AddressPattern {
  std::int64_t bytes = 0;  ///< of the array from its start; all lanes stay within
  bool coalesced = false;  ///< neighbouring threads reach neighbouring elements; else the loaded elements are random
  friend auto operator<=>(const AddressPattern&, const AddressPattern&) = default;
};

/// The parameters of a kernel as a program passes them.
struct ParameterBlock {
  std::string bytes;                              ///< from the first parameter on; may be shorter
  std::map<std::int64_t, std::int64_t> pointers;  ///< by their own place: bytes from the target to the array's end
  friend auto operator<=>(const ParameterBlock&, const ParameterBlock&) = default;
};

struct RecordedLoads;

/// The start of a kernel: its sizes, arguments and options, with the user's knowledge of its data.
struct Launch {
  Dimensions block{1, 1, 1}, grid{1, 1, 1};
  std::int64_t dynamic_shared_memory = 0;        ///< bytes of shared memory without a size in the program
  std::map<std::string, std::string> arguments;  ///< by name, position (from 0), or +BYTES
  std::map<std::string, ArrayValues> arrays;     ///< likewise, of pointers
  ParameterBlock parameters;                     ///< `arguments` take precedence
  /// Numbers loaded by lanes in an execution of the launch by a machine: takes precedence over `arrays`; null without
  /// such an execution.
  std::shared_ptr<const RecordedLoads> recorded = {};
  std::map<std::string, std::int64_t> trips;  ///< by the label of the loop's header, at most
  std::map<std::string, double> taken;        ///< by the label of the branch's target, or its line; share of the lanes
  std::map<std::string, AddressPattern> addresses;  ///< by the array, or the line of an access
  std::int64_t resident_threads = 0;                ///< resident on the device, at most; 0: not known
  bool assume = false;                              ///< unknown inputs are assumed, and reported
  bool close_loops = true;  ///< iterations with only constant steps in their numbers are not executed one by one
  /// Limit of executed instructions of the slice, each for a warp.
  std::int64_t max_instructions = 100'000'000;
};

}  // namespace warpipe::isa
