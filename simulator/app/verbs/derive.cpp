#include <fmt/format.h>

#include <filesystem>

#include "command_line/data_files.hpp"
#include "command_line/options.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/expression.hpp"
#include "warpipe/latency_tables/derive_device.hpp"
#include "warpipe/predict/instruction_number.hpp"

namespace warpipe::app {
namespace {

namespace fs = std::filesystem;

/// The device is named after its data sheet, else after its file.
std::string name_of(const Arguments& arguments, const DataSheet& sheet, const std::string& file) {
  const auto own = sheet.name.empty() ? fs::path(file).stem().string() : sheet.name;
  const auto name = arguments.value("name").value_or(own);
  if (is_dotted_name(name)) return name;
  refuse("--name", fmt::format("\"{}\" is not a name", name), "",
         "use letters, digits and _, with dots inside and no digit at the start");
}

/// The data sheet of the file, with the values of the options on top.
DataSheet read_sheet(const Arguments& arguments, const std::string& file) {
  DataSheet sheet;
  if (const auto path = arguments.value("data-sheet")) {
    const TextFile input = read_input(*path);
    sheet = read_data_sheet_json(input.text, input.name);
  }
  sheet.name = name_of(arguments, sheet, file);
  read_places(arguments, sheet);
  return sheet;
}

std::string summary(const Device& device, const Device& base) {
  const MemoryLevel& memory = device.memory->levels.back();
  std::string text =
      fmt::format("{}: {} units at {:.6g} MHz", device.name, device.compute_units, device.clock.count / 1e6);
  if (memory.read_rate) text += fmt::format(", {:.4g} GB/s", memory.read_rate->count / 1e9);
  if (memory.read_rate && memory.pin_rate)
    text += fmt::format(" of {:.4g} GB/s at the pins", memory.pin_rate->count / 1e9);
  return text + fmt::format("; {} ops and {} levels carried over from {}\n", device.ops.size(),
                            device.memory->levels.size(), base.name);
}

ExitStatus run_derive(const Arguments& arguments) {
  const auto file = arguments.require("output", "NEW.json");
  const DataSheet sheet = read_sheet(arguments, file);
  const bool by_sheet = arguments.positional().empty() && !sheet.sibling.empty();
  const auto base_name = by_sheet ? sheet.sibling : arguments.only("BASE");
  const DataFiles files(arguments.value("data"));
  const Device base = files.device(base_name);
  const Output table(file);
  const auto quoted = [&](const std::string& name) { return files.device(name); };
  const Device device = without_kernel(derive_device(base, sheet, quoted), read_launch_options(arguments));
  table.write(write_device_json(device));
  if (!is_standard_output(file)) Output().show(summary(device, base));
  return ExitStatus::Done;
}

constexpr std::string_view kDeriveNotes = R"(
What is not given is as of BASE. The memory reaches the same part of its pin
rate as there; the rate of L2 goes with its bytes. Cycles of the units are
carried over as cycles, latencies behind them as seconds. Every op and level of
the new file says which of its numbers are carried over, and counts as the
weakest of them.
)";

}  // namespace

Verb derive_verb() {
  return {"derive", "BASE [options] -o NEW.json", "a device from its data sheet and the table of a similar one",
          run_derive, kDeriveNotes};
}

}  // namespace warpipe::app
