#include "verbs/sweep_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "command_line/compiler.hpp"
#include "command_line/imported_kernel.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/compile_target.hpp"
#include "warpipe/sweep/variation.hpp"

namespace warpipe::app {
namespace {

using Names = std::vector<std::string>;

/// The values of `--vary kernel=` or `device=`.
std::optional<Names> varied_names(const Arguments& arguments, Variation::Kind kind) {
  for (const auto& text : arguments.values("vary")) {
    const auto variation = parse_named_variation(text);
    if (!variation || variation->kind != kind) continue;
    Names names;
    for (const auto& value : variation->values) names.push_back(value.name);
    return names;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_both(const std::string& where, const std::string& what, const std::string& given) {
  refuse(where, fmt::format("--vary {} names them too", what), fmt::format("found {}", given),
         fmt::format("leave it out, or put it into the sweep: --vary {}={},...", what, given));
}

Names device_names(const Arguments& arguments) {
  const auto varied = varied_names(arguments, Variation::Kind::Device);
  const auto given = arguments.value("device");
  if (varied && given) refuse_both("--device", "device", *given);
  if (varied) return *varied;
  if (!given) refuse("--device", "the option is missing", "", "give --device DEVICE, or several as --vary device=A,B");
  return {*given};
}

Names kernel_names(const Arguments& arguments) {
  const auto varied = varied_names(arguments, Variation::Kind::Kernel);
  if (!varied && arguments.positional().empty())
    refuse("KERNEL", "this argument is missing", "", "give it, or several as --vary kernel=A,B");
  if (!varied) return {arguments.only("KERNEL")};
  if (!arguments.positional().empty()) refuse_both("KERNEL", "kernel", arguments.positional().front());
  return *varied;
}

/// A kernel; without an entry: the entry of --entry.
struct VariedKernel : NamedKernel {
  std::vector<std::string> defines{};  ///< "TILE=16", of macros of a source
};

/// Kernels with each combination of the values of `--vary define.NAME=`, the last macro fastest.
std::vector<VariedKernel> with_defines(const std::vector<VariedKernel>& kernels, const Arguments& arguments) {
  std::vector<Variation> macros;
  for (const auto& text : arguments.values("vary"))
    if (const auto variation = parse_define(text)) macros.push_back(*variation);
  if (macros.empty()) return kernels;
  std::vector<VariedKernel> all;
  for (const auto& kernel : kernels) {
    if (!is_source(kernel.path))
      refuse(fmt::format("--vary {}", macros.front().name),
             fmt::format("macros are of source, and \"{}\" is not", kernel.path), "", "leave it out");
    for (std::size_t i = 0; i < number_of_points(macros); ++i) {
      const auto values = values_of_point(i, macros);
      auto& made = all.emplace_back(kernel);
      for (std::size_t macro = 0; macro < macros.size(); ++macro)
        made.defines.push_back(fmt::format("{}={}", macros[macro].target, to_string(values[macro])));
    }
  }
  return all;
}

/// Reads the kernels of a sweep, each for each device.
class KernelReader {
 public:
  KernelReader(const Arguments& arguments, const std::vector<Device>& devices)
      : arguments_(arguments), devices_(devices) {}

  std::vector<std::vector<SweepKernel>> read(const std::vector<VariedKernel>& kernels) {
    const bool any_source = std::ranges::any_of(kernels, is_source, &VariedKernel::path);
    if (!any_source) check_compiler_options(arguments_, kernels.front().path);
    for (const auto& kernel : kernels)
      if (!is_source(kernel.path)) files_.emplace(kernel.path, read_kernel_input(kernel.path));
    const auto is_of_code = [](const auto& file) { return is_code(file.second); };
    if (!any_source && std::ranges::none_of(files_, is_of_code))
      check_import_options(arguments_, files_.at(kernels.front().path));
    std::vector<std::vector<SweepKernel>> all;
    for (const auto& kernel : kernels) all.push_back(for_devices(kernel));
    return all;
  }

  const std::string& texts() const { return texts_; }

 private:
  /// The properties of a device that its kernel depends on: the target of its compilation, or of its machine code, the
  /// lanes of a warp, and the sizes for counting accesses. Devices alike in all of them share an import.
  struct Target {
    std::string name;
    std::int64_t warp_size = 0;
    std::optional<AccessSizes> sizes;
    friend bool operator==(const Target&, const Target&) = default;
  };

  std::vector<SweepKernel> for_devices(const VariedKernel& kernel) {
    std::vector<std::pair<Target, SweepKernel>> made;
    std::vector<SweepKernel> all;
    for (const auto& device : devices_) {
      const Target target{compile_target(device), device.warp_size, access_sizes(device)};
      auto found = std::ranges::find(made, target, &std::pair<Target, SweepKernel>::first);
      if (found == made.end()) {
        made.emplace_back(target, for_device(kernel, device));
        found = std::prev(made.end());
      }
      all.push_back(found->second);
    }
    return all;
  }

  /// Among several variants of a source, a variant that does not compile is an error of its own points.
  SweepKernel for_device(const VariedKernel& kernel, const Device& device) {
    if (kernel.defines.empty()) return made_for(kernel, device);
    try {
      return made_for(kernel, device);
    } catch (const InputError& error) {
      auto problem = error.diagnostics().front();
      problem.where += fmt::format(" with {}", fmt::join(kernel.defines, ", "));
      return SweepKernel(std::make_exception_ptr(InputError(std::move(problem))));
    }
  }

  SweepKernel made_for(const VariedKernel& kernel, const Device& device) {
    const auto& file = is_source(kernel.path) ? compiled(kernel, device) : files_.at(kernel.path);
    texts_ += file.text;
    if (is_code(file)) return imported(file, kernel.entry, device);
    require_entry(kernel, file);
    return {read_kernel_json(file.text, file.name)};
  }

  SweepKernel imported(const TextFile& file, const std::string& entry, const Device& device) {
    check_import_options(arguments_, file);
    auto source = read_import_source(file, first_launch(entry), arguments_, target_of(device, arguments_));
    return {std::move(source.module), std::move(source.options)};
  }

  /// The launch of the options; of a block or grid that only varies, the first size.
  GivenLaunch first_launch(const std::string& entry) const {
    using Kind = Variation::Kind;
    GivenLaunch given = read_given_launch(arguments_, entry);
    for (const auto& text : arguments_.values("vary")) {
      const auto variation = parse_import_variation(text);
      if (!variation) continue;
      const VariedValue& first = variation->values.front();
      if (variation->kind == Kind::Block && !given.block) given.block = first.sizes;
      if (variation->kind == Kind::Grid && !given.grid) given.grid = first.sizes;
    }
    return given;
  }

  const TextFile& compiled(const VariedKernel& kernel, const Device& device) {
    const std::tuple key(kernel.path, kernel.defines, compile_target(device));
    if (const auto found = compiled_.find(key); found != compiled_.end()) return found->second;
    if (arguments_.has("keep") && !compiled_.empty())
      refuse("--keep", "it keeps the PTX of one compilation, and this sweep makes several", "", "leave it out");
    return compiled_.emplace(key, compile(kernel.path, arguments_, &device, kernel.defines)).first->second;
  }

  const Arguments& arguments_;
  const std::vector<Device>& devices_;
  std::map<std::string, TextFile> files_;  ///< by path, but for source
  /// By path, macros and target.
  std::map<std::tuple<std::string, std::vector<std::string>, std::string>, TextFile> compiled_;
  std::string texts_;
};

}  // namespace

NamedModels read_sweep_models(const Arguments& arguments, const DataFiles& files) {
  const auto names = kernel_names(arguments);
  std::vector<Device> devices;
  for (const auto& name : device_names(arguments)) devices.push_back(files.device(name));
  std::vector<VariedKernel> kernels;
  for (const auto& name : names) kernels.push_back({named_kernel(name, files)});
  kernels = with_defines(kernels, arguments);
  KernelReader reader(arguments, devices);
  const auto read = reader.read(kernels);
  return {SweepModels(read, devices), reader.texts()};
}

}  // namespace warpipe::app
