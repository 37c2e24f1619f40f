#include "command_line/data_files.hpp"

#include <fmt/format.h>

#include "command_line/output_files.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/inputs/places.hpp"

namespace warpipe::app {

TextFile read_input(const std::string& path) { return read_file(path, check_not_overwritten); }
TextFile read_kernel_input(const std::string& path, const std::string& device) {
  return read_kernel_file(path, check_not_overwritten, device);
}

DataFiles::DataFiles(const std::optional<std::string>& data) : warpipe::DataFiles(data, check_not_overwritten) {}

NamedKernel named_kernel(const std::string& name, const DataFiles& files) {
  const auto colon = name.rfind(':');
  if (colon == std::string::npos || is_there(name)) return {files.kernel_path(name), ""};
  return {files.kernel_path(name.substr(0, colon)), name.substr(colon + 1)};
}

void require_entry(const NamedKernel& kernel, const TextFile& file) {
  if (kernel.entry.empty() || is_code(file)) return;
  throw InputError(Diagnostic{kernel.path, fmt::format("a kernel file has no entry \"{}\"", kernel.entry), "",
                              "name the file alone"});
}

}  // namespace warpipe::app
