#include <limits>

#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/baselines/device_rates.hpp"
#include "warpipe/predict/instruction_number.hpp"
#include "warpipe/views/rates_view.hpp"

namespace warpipe::app {
namespace {

ExitStatus run_roofline(const Arguments& arguments) {
  arguments.no_positional();
  const Output output(arguments.value("json").value_or(""));
  const auto name = arguments.require("device", "DEVICE");
  const auto flops = arguments.value("matrix-flops");
  const auto of_mma = flops ? read_number("--matrix-flops", *flops, 0, std::numeric_limits<double>::max()) : 0;
  const auto rates =
      rates_of(without_kernel(DataFiles(arguments.value("data")).device(name), read_launch_options(arguments)), of_mma);
  arguments.has("json") ? output.write(write_json(rates)) : output.show(write_text(rates));
  return ExitStatus::Done;
}

}  // namespace

Verb roofline_verb() {
  return {"roofline", "--device DEVICE [options]",
          "the rates of a device by op and number format, its bandwidth and ridge points", run_roofline};
}

}  // namespace warpipe::app
