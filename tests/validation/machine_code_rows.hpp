#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "warpipe/isa/launch.hpp"
#include "warpipe/latency_tables/device.hpp"

/// Measured launches of kernels compiled to machine code here.

namespace warpipe::validation {

struct MachineCodeRow {
  std::size_t line = 0;  ///< of the file
  std::string kernel;    ///< the entry; of MI300A also the name of its source in tests/validation/hip
  std::string size;      ///< as the source of the times has it; empty: it has none
  isa::Launch launch;
  std::int64_t launches = 1;      ///< in turn
  std::int64_t copied_bytes = 0;  ///< from the host, before them
  std::int64_t stack_bytes = 0;   ///< of a thread, in the timed code
  double time_us = 0;             ///< measured: between the events around all launches
};

/// @return the rows of a file in bench/validation/reference
/// @throws InputError for a malformed row
std::vector<MachineCodeRow> read_machine_code_rows(const std::string& csv);

/// @return its kernel's assembly in tests/validation/hip
std::filesystem::path listing_of(const MachineCodeRow& row);

/// @param listing  assembly with the kernel
/// @param entry    its name there, if different
/// @return         microseconds from the first event to the second: the cost of a launch, the runs, the times between
///                 launches, and copies from the host. Caches hold the data of the previous launch: the benchmark warms
///                 up, and repeats
double predicted_us(const MachineCodeRow& row, const Device& device, const std::filesystem::path& listing,
                    const std::string& entry = "");

/// The error in percent of the measured time, positive where the prediction is too slow.
double error_percent(const MachineCodeRow& row, double predicted);

}  // namespace warpipe::validation
