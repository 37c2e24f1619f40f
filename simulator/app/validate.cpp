#include <map>

#include "data_files.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "verbs.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/views/accuracy_view.hpp"

namespace warpipe::app {
namespace {

/// The kernel or device of an option: a file counts under the name that it bears inside.
template <class T>
struct Chosen {
  std::optional<std::string> name;
  std::map<std::string, T> from_file;
};

template <class T>
Chosen<T> choose(const std::optional<std::string>& given, const std::function<T(const std::string&)>& read) {
  if (!given || !is_path(*given)) return {given, {}};
  auto value = read(*given);
  const auto name = value.name;
  return {name, {{name, std::move(value)}}};
}

template <class T>
Lookup<T> lookup(const Chosen<T>& chosen, const std::function<T(const std::string&)>& read) {
  return [&chosen, read](const std::string& name) {
    const auto own = chosen.from_file.find(name);
    return own == chosen.from_file.end() ? read(name) : own->second;
  };
}

ExitStatus run(const Arguments& arguments) {
  arguments.no_positional();
  if (arguments.has("csv") && arguments.has("json")) {
    refuse("--json", "the result has one form", "--csv is given too", "choose one of them");
  }
  const auto measured = arguments.require("measured", "CSV");
  const auto options = read_launch_options(arguments);
  const auto threads = read_threads(arguments);
  const DataFiles files(arguments.value("data"));
  const std::function read_kernel = [&](const std::string& name) { return files.kernel(name); };
  const std::function read_device = [&](const std::string& name) { return files.device(name); };
  const auto kernel = choose<Kernel>(arguments.value("kernel"), read_kernel);
  const auto device = choose<Device>(arguments.value("device"), read_device);
  const auto rows = read_measurements_csv(read_text_file(measured), measured == "-" ? "standard input" : measured,
                                          {kernel.name, device.name});
  const Output output(arguments.value("csv").value_or(arguments.value("json").value_or("")));

  const auto accuracy = score(rows, lookup(kernel, read_kernel), lookup(device, read_device), options, threads,
                              progress_on_terminal("rows"));
  output.write(arguments.has("csv")    ? write_csv(accuracy)
               : arguments.has("json") ? write_json(accuracy)
                                       : write_text(accuracy));
  return ExitStatus::Done;
}

}  // namespace

Verb validate_verb() {
  OptionTable options("Options");
  options.add("measured", "CSV", "measured times, bandwidths or rates; - is standard input")
      .add("device", "DEVICE", "only the rows of this device; stands for a column that the CSV lacks")
      .add("kernel", "KERNEL", "only the rows of this kernel; stands for a column that the CSV lacks")
      .add("json", "[=FILE]", "errors and rows as JSON, to standard output or FILE")
      .add("csv", "[=FILE]", "rows as CSV, to standard output or FILE")
      .add(launch_option_table())
      .add(common_option_table());
  return {"validate", "--measured CSV [--device DEVICE] [--kernel KERNEL] [options]",
          "hold predictions against measurements", options, run};
}

}  // namespace warpipe::app
