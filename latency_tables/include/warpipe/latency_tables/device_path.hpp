#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// The numbers of a device by their places in its file. A path is the keys that lead there with a `/` between them:
/// "limits/warps_per_unit", "memory/levels/l2/bytes". An element of a list is named by its `name`, or by its index. A
/// `/` at the start is allowed, and needed where the path is one key: "/compute_units".

namespace warpipe {

/// @return whether a name is such a path, and not that of a number of the latency table
bool is_device_path(std::string_view name);

/// The paths of all numbers that the file of a device has.
std::vector<std::string> device_paths(const Device& device);

/// @return the number at a path; nothing where the file has none there
std::optional<double> number_at(const Device& device, std::string_view path);

/// Changes a number of a device, or gives one that the file leaves out.
/// @throws UsageError for a path that no device file can have (with the nearest ones), and for a value that is not
/// allowed
///                    there; `where` is empty
/// @complexity        as to write and read the device
Device with_number(const Device& device, std::string_view path, double value);

/// What a place of a device file can hold: a number, a word, true or false.
using DeviceValue = std::variant<double, std::string, bool>;

/// Changes values of a device, all of them before any is checked: so a whole row can be given. A row of `ops` or a
/// pipeline that the device lacks is added behind the others, a level of the memory in front of the last.
/// @param file  of the values, for messages
/// @throws InputError for a path that leads through a value, and with all that is wrong with the device that comes out
Device with_values(const Device& device, const std::vector<std::pair<std::string, DeviceValue>>& values,
                   const std::string& file);

}  // namespace warpipe
