#include "warpipe/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/bind_latencies.hpp"
#include "warpipe/parallel/loops.hpp"
#include "warpipe/predict/launch_work.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/one_unit.hpp"
#include "warpipe/predict/run_within.hpp"
#include "warpipe/sweep/effort.hpp"
#include "warpipe/sweep/equal_work.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

/// An occupancy is another way to give the concurrent groups.
bool same_thing(const Variation& a, const Variation& b) {
  const auto thing = [](const Variation& variation) {
    const Kind kind = variation.kind == Kind::Occupancy ? Kind::ConcurrentGroups : variation.kind;
    return std::pair(kind, variation.target);
  };
  return thing(a) == thing(b);
}

void require_different(const std::vector<Variation>& variations) {
  for (auto second = variations.begin(); second != variations.end(); ++second) {
    for (auto first = variations.begin(); first != second; ++first) {
      if (!same_thing(*first, *second)) continue;
      throw UsageError(
          Diagnostic{.where = "`vary`",
                     .problem = fmt::format("\"{}\" and \"{}\" change the same thing", first->name, second->name),
                     .found = "",
                     .advice = "put all values into one of them"});
    }
  }
}

/// The options of an import do not apply to a kernel file.
void require_import(const SweepKernel& kernel, const std::vector<Variation>& variations) {
  const auto is_of_import = [](const Variation& one) {
    return one.kind == Kind::Block || one.kind == Kind::Grid || one.kind == Kind::Argument;
  };
  const auto found = std::ranges::find_if(variations, is_of_import);
  if (kernel.is_imported() || found == variations.end()) return;
  throw UsageError(Diagnostic{.where = fmt::format("`vary {}`", found->name),
                              .problem = "the kernel is a kernel file, which is not imported for a launch",
                              .found = "",
                              .advice = "vary group_size, groups or a parameter of it, in a sweep of its own"});
}

/// Smaller groups are faster where they do less work: only points of equal work are worth a sweep.
void require_same_work(const SweepKernel& kernel, const Kernel& first, const LaunchOptions& options,
                       const std::vector<Variation>& variations) {
  const auto find = [&](Kind kind) { return std::ranges::find(variations, kind, &Variation::kind); };
  const bool varies_groups = find(Kind::Groups) != variations.end();
  const bool varies_size = find(Kind::GroupSize) != variations.end();
  if (kernel.is_imported() && (varies_groups || varies_size))
    throw UsageError(Diagnostic{
        .where = varies_size ? "`vary group_size`" : "`vary groups`",
        .problem = "a kernel from PTX keeps the block and the grid for which it is imported",
        .found = "",
        .advice = varies_size ? "vary the block, as in `vary block=64,128,256`: the kernel is imported for each"
                              : "vary the grid, as in `vary grid=1024,2048`: the kernel is imported for each"});
  if (!varies_size || varies_groups) return;
  const std::string why = why_groups_stay(first, options);
  if (why.empty()) return;
  throw UsageError(Diagnostic{
      .where = "`vary group_size`",
      .problem = why + ", so that smaller groups would do less work",
      .found = "",
      .advice = options.groups ? "leave `groups` out, or vary groups too: points of equal work are compared"
                               : "vary groups too (points of equal work are compared), or write launch.groups "
                                 "of the kernel with group_size in it"});
}

/// Applies a variation that depends on no other variation. An occupancy waits until the group size is known; options of
/// an import, the kernel and the device have been applied before.
void apply(const Variation& variation, const VariedValue& varied, LaunchOptions& options) {
  const double value = varied.number;
  const auto whole = static_cast<std::int64_t>(value);
  switch (variation.kind) {
    case Kind::GroupSize:
      options.group_size = whole;
      break;
    case Kind::Groups:
      options.groups = whole;
      break;
    case Kind::ConcurrentGroups:
      options.concurrent_groups = whole;
      break;
    case Kind::Parameter:
      options.parameters.insert_or_assign(variation.target, value);
      break;
    case Kind::DeviceNumber:
      options.final_set.push_back({variation.target, value});
      break;
    case Kind::ConflictDegree:
      options.conflict_degree.insert_or_assign(variation.target, whole);
      break;
    case Kind::Transactions:
      options.transactions.insert_or_assign(variation.target, whole);
      break;
    case Kind::Policy:
      options.policy = parse_policy(varied.name);
      break;
    case Kind::Occupancy:
    case Kind::Block:
    case Kind::Grid:
    case Kind::Argument:
    case Kind::Kernel:
    case Kind::Device:
    case Kind::Define:
      break;
  }
}

LaunchOptions options_but_occupancy(LaunchOptions options, const std::vector<Variation>& variations,
                                    const std::vector<VariedValue>& values) {
  for (std::size_t i = 0; i < variations.size(); ++i) apply(variations[i], values[i], options);
  return options;
}

}  // namespace

LaunchOptions options_at(const LaunchOptions& options, const std::vector<Variation>& variations,
                         const std::vector<VariedValue>& values, const Kernel& kernel, const Device& device) {
  LaunchOptions point = options_but_occupancy(options, variations, values);
  for (std::size_t i = 0; i < variations.size(); ++i) {
    if (variations[i].kind != Kind::Occupancy) continue;
    point.concurrent_groups =
        groups_of_resident_warps(static_cast<std::int64_t>(values[i].number), kernel, device, point);
  }
  return point;
}

/// The error of a kernel and a device at all of their points, found when it is first asked for.
struct SweepStudy::Check {
  std::once_flag once;
  std::exception_ptr problem;
};

SweepStudy::SweepStudy(const SweepModels& models, const LaunchOptions& options,
                       const std::vector<Variation>& variations)
    : models_(models), options_(options), variations_(variations), checks_(new Check[models.all().size()]) {
  require_different(variations);
  size_ = number_of_points(variations);
  if (size_ == 0) return;
  // A problem of every point fails the sweep and not its points: a name unknown to the files, an import.
  std::exception_ptr first_error;
  for (std::size_t i = 0; i < models.all().size(); ++i) {
    try {
      checked_model(i);
      return;
    } catch (const Error&) {
      if (!first_error) first_error = std::current_exception();
    }
  }
  std::rethrow_exception(first_error);
}

SweepStudy::~SweepStudy() = default;

void SweepStudy::check(const SweepModel& model) const {
  require_import(model.kernel, variations_);
  const auto first = model.kernel.first(variations_);
  LaunchOptions of_device;  // which an import was counted for
  of_device.set_device = options_.set_device;
  require_ops(first->kernel, with_options(*model.device, of_device));
  require_same_work(model.kernel, first->kernel, options_, variations_);
  with_options(first->kernel, options_);
  with_options(*model.device, options_);
}

const SweepModel& SweepStudy::checked_model(std::size_t index) const {
  const SweepModel& model = models_.all()[index];
  Check& made = checks_[index];
  std::call_once(made.once, [&] {
    try {
      check(model);
    } catch (const Error&) {
      made.problem = std::current_exception();
    }
  });
  if (made.problem) std::rethrow_exception(made.problem);
  return model;
}

/// The kernel, device and options of a point's simulation.
struct SweepStudy::Point {
  std::shared_ptr<const KernelOfPoint> own;
  const Device& device;
  LaunchOptions options;
};

SweepStudy::Point SweepStudy::point(std::size_t index) const {
  const auto values = values_of_point(index, variations_);
  const auto& [kernel, device] = checked_model(models_.index_at(variations_, values));
  auto own = kernel.at(variations_, values);
  auto options = options_at(options_, variations_, values, own->kernel, *device);
  return {std::move(own), *device, std::move(options)};
}

SweepPoint SweepStudy::at(std::size_t index) const {
  SweepPoint found;
  found.values = values_of_point(index, variations_);
  try {
    auto [own, device, options] = point(index);
    options.doubts = false;
    found.arrays = own->arrays;
    found.prediction = predict(lower_launch(own->kernel, device, options));
    auto& warnings = found.prediction->warnings;
    warnings.insert(warnings.begin(), own->notes.begin(), own->notes.end());
  } catch (const GateError&) {
    throw;
  } catch (const Error& error) {
    found.error = error.what();
  }
  return found;
}

std::vector<std::string> SweepStudy::doubts_at(std::size_t index) const {
  try {
    const auto [own, device, options] = point(index);
    const auto lowered = lower_launch(own->kernel, device, options);
    return doubts_of_one_unit(lowered, run_within(lowered).result.cycles);
  } catch (const GateError&) {
    throw;
  } catch (const Error&) {
    return {};
  }
}

std::optional<double> SweepStudy::guessed_cost(std::size_t index, int halvings) const {
  try {
    const auto [own, device, options] = point(index);
    auto lowered = lower_launch(own->kernel, device, options);
    auto& machine = lowered.program.machine;
    const std::int64_t all = machine.groups, resident = machine.group_slots * machine.units;
    machine.groups = std::max(std::min(all, resident), all >> halvings);
    const double whole = static_cast<double>(all) / static_cast<double>(machine.groups);
    const auto cycles = simulate(lowered.program, options.skipping).cycles;
    const double seconds = whole * to_seconds(cycles, lowered.device.clock).count;
    return cost_of(seconds, lowered.launch, own->arrays, variations_);
  } catch (const GateError&) {
    throw;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<double> SweepStudy::cost_of_time(std::size_t index, double time) const {
  if (changes_of_work(variations_).empty()) return time;
  try {
    const auto [own, device, options] = point(index);
    const auto launch = resolve_launch(with_options(own->kernel, options), with_options(device, options), options);
    return cost_of(time, launch, own->arrays, variations_);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<std::int64_t> SweepStudy::warps_of_group(std::size_t index) const {
  try {
    const auto values = values_of_point(index, variations_);
    const auto& [kernel, device] = checked_model(models_.index_at(variations_, values));
    const auto own = kernel.at(variations_, values);
    return warpipe::warps_of_group(own->kernel, *device, options_but_occupancy(options_, variations_, values));
  } catch (const Error&) {
    return std::nullopt;
  }
}

double SweepStudy::effort(std::size_t index) const {
  try {
    const auto [own, device, options] = point(index);
    return effort_of(own->kernel, device, options).run;
  } catch (const Error&) {
    return 0;
  }
}

void for_each_point(const SweepKernel& kernel, const Device& device, const LaunchOptions& options,
                    const std::vector<Variation>& variations, std::size_t first, std::size_t threads,
                    const std::function<void(SweepPoint point)>& take) {
  const SweepModels models(kernel, device);
  const SweepStudy study(models, options, variations);
  const auto point = [&](std::size_t index) { return study.at(index); };
  for_each_in_order(first, study.size(), threads, point, take);
}

std::vector<SweepPoint> run_sweep(const SweepKernel& kernel, const Device& device, const LaunchOptions& options,
                                  const std::vector<Variation>& variations, std::size_t threads,
                                  const Progress& progress) {
  const std::size_t total = number_of_points(variations);
  std::vector<SweepPoint> points;
  const auto keep = [&](SweepPoint point) {
    points.push_back(std::move(point));
    if (progress) progress(points.size(), total);
  };
  for_each_point(kernel, device, options, variations, 0, threads, keep);
  return points;
}

}  // namespace warpipe
