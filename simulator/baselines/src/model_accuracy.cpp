#include "warpipe/baselines/model_accuracy.hpp"

#include <map>

#include "warpipe/accuracy/measured_row.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

/// Reads each name once.
template <class T>
class Known {
 public:
  explicit Known(const Lookup<T>& lookup) : lookup_(lookup) {}
  const T& at(const std::string& name) {
    const auto found = by_name_.find(name);
    return found != by_name_.end() ? found->second : by_name_.emplace(name, lookup_(name)).first->second;
  }

 private:
  const Lookup<T>& lookup_;
  std::map<std::string, T> by_name_;
};

/// Adds the prediction of each model for a row; the same reason for all models where the row has no workload.
class RowModels {
 public:
  RowModels(const Lookup<Kernel>& kernels, const Lookup<Device>& devices, const LaunchOptions& options,
            const ModelInputs& inputs)
      : kernels_(kernels), devices_(devices), options_(options), inputs_(inputs) {}

  void add(const Measurement& measurement, std::vector<ModelScore>& scores) {
    try {
      add_estimates(measurement, scores);
    } catch (const Error& error) {
      for (ModelScore& score : scores) {
        score.predicted.emplace_back();
        score.why_not.emplace_back(error.what());
      }
    }
  }

 private:
  void add_estimates(const Measurement& measurement, std::vector<ModelScore>& scores) {
    const Kernel& kernel = kernels_.at(measurement.kernel);
    const Device& device = devices_.at(measurement.device);
    const LaunchOptions options = options_of(measurement, kernel, device, options_);
    const Workload workload = workload_of(kernel, device, options);
    const std::vector<OpRate> rates = op_rates(device_of_run(device, kernel, options), inputs_.matrix_flops);
    std::vector<Estimate> said;
    std::vector<std::optional<double>> predicted;
    for (const ModelScore& score : scores) {
      said.push_back(estimate(score.model, workload, rates, inputs_));
      predicted.push_back(quantity_of(measurement, workload, device, said.back()));
    }
    for (std::size_t i = 0; i < scores.size(); ++i) {  // last: an exception above must not leave a row half filled
      scores[i].predicted.push_back(predicted[i]);
      const bool no_rate = said[i].cycles && !predicted[i];
      scores[i].why_not.push_back(no_rate ? "a run that takes no time has no rate" : said[i].why_not);
    }
  }

  static std::optional<double> quantity_of(const Measurement& measurement, const Workload& workload,
                                           const Device& device, const Estimate& said) {
    if (!said.cycles) return std::nullopt;
    return in_quantity(measurement, workload.launch, workload.clock, device, round_to_ticks(*said.cycles));
  }

  Known<Kernel> kernels_;
  Known<Device> devices_;
  const LaunchOptions& options_;
  const ModelInputs& inputs_;
};

std::vector<ErrorSummary> summaries_of(const ModelScore& score, const std::vector<Measurement>& measurements) {
  std::vector<Comparison> rows;
  for (std::size_t i = 0; i < measurements.size(); ++i)
    rows.push_back({measurements[i], score.predicted[i], {}, score.why_not[i]});
  return summarize(rows, &Comparison::predicted);
}

}  // namespace

ModelAccuracy score_models(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels,
                           const Lookup<Device>& devices, const LaunchOptions& options, const ModelInputs& inputs,
                           std::size_t threads, const Progress& progress) {
  ModelAccuracy accuracy{score(measurements, kernels, devices, options, threads, progress), {}};
  for (const Model model : all_models()) accuracy.models.push_back({model, {}, {}, {}});
  RowModels rows(kernels, devices, options, inputs);
  for (const Measurement& measurement : measurements) rows.add(measurement, accuracy.models);
  for (ModelScore& score : accuracy.models) score.summaries = summaries_of(score, measurements);
  return accuracy;
}

}  // namespace warpipe
