#pragma once

#include <string>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The text of a device without levels; its ops hold the costs of accesses.
inline std::string example_device_text() {
  return read_text_file(in_sources("tests/latency_tables/example_device.json"));
}

/// The same, read.
inline Device example_device() { return read_device_json(example_device_text(), "example.json"); }

/// The text of the device in the description of the format: its memory has levels.
inline std::string example_levels_text() {
  return read_text_file(in_sources("tests/latency_tables/example_levels.json"));
}

/// The same, read.
inline Device example_levels() { return read_device_json(example_levels_text(), "example.json"); }

}  // namespace warpipe
