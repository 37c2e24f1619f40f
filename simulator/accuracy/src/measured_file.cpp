#include "warpipe/accuracy/measured_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "foreign_rows.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

/// A further form is a row here.
constexpr std::array<ForeignForm, 7> kForms{{
    {"Kernel Tuner cache", is_kernel_tuner, read_kernel_tuner},
    {"Nsight Compute, details page", is_ncu_details, read_ncu_details},
    {"Nsight Compute, raw page", is_ncu_raw, read_ncu_raw},
    {"Nsight Systems, cuda_gpu_trace", is_nsys_trace, read_nsys_trace},
    {"Nsight Systems, cuda_gpu_kern_sum", is_nsys_summary, read_nsys_summary},
    {"rocprof, results.csv", is_rocprof, read_rocprof},
    {"rocprofv3, kernel trace", is_rocprofv3, read_rocprofv3},
}};

bool is_json(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && (text[begin] == '{' || text[begin] == '[');
}

/// @throws UsageError for names used only by other programs
void refuse_foreign_names(const std::string& file, const ForeignNames& names, bool maps_kernels) {
  const char* field = maps_kernels ? "`kernel_map`" : names.tunables.empty() ? nullptr : "`tunables`";
  if (field == nullptr) return;
  throw UsageError(Diagnostic{field,
                              fmt::format("{} is a measured CSV, which names kernels and parameters itself", file), "",
                              "leave the option out"});
}

}  // namespace

MeasuredFile read_measured(std::string_view text, const std::string& file, const MeasurementFilter& filter,
                           const ForeignNames& names) {
  for (const ForeignForm& form : kForms) {
    if (!form.recognises(text)) continue;
    ForeignRows rows(file, names);
    form.read(text, rows);
    return rows.finish(form.name);
  }
  if (is_json(text)) {
    std::vector<std::string> known;
    for (const ForeignForm& form : kForms) known.emplace_back(form.name);
    throw InputError(Diagnostic{file, "the JSON is no file of measurements that is known", "",
                                fmt::format("give a measured CSV, or one of: {}", fmt::join(known, "; "))});
  }
  refuse_foreign_names(file, names, names.kernels.size() > (filter.kernel ? 1U : 0U));
  return {"measured CSV", read_measurements_csv(text, file, filter), {}};
}

}  // namespace warpipe
