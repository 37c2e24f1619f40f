#pragma once

#include <string>

#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The text of the device that the description of the format shows.
inline std::string example_device_text() { return read_text_file(WARPIPE_EXAMPLE_DEVICE); }

/// The same, read.
inline Device example_device() { return read_device_json(example_device_text(), "example.json"); }

}  // namespace warpipe
