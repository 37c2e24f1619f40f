#pragma once

#include <string>

#include "warpipe/latency_tables/device.hpp"
#include "warpipe/programs/run_log.hpp"
#include "warpipe/report/program_report.hpp"

namespace warpipe::app {

inline constexpr double kMicroseconds = 1e6;  ///< of a second

/// A program executed without its device, and its times there.
struct ExecutedProgram {
  std::string program;
  Device device;
  std::string link;  ///< "PCIe 5.0 x16", with its full rate; empty where the user gave the rate
  double link_bytes_per_second = 0;
  programs::RunEvents events;
};

/// @return whether every launch has a time
bool is_predicted(const ExecutedProgram& run);

/// A line for each kernel, in the order of their shares of the time, then for each kind of copy, and the sums.
std::string write_text(const ExecutedProgram& run);
/// The same for a page, with the timeline.
ProgramReport report_of(const ExecutedProgram& run);
/// Format "warpipe-run".
std::string write_json(const ExecutedProgram& run);

}  // namespace warpipe::app
