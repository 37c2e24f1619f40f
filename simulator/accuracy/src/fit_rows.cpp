#include "fit_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "warpipe/accuracy/measured_row.hpp"
#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/parallel/loops.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

/// The error of a run without time where a rate was measured: wrong beyond any real error.
constexpr double kNoRate = 1e3;

/// The problems of rows, each once: a missing kernel is missing in every row of it.
class RowProblems {
 public:
  void add(const Measurement& measurement, const Error& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      const auto known = std::ranges::find(found_, diagnostic, &Found::diagnostic);
      if (known != found_.end())
        ++known->rows;
      else
        found_.push_back({diagnostic, measurement.line, 1});
    }
  }

  /// @throws ModelError with the first line of each problem and how many rows have it
  void throw_if_any() const {
    if (found_.empty()) return;
    std::vector<Diagnostic> diagnostics;
    for (const auto& [diagnostic, line, rows] : found_) {
      diagnostics.push_back(diagnostic);
      const std::string others = rows == 1 ? "" : fmt::format(" and {} further row{}", rows - 1, rows == 2 ? "" : "s");
      diagnostics.back().where = fmt::format("line {}{}: {}", line, others, diagnostic.where);
    }
    throw ModelError(std::move(diagnostics));
  }

 private:
  struct Found {
    Diagnostic diagnostic;
    std::size_t line = 0;  ///< of the first row
    std::size_t rows = 0;
  };
  std::vector<Found> found_;
};

}  // namespace

FitRows::FitRows(const std::vector<Measurement>& measurements, const Lookup<Kernel>& kernels, const Device& device,
                 const LaunchOptions& options, std::size_t threads)
    : options_(options), threads_(threads) {
  const Device changed = with_launch_options(device);
  std::map<std::string, Kernel> by_name;
  RowProblems problems;
  for (const Measurement& measurement : measurements) {
    try {
      auto found = by_name.find(measurement.kernel);
      if (found == by_name.end()) found = by_name.emplace(measurement.kernel, kernels(measurement.kernel)).first;
      const LaunchOptions own = options_of(measurement, found->second, device, options);
      const Row row{measurement, settle_launch(found->second, device, own)};
      // Fails now, and with the line, rather than later in the midst of the work.
      in_quantity(measurement, row.settled.launch, row.settled.device.clock, changed, Ticks{1});
      lowered(row, changed);
      rows_.push_back(row);
    } catch (const GateError&) {
      throw;
    } catch (const Error& error) {
      problems.add(measurement, error);
    }
  }
  problems.throw_if_any();
}

Device FitRows::with_launch_options(const Device& variant) const { return with_options(variant, options_); }

Program FitRows::lowered(const Row& row, const Device& variant) const {
  return lower(row.settled.kernel, variant, row.settled.launch, options_);
}

std::optional<Device> FitRows::slower(const Row& row, const Device& variant) const {
  const Hertz clock = clock_in(variant, row.settled.kernel);
  if (options_.clock || clock == variant.clock) return std::nullopt;
  Device device = variant;
  set_clock(device, clock);
  return device;
}

Program FitRows::program(std::size_t row, const Device& variant) const {
  const Device changed = with_launch_options(variant);
  return lowered(rows_[row], slower(rows_[row], changed).value_or(changed));
}

double FitRows::error(const Row& row, const Device& variant) const {
  if (const auto device = slower(row, variant)) return error(row, *device);
  const Ticks cycles = simulate(lowered(row, variant), options_.skipping).cycles;
  const auto predicted = in_quantity(row.measurement, row.settled.launch, variant.clock, variant, cycles);
  return predicted ? error_percent(row.measurement.quantity, *predicted, row.measurement.value) / 100 : kNoRate;
}

double FitRows::error(std::size_t row, const Device& variant) const {
  return error(rows_[row], with_launch_options(variant));
}

std::vector<double> FitRows::errors(const Device& variant) const {
  const Device changed = with_launch_options(variant);
  std::vector<double> errors(rows_.size());
  if (threads_ == 1) {  // spares a search of thousands of short runs the cost of sharing them out
    for (std::size_t i = 0; i < rows_.size(); ++i) errors[i] = error(rows_[i], changed);
    return errors;
  }
  for_each_index(rows_.size(), threads_, [&](std::size_t i) { errors[i] = error(rows_[i], changed); }, {});
  return errors;
}

}  // namespace warpipe
