#pragma once

#include <string>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// Imports latency tables from the configuration files of GPGPU-Sim and Accel-Sim.

namespace warpipe {

/// A configuration file: options, each a name with a leading `-` and a value; a `#` starts a comment.
struct ConfigFile {
  std::string name;  ///< for messages and for the sources in the table
  std::string text;
};

/// A device as configured for a simulator, and the gaps of its files.
struct ImportedConfig {
  Device device;                     ///< every op has a source of kind "simulator" with its options and lines
  std::vector<std::string> missing;  ///< ops of the common vocabulary without a latency in the files
  std::vector<std::string> notes;    ///< interpretations of options, and facts outside the table's reach; sentences
};

/// Reads the (latency, initiation interval) pairs of a simulator, its memory latencies and its limits.
///
/// Pairs for traces of machine code (`-trace_opcode_latency_initiation_...`) go before pairs for PTX
/// (`-ptx_opcode_latency_...`). Values missing in all files are left out; nothing is carried over from another device.
/// @param files  at least one; the last occurrence of an option counts, as in the simulators
/// @param name   of the device
/// @return       a device accepted by `read_device_json` in its written form
/// @throws InputError with all problems of the files: text that is no option, an unreadable value, the number of units,
///         the clock or the warp size missing
ImportedConfig import_simulator_config(const std::vector<ConfigFile>& files, const std::string& name);

}  // namespace warpipe
