#include "inputs.hpp"

#include "exit_status.hpp"
#include "ptx_kernel.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe::app {

Kernel read_kernel(const Arguments& arguments, const DataFiles& files, std::int64_t warp_size) {
  const auto name = arguments.only("KERNEL");
  check_ptx_options(arguments, name);
  if (!is_ptx(name)) return files.kernel(name);
  auto imported = import_kernel(name, arguments, warp_size);
  for (const auto& note : imported.report.notes) warn(note);
  return std::move(imported.kernel);
}

Inputs read_inputs(const Arguments& arguments) {
  const auto kernel = arguments.only("KERNEL");
  const auto device = arguments.require("device", "DEVICE");
  if (kernel == "-" && device == "-") {
    refuse("--device -", "standard input is read only once", "the kernel comes from there");
  }
  const DataFiles files(arguments.value("data"));
  auto read = files.device(device);
  return {read_kernel(arguments, files, read.warp_size), std::move(read)};
}

}  // namespace warpipe::app
