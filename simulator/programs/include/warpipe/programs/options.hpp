#pragma once

#include <string>
#include <string_view>

#include "warpipe/latency_tables/device.hpp"

namespace warpipe::programs {

/// The options of the runtime replacement in a program started by warpipe.
struct Options {
  bool executes = false;             ///< and predicts; else launches are only written down
  Device device;                     ///< with the options of the launch applied
  std::string folder;                ///< takes all files written during the run
  std::string form;                  ///< as WARPIPE_FORM: "ptx", "cubin" or empty
  bool records = true;               ///< launches are predicted with the values loaded during their execution
  double execute_seconds = 0;        ///< after which kernels are no longer executed; 0: no limit
  double predict_seconds = 0;        ///< likewise, for all predictions together
  double link_bytes_per_second = 0;  ///< between host and device, each way
};

/// The environment variable with the name of the options file.
inline constexpr const char* kOptionsVariable = "WARPIPE_PROGRAM_OPTIONS";

std::string write_options(const Options& options);
/// @throws InputError
Options read_options(std::string_view text, const std::string& file);

/// The files written by a program into the folder of the options, beside the images of its kernels.
inline constexpr const char* kLaunchesName = "launches";  ///< launches.jsonl, of further processes launches_2.jsonl
inline constexpr const char* kEventsName = "events";

}  // namespace warpipe::programs
