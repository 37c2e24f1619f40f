#pragma once

#include <string>
#include <vector>

#include "warpipe/latency_tables/device.hpp"

/// Latency tables out of the configuration files of GPGPU-Sim and Accel-Sim.

namespace warpipe {

/// A configuration file: options, each a name that begins with `-` and one value; what follows a `#` is a comment.
struct ConfigFile {
  std::string name;  ///< for messages and for the sources in the table
  std::string text;
};

/// A device as a simulator is configured for it, and what the files leave open.
struct ImportedConfig {
  Device device;                     ///< every op has a source of kind "simulator" that names its options and lines
  std::vector<std::string> missing;  ///< ops of the common vocabulary that the files give no latency to
  std::vector<std::string> notes;    ///< what was read in which way, and what the table cannot say; sentences
};

/// Reads the (latency, initiation interval) pairs of a simulator, its memory latencies and its limits.
///
/// Pairs for traces of machine code (`-trace_opcode_latency_initiation_...`) go before those for PTX
/// (`-ptx_opcode_latency_...`). What no file says is left out; nothing is carried over from another device.
/// @param files  at least one; an option that stands twice is taken from where it stands last, as the simulators do
/// @param name   of the device
/// @return       a device that `read_device_json` accepts once it is written
/// @throws InputError with all problems of the files: text that is no option, a value that cannot be read, the number
///                    of units, the clock or the warp size missing
ImportedConfig import_simulator_config(const std::vector<ConfigFile>& files, const std::string& name);

}  // namespace warpipe
