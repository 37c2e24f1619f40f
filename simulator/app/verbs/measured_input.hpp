#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "command_line/arguments.hpp"
#include "command_line/data_files.hpp"
#include "warpipe/accuracy/measured_file.hpp"

namespace warpipe::app {

/// The measured rows of a command line and the kernels and devices that they name.
class MeasuredInput {
 public:
  /// Reads --measured or --probe, --kernel, --kernel-map, --device and --tunable.
  /// @param device  of --device, where it has been read
  /// @throws UsageError for missing names, InputError for files that cannot be read
  MeasuredInput(const Arguments& arguments, const DataFiles& files, const Device* device = nullptr);

  const MeasuredFile& file() const { return file_; }
  /// Looks up the names in the rows: a file of the command line is known by the name inside it.
  Lookup<Kernel> kernels() const;
  Lookup<Device> devices() const;

 private:
  void choose_device(const std::string& given);
  void choose_kernel(const std::string& given, const std::optional<std::string>& foreign);

  const DataFiles& files_;
  std::map<std::string, Kernel> kernels_;  ///< from files, by their names in lower case
  std::map<std::string, Device> devices_;
  MeasurementFilter filter_;
  ForeignNames foreign_;
  MeasuredFile file_;
};

/// Adds --measured, --kernel, --kernel-map and --tunable.

/// The part of help on files of other programs.
std::string_view measured_notes();

}  // namespace warpipe::app
