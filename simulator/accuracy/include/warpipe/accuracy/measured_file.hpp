#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

/// Files of measurements: measured CSV, and files of other programs such as profilers and autotuners.

namespace warpipe {

/// The user's meaning of the names in a file of another program.
struct ForeignNames {
  /// The kernels to score by their names in the file, in lower case: whole, "void k<float>(int)", or bare, "k".
  std::map<std::string, std::string> kernels;
  Lookup<Kernel> kernel;  ///< of these kernels
  /// The meaning of an autotuner's tunables: "group_size", "groups", "concurrent_groups", a parameter, or "none" for a
  /// tunable not needed by the kernel file. Tunables of the same launch value are multiplied.
  std::map<std::string, std::string> tunables;
  std::set<std::string> parameters;            ///< given by the user for all rows
  std::optional<std::string> device;           ///< of all rows
  std::map<std::string, std::string> devices;  ///< titles by name, to find one where `device` is not given
};

/// The content of a file of measurements.
struct MeasuredFile {
  std::string form;  ///< "measured CSV", "Kernel Tuner cache"
  std::vector<Measurement> rows;
  /// Sentences about the form and the names read, and about rows not scored; none for a measured CSV.
  std::vector<std::string> notes;
};

/// Reads a file and recognizes its form by the content: a measured CSV, or a file of ncu, nsys, rocprof, rocprofv3 or
/// Kernel Tuner.
/// @param filter  for a measured CSV
/// @param names   for any other form
/// @throws InputError as read_measurements_csv; UsageError for names missing in `names`, with the names in the file
/// @source formats, "Measured data"
MeasuredFile read_measured(std::string_view text, const std::string& file, const MeasurementFilter& filter,
                           const ForeignNames& names);

/// @return the name of a kernel without the additions of a compiler: "k" for "void n::k<float>(int) [clone .kd]"
std::string bare_kernel_name(std::string_view name);

/// Finds the device by the title that a driver gives it: "a100" for "NVIDIA A100-SXM4-80GB", where the title of the
/// table is "NVIDIA A100 80GB (1410 MHz boost clock)". All words must be the same, but for the vendor and brand; a form
/// factor (PCIe, SXM) may be missing on one side.
/// @param titles  by name
/// @return        nothing where no device or several devices match
std::optional<std::string> device_with_title(std::string_view title, const std::map<std::string, std::string>& titles);

}  // namespace warpipe
