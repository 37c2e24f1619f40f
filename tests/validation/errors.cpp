#include "errors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpipe::validation {

std::vector<KernelErrors> errors_by_kernel(const MeasuredSet& set, const std::vector<PredictedCells>& predicted) {
  std::vector<KernelErrors> all;
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    const MeasuredRow& row = set.rows[i];
    auto errors = std::ranges::find_if(
        all, [&](const KernelErrors& own) { return own.kernel == row.kernel && own.device == row.device; });
    if (errors == all.end()) errors = all.insert(all.end(), KernelErrors{.kernel = row.kernel, .device = row.device});
    ++errors->rows;
    if (const auto value = number_in(predicted[i], "predicted"))
      errors->add(set.error_percent(i, *value));
    else
      ++errors->failed;
  }
  return all;
}

std::vector<KernelErrors> errors_of_committed(const std::string& set) {
  return errors_by_kernel(measured_set(set), committed_predictions(set));
}

std::string errors_csv() {
  std::string text = "set,device,kernel,rows,mean_abs_percent,bias_percent\n";
  for (const std::string& set : measured_set_names()) {
    if (set == "kernels_gtx1070") continue;  // five of 210 rows; RESULTS.md has the errors of all
    for (const KernelErrors& errors : errors_of_committed(set))
      text += fmt::format("{},{},{},{},{:.1f},{:.1f}\n", set, errors.device, errors.kernel, errors.rows,
                          errors.mean_absolute_percent(), errors.bias_percent());
  }
  return text;
}

std::string error_changes(const MeasuredSet& set, const std::vector<PredictedCells>& before,
                          const std::vector<PredictedCells>& after) {
  std::string text;
  const auto old = errors_by_kernel(set, before), now = errors_by_kernel(set, after);
  for (std::size_t i = 0; i < now.size(); ++i)
    text += fmt::format("{} on {}: mean |error| {:.2f} % before, {:.2f} % now\n", now[i].kernel, now[i].device,
                        old[i].mean_absolute_percent(), now[i].mean_absolute_percent());
  return text;
}

}  // namespace warpipe::validation
