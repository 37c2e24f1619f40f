#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// The numbers of a device file that decide how long a kernel runs, each under a name: a calibration fits them, and
/// a wrong prediction is explained by them.

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
    Further,  ///< lambda in a pipeline of `then`; its increments keep their ratio to it
    WarpInterval,
    GroupLaunchLatency
  };
  std::string name;  ///< "ffma.issue", "global.load.completion@16", "global.load.dram", "warp_interval"
  Kind kind = Kind::Issue;
  std::size_t op = 0;                ///< index into Device::ops; 0 for what belongs to no op
  std::size_t entry = 0;             ///< of the op's `then`; for Further
  std::optional<std::size_t> point;  ///< of an issue or completion that is given as points
};

/// @return whether the parameter belongs to an op
bool is_of_op(const TableParameter& parameter);

/// @return the parameter's value in a device; cycles
double value_of(const TableParameter& parameter, const Device& device);
/// Changes the parameter in a device.
/// @param cycles  >= 0
void set_value(const TableParameter& parameter, double cycles, Device& device);

/// @param ops  names of ops
/// @return     every parameter of these ops that is in the device, and those of the device, in file order
std::vector<TableParameter> parameters_of(const Device& device, const std::vector<std::string>& ops);
/// The same of all ops.
std::vector<TableParameter> parameters_of(const Device& device);

/// @return the name without the point that the parameter stands for: "global.load.completion"
std::string base_name(const TableParameter& parameter);

/// @return the names that `set_number` takes: those of all parameters, with and without their points
std::vector<std::string> number_names(const Device& device);

/// Changes a number of a device by its name. OP.issue and OP.completion without a point become one value, whatever
/// points the table has.
/// @param cycles  >= 0
/// @return whether the device has a number of that name
bool set_number(const std::string& name, double cycles, Device& device);

}  // namespace warpipe
