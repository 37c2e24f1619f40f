#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/accuracy/accuracy.hpp"

/// Files of measurements, those of other programs among them: profilers and autotuners.

namespace warpipe {

/// What a user says of the names in a file of another program.
struct ForeignNames {
  /// The kernels to score by their names in the file, in lower case: whole, "void k<float>(int)", or bare, "k".
  std::map<std::string, std::string> kernels;
  Lookup<Kernel> kernel;  ///< of those
  /// What a tunable of an autotuner is: "group_size", "groups", "concurrent_groups", a parameter, or "none" for one
  /// that the kernel file does not need. Those that go to one launch value are multiplied.
  std::map<std::string, std::string> tunables;
  std::set<std::string> parameters;            ///< that the user gives a value for all rows
  std::optional<std::string> device;           ///< of all rows
  std::map<std::string, std::string> devices;  ///< titles by name, to find one where `device` is not given
};

/// A file of measurements that has been read.
struct MeasuredFile {
  std::string form;  ///< "measured CSV", "Kernel Tuner cache"
  std::vector<Measurement> rows;
  /// Sentences: which form and whose names were read, and which rows are not scored; none for a measured CSV.
  std::vector<std::string> notes;
};

/// Reads a file whose form is known by its content: a measured CSV, or what ncu, nsys, rocprof, rocprofv3 or Kernel
/// Tuner write.
/// @param filter  for a measured CSV
/// @param names   for the others
/// @throws InputError as read_measurements_csv; UsageError for names that the user must give, with what the file has
/// @source formats, "Measured data"
MeasuredFile read_measured(std::string_view text, const std::string& file, const MeasurementFilter& filter,
                           const ForeignNames& names);

/// @return the name of a kernel without what a compiler puts around it: "k" for "void n::k<float>(int) [clone .kd]"
std::string bare_kernel_name(std::string_view name);

/// Finds the device that a driver calls by that title: "a100" for "NVIDIA A100-SXM4-80GB", where the title of the table
/// is "NVIDIA A100 80GB (1410 MHz boost clock)". All words must be the same, but for the vendor and brand; a form
/// factor (PCIe, SXM) may be missing on one side.
/// @param titles  by name
/// @return        nothing where none or several are called so
std::optional<std::string> device_with_title(std::string_view title, const std::map<std::string, std::string>& titles);

}  // namespace warpipe
