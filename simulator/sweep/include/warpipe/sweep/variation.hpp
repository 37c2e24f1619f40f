#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/ptx/launch.hpp"

namespace warpipe {

/// One value of a variation: a number, the sizes of a block or grid along its axes, or a name.
struct VariedValue {
  VariedValue(double value = 0) : number(value) {}  // NOLINT: a number is a value
  explicit VariedValue(const isa::Dimensions& along_axes);
  VariedValue(std::string called, std::size_t place) : number(static_cast<double>(place)), name(std::move(called)) {}

  /// @return whether there are sizes along more than one axis
  bool has_axes() const { return sizes && ((*sizes)[1] > 1 || (*sizes)[2] > 1); }
  /// @return whether the number alone is the whole value
  bool is_number() const { return name.empty() && !has_axes(); }

  /// Of sizes their product: threads of a block, groups of a grid. Of a name its place among the values, from 0.
  double number = 0;
  std::optional<isa::Dimensions> sizes;  ///< of a block or grid
  std::string name;                      ///< of a kernel, device or policy, as it is written
  friend bool operator==(const VariedValue&, const VariedValue&) = default;
};

/// @return "16x16", a name, or the shortest form of a number
std::string to_string(const VariedValue& value);

/// A varied quantity and its values.
struct Variation {
  enum class Kind {
    GroupSize,
    Groups,
    ConcurrentGroups,
    Occupancy,
    Parameter,
    DeviceNumber,
    ConflictDegree,
    Transactions,
    Block,
    Grid,
    Argument,
    Kernel,
    Device,
    Policy,
    Define
  };
  /// As written: "concurrent_groups", "n", "ffma.issue", "memory/levels/l2/bytes", "load_a.conflict_degree", "arg.n",
  /// "define.TILE".
  std::string name;
  Kind kind = Kind::Parameter;
  std::string target;  ///< the parameter, number of the device, instruction id, argument or macro, else empty
  std::vector<VariedValue> values;
};

/// @return whether the values are names: of kernels, devices or policies, or words for a macro
bool has_names(const Variation& variation);

/// Reads NAME=VALUES. VALUES: 1,2,4 or MIN:MAX or MIN:MAX:STEP (MIN + i x STEP up to MAX inclusive) or MIN:MAX:xFACTOR.
/// More than a million values are refused.
/// @throws UsageError for anything else, or a name that neither kernel nor device has, with the nearest name
Variation parse_variation(std::string_view text, const Kernel& kernel, const Device& device);

/// Reads the same form for an import from PTX: block, grid (sizes are X, XxY or XxYxZ) or arg.NAME.
/// @return nothing for any other name
/// @throws UsageError as parse_variation
std::optional<Variation> parse_import_variation(std::string_view text);

/// Reads kernel=NAME,NAME, device=NAME,NAME or policy=NAME,NAME. The caller decides on the names of kernels and
/// devices.
/// @return nothing for any other name
/// @throws UsageError for an empty name, standard input, and an unknown policy, with the nearest name
std::optional<Variation> parse_named_variation(std::string_view text);

/// Reads define.NAME=VALUES, of a macro of the source that a kernel is compiled from: numbers as of parse_variation, or
/// words.
/// @return nothing for any other name
/// @throws UsageError as parse_variation, and for a NAME that no macro has
std::optional<Variation> parse_define(std::string_view text);

/// @return the number of combinations of the values
/// @throws UsageError for more than ten million of them
std::size_t number_of_points(const std::vector<Variation>& variations);

/// @return the values of one combination, one per variation; the last variation varies fastest
std::vector<VariedValue> values_of_point(std::size_t index, const std::vector<Variation>& variations);

}  // namespace warpipe
