#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/inputs/text_file.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The kernels and devices by the name that a user gives: a path (with a separator or the ending of a file), `-` for
/// standard input, or the name of a shipped file in upper or lower case.
class DataFiles {
 public:
  /// @param data    the directory to search first. Then come the directory of the environment variable WARPIPE_DATA,
  ///                the directories of search_data, the directory of the running program (../share/warpipe beside it),
  ///                and the directory of the configured installation
  /// @param before  called with the path of each file before it is read
  /// @throws InputError if `data` or the value of WARPIPE_DATA is not a directory
  explicit DataFiles(const std::optional<std::string>& data = {}, BeforeReading before = {});

  /// @throws InputError for an unknown name (with the nearest name and the searched directories), and for a file that
  ///                    cannot be read or is wrong
  Kernel kernel(const std::string& name) const;
  Device device(const std::string& name) const;
  /// The path of a file.
  /// @throws InputError for an unknown name
  std::string kernel_path(const std::string& name) const;
  std::string device_path(const std::string& name) const;

  enum class Kind { Kernels, Devices };
  /// The names of the shipped files, sorted, each once.
  std::vector<std::string> names(Kind kind) const;

 private:
  std::string path_of(Kind kind, const std::string& name) const;
  std::optional<std::string> shipped_path(Kind kind, const std::string& name) const;
  /// By its common name: "RTX 4090", "4090", "gfx908"; nothing where no device is called so, or several are.
  std::optional<std::string> device_called(const std::string& name) const;
  /// Devices by further names: sm_90, hopper.
  std::vector<std::string> devices_described(const std::string& name) const;
  [[noreturn]] void refuse_unknown(Kind kind, const std::string& name) const;
  BeforeReading before_;
  std::vector<std::filesystem::path> directories_;  ///< in the order of the search
};

/// Adds a directory, if it is there, in which all DataFiles of this process look for shipped files: for a package with
/// files of its own. Not to be called while another thread opens files.
/// @return true
bool search_data(const std::string& directory);

namespace detail {

/// As search_data, with the directory that an installation has beside this header.
bool search_data_beside(const std::string& header);

/// A program finds the data of the installation it is compiled with, at any place.
[[maybe_unused]] static const bool kSearchesBesideHeader = search_data_beside(__FILE__);

}  // namespace detail
}  // namespace warpipe
