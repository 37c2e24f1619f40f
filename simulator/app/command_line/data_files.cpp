#include "command_line/data_files.hpp"

#include "command_line/output_files.hpp"

namespace warpipe::app {

TextFile read_input(const std::string& path) { return read_file(path, check_not_overwritten); }
TextFile read_kernel_input(const std::string& path, const std::string& device) {
  return read_kernel_file(path, check_not_overwritten, device);
}

DataFiles::DataFiles(const std::optional<std::string>& data) : warpipe::DataFiles(data, check_not_overwritten) {}

}  // namespace warpipe::app
