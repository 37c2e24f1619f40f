#pragma once

#include <string>
#include <string_view>

#include "warpipe/latency_tables/device.hpp"

namespace warpipe::programs {

/// What the stand-in does in a program that warpipe has started.
struct Options {
  bool executes = false;             ///< and predicts; else launches are written down alone
  Device device;                     ///< with the options of the launch applied
  std::string folder;                ///< takes all that is written down
  std::string form;                  ///< as WARPIPE_FORM: "ptx", "cubin" or empty
  bool records = true;               ///< launches are predicted with what they load as they are executed
  double execute_seconds = 0;        ///< after which kernels are no longer executed; 0: no limit
  double predict_seconds = 0;        ///< likewise, that predictions may take together
  double link_bytes_per_second = 0;  ///< between host and device, each way
};

/// The environment variable that names the file of the options.
inline constexpr const char* kOptionsVariable = "WARPIPE_PROGRAM_OPTIONS";

std::string write_options(const Options& options);
/// @throws InputError
Options read_options(std::string_view text, const std::string& file);

/// What a program wrote down in the folder of the options, beside the images of its kernels.
inline constexpr const char* kLaunchesName = "launches";  ///< launches.jsonl, of further processes launches_2.jsonl
inline constexpr const char* kEventsName = "events";

}  // namespace warpipe::programs
