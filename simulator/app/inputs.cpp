#include "inputs.hpp"

#include "warpipe/idg/error.hpp"

namespace warpipe::app {

Inputs read_inputs(const Arguments& arguments) {
  const auto kernel = arguments.only("KERNEL");
  const auto device = arguments.require("device", "DEVICE");
  if (kernel == "-" && device == "-") {
    refuse("--device -", "standard input is read only once", "the kernel comes from there");
  }
  const DataFiles files(arguments.value("data"));
  return {files.kernel(kernel), files.device(device)};
}

}  // namespace warpipe::app
