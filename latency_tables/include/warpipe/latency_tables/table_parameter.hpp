#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// The named numbers of a device file behind a kernel's time: a calibration fits them, and a wrong prediction is
/// explained by them.

namespace warpipe {

/// A number of a device's latency table.
struct TableParameter {
  enum class Kind {
    Issue,
    Completion,
    ConflictIssue,
    ConflictCompletion,
    TransactionIssue,
    TransactionCompletion,
    Further,   ///< lambda in a pipeline of `then`; its increments keep their ratio to it
    OfDevice,  ///< under a key of its file, as OfMemory and OfLevel
    OfMemory,
    OfLevel
  };
  /// "ffma.issue", "global.load.completion@16", "global.load.dram", "warp_interval", "l2.latency_s",
  /// "memory.store_latency_s"
  std::string name{};
  Kind kind = Kind::Issue;
  std::size_t op = 0;                  ///< index into Device::ops; 0 for a parameter of no op
  std::size_t entry = 0;               ///< of the op's `then`; for Further
  std::optional<std::size_t> point{};  ///< of an issue or completion given as points
  std::size_t level = 0;               ///< index into Memory::levels; 0 for a parameter of no level
  std::string_view key{};              ///< in the file, for parameters of no op: "clock_hz", "read_bytes_per_s"
  enum class Unit { Cycles, Seconds, Rate } unit = Unit::Cycles;
};

/// @return whether the parameter belongs to an op
bool is_of_op(const TableParameter& parameter);
/// @return whether it belongs to the memory or one of its levels
bool is_of_memory(const TableParameter& parameter);
/// @return whether it belongs to a level of the memory
bool is_of_level(const TableParameter& parameter);
/// @return whether a higher value makes the device faster: a rate, or the clock
bool is_rate(const TableParameter& parameter);

/// @return the key of the parameter in its source: "issue", "per_conflict.issue", "read_bytes_per_s",
///         "memory.store_latency_s"
std::string key_of(const TableParameter& parameter, const Device& device);
/// The source of a parameter: of its row, of its level, or the device's own for it. Null if there is none.
const Source* source_of(const TableParameter& parameter, const Device& device);

/// @return the parameter's value in a device; cycles, seconds, bytes per cycle or bytes per second, as its kind is
double value_of(const TableParameter& parameter, const Device& device);
/// Changes the parameter in a device, and drops the interval of its former value.
/// @param value  >= 0; of a rate above 0
void set_value(const TableParameter& parameter, double value, Device& device);

/// @return the parameter's value; in place of 0, which no factor changes, a start for a search: a cycle, a microsecond
///         for a launch, or for the seconds of stores the memory's latency
double value_above_zero(const TableParameter& parameter, const Device& device);

/// @param ops  names of ops, as in a kernel
/// @return     every parameter of the rows of these ops, of the levels if an op is of global memory, and of the device,
///             in file order
std::vector<TableParameter> parameters_of(const Device& device, const std::vector<std::string>& ops);
/// @return the parameters of all ops, of the levels and of the device, launches included
std::vector<TableParameter> parameters_of(const Device& device);

/// @return the name without the parameter's point: "global.load.completion"
std::string base_name(const TableParameter& parameter);

/// @return the names for `set_number`: of all parameters, with and without their points
std::vector<std::string> number_names(const Device& device);

/// Changes a number of a device by its name. OP.issue and OP.completion without a point become one value, in place of
/// all points of the table.
/// @param value  as number_problem allows
/// @return whether the device has a number with this name
bool set_number(const std::string& name, double value, Device& device);

/// Checks a value of a number.
/// @return "a latency must be from 0 to 1e9 cycles"; empty for a valid value, and for a name unknown to the device
std::string number_problem(const std::string& name, double value, const Device& device);

}  // namespace warpipe
