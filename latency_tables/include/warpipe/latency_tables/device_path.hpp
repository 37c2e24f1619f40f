#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// The numbers of a device by their places in its file. A path is the keys to a number with a `/` between them:
/// "limits/warps_per_unit", "memory/levels/l2/bytes". An element of a list has its `name` or its index as key. A `/` at
/// the start is allowed, and required in a path of one key: "/compute_units".

namespace warpipe {

/// @return whether a name is a path, in contrast to the name of a number of the latency table
bool is_device_path(std::string_view name);

/// The paths of all numbers in the file of a device.
std::vector<std::string> device_paths(const Device& device);

/// @return the number at a path; nothing if the file has none there
std::optional<double> number_at(const Device& device, std::string_view path);

/// Changes a number of a device, or sets a number missing in the file.
/// @throws UsageError for a path impossible in device files (with the nearest paths), and for a value not allowed
///         there; `where` is empty
/// @complexity        as to write and read the device
Device with_number(const Device& device, std::string_view path, double value);

/// A value in a device file: a number, a word, true or false.
using DeviceValue = std::variant<double, std::string, bool>;

/// Changes values of a device, all before any check, so a whole row can be given. Adds missing rows of `ops` and
/// pipelines behind the existing entries, and a missing level of the memory in front of the last.
/// @param file  of the values, for messages
/// @throws InputError for a path that leads through a value, and with all faults of the resulting device
Device with_values(const Device& device, const std::vector<std::pair<std::string, DeviceValue>>& values,
                   const std::string& file);

}  // namespace warpipe
