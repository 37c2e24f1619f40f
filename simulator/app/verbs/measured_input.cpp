#include "verbs/measured_input.hpp"

#include <fmt/format.h>

#include <utility>

#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::app {
namespace {

constexpr std::string_view kMeasuredNotes = R"(
Files of other programs for --measured, known by what is in them:
  ncu --csv                 a row per launch (--page raw) or metric:
                            gpu__time_duration.sum, else sm__cycles_elapsed.max
  nsys stats --format csv   --report cuda_gpu_trace, or cuda_gpu_kern_sum:
                            medians without launches, which --group-size and
                            --groups give
  rocprof --stats, rocprofv3 --kernel-trace
                            results.csv, *_kernel_trace.csv
  Kernel Tuner              a cache file, also one that is still open

--kernel k takes the rows of k(int), void n::k<float>(int) and the like,
--kernel-map those of other names. --device is needed where the file has no
title of a shipped device. --param gives what the file does not. Tunables are
the parameters of their names, and the product of block_size_x, _y and _z is the
group size. What is not scored is counted.
)";

/// Probes of a device without a table may bear any name, but only one.
void require_one_device(const std::vector<Measurement>& rows) {
  for (const Measurement& row : rows)
    if (row.device != rows.front().device)
      refuse("--probe",
             fmt::format("line {} is of {}, and line {} of {}", rows.front().line, rows.front().device, row.line,
                         row.device),
             "", "give the probes of one device");
}

/// The titles of the shipped devices by their names.
std::map<std::string, std::string> device_titles(const DataFiles& files) {
  std::map<std::string, std::string> titles;
  for (const auto& name : files.names(DataFiles::Kind::Devices)) titles.emplace(name, files.device(name).title);
  return titles;
}

}  // namespace

MeasuredInput::MeasuredInput(const Arguments& arguments, const DataFiles& files, const Device* device) : files_(files) {
  const auto probe = arguments.value("probe");
  const auto measured = probe ? *probe : arguments.require("measured", "CSV");
  if (const auto kernel = arguments.value("kernel")) choose_kernel(*kernel, std::nullopt);
  for (const auto& given : arguments.assignments("kernel-map")) choose_kernel(given.value, given.name);
  if (device != nullptr) {
    (probe ? filter_.device_of_no_column : filter_.device) = device->name;
  } else if (const auto given = arguments.value("device")) {
    choose_device(*given);
  }
  for (const auto& given : arguments.assignments("tunable"))
    if (!foreign_.tunables.emplace(given.name, given.value).second) refuse(given.option, "the tunable is given twice");
  for (const auto& given : arguments.assignments("param")) foreign_.parameters.insert(given.name);
  foreign_.kernel = kernels();
  foreign_.device = filter_.device;
  if (!foreign_.device) foreign_.devices = device_titles(files);
  const auto text = read_input(measured);
  file_ = read_measured(text.text, text.name, filter_, foreign_);
  if (probe) require_one_device(file_.rows);
}

void MeasuredInput::choose_device(const std::string& given) {
  filter_.device = given;
  if (!is_path(given)) return;
  auto read = files_.device(given);
  filter_.device = read.name;
  devices_.emplace(lower_case(read.name), std::move(read));
}

void MeasuredInput::choose_kernel(const std::string& given, const std::optional<std::string>& foreign) {
  auto name = given;
  if (is_path(given)) {
    auto read = files_.kernel(given);
    name = read.name;
    kernels_.insert_or_assign(lower_case(name), std::move(read));
  }
  if (!foreign) filter_.kernel = name;
  if (!foreign_.kernels.emplace(lower_case(foreign.value_or(name)), name).second)
    refuse("--kernel-map", fmt::format("\"{}\" is given twice", foreign.value_or(name)));
}

std::string_view measured_notes() { return kMeasuredNotes; }

Lookup<Kernel> MeasuredInput::kernels() const {
  return [this](const std::string& name) {
    const auto own = kernels_.find(lower_case(name));
    return own == kernels_.end() ? files_.kernel(name) : own->second;
  };
}

Lookup<Device> MeasuredInput::devices() const {
  return [this](const std::string& name) {
    const auto own = devices_.find(lower_case(name));
    return own == devices_.end() ? files_.device(name) : own->second;
  };
}

}  // namespace warpipe::app
