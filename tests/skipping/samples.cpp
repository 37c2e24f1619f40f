#include "samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "conformance_cases.hpp"
#include "files.hpp"
#include "simulators.hpp"
#include "support/drawn_cases.hpp"
#include "support/random_model.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

constexpr std::int64_t kTimes = 50;
constexpr std::int64_t kMostDivisor = 1 << 10;
constexpr std::int64_t kMostTimes = 100;  // the issues asked for: of a launch of a group per unit

std::int64_t issues(const Program& program) {
  double issued = 0;
  const std::vector<std::int64_t> warps = warps_of_streams(program);
  for (std::size_t i = 0; i < warps.size(); ++i) {
    for (const std::int64_t runs : program.streams[i].runs)
      issued += static_cast<double>(warps[i]) * static_cast<double>(runs);
  }
  return static_cast<std::int64_t>(std::min(issued, 1e18));
}

Program lowered(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  return lower(kernel, device, resolve_launch(kernel, device, options), options);
}

enum class Loops { None, Outermost, All };

/// @param scaled  a trip count, from the text of the original
void change_trips(std::vector<Item>& body, Loops which, const std::vector<std::string>& names,
                  const std::function<std::string(const std::string&)>& scaled) {
  for (Item& item : body) {
    if (auto* when = std::get_if<When>(&item.node)) change_trips(when->body, which, names, scaled);
    auto* loop = std::get_if<Loop>(&item.node);
    if (loop == nullptr || which == Loops::None) continue;
    loop->trip_count = Expression::parse(scaled(loop->trip_count.text()), names);
    change_trips(loop->body, which == Loops::All ? Loops::All : Loops::None, names, scaled);
  }
}

Kernel with_trips(Kernel kernel, Loops which, const std::function<std::string(const std::string&)>& scaled) {
  std::vector<std::string> names{"group_size", "groups", "warps", "warp"};
  for (const auto& [name, value] : kernel.parameters) names.push_back(name);
  if (kernel.kinds) {
    names.push_back("kind");
    for (const auto& [name, column] : kernel.kinds->values) names.push_back(name);
  }
  change_trips(kernel.body, which, names, scaled);
  return kernel;
}

Kernel with_more_trips(Kernel kernel, Loops which) {
  return with_trips(std::move(kernel), which,
                    [](const std::string& trips) { return fmt::format("{} * ({})", kTimes, trips); });
}

Kernel with_fewer_trips(Kernel kernel, std::int64_t divisor) {
  return with_trips(std::move(kernel), Loops::All,
                    [&](const std::string& trips) { return fmt::format("ceil(({}) / {})", trips, divisor); });
}

Program shipped_program(const Kernel& kernel, const Device& device, Units units, std::int64_t most_issues) {
  LaunchOptions options;
  options.units = units;
  if (!kernel.launch.group_size) options.group_size = 2 * device.warp_size;
  if (!kernel.launch.groups) options.groups = 100 * device.compute_units;
  const Kernel changed = with_options(kernel, options);
  std::int64_t groups_per_unit = resolve_launch(changed, device, options).groups_per_unit;
  for (;; groups_per_unit /= 2) {
    options.groups = groups_per_unit * device.compute_units + (units == Units::All ? device.compute_units / 2 : 0);
    Program program = lowered(changed, device, options);
    if (issues(program) <= most_issues) return program;
    if (groups_per_unit > 1) continue;
    const std::int64_t times = issues(program) / most_issues;
    return times <= kMostTimes ? program : lowered(with_fewer_trips(changed, times / kMostTimes + 1), device, options);
  }
}

Program program_on_many_units(const Kernel& kernel, const Device& device, std::int64_t waves,
                              std::int64_t most_issues) {
  LaunchOptions options;
  options.units = Units::All;
  if (!kernel.launch.group_size) options.group_size = 2 * device.warp_size;
  options.groups = device.compute_units;
  const Kernel changed = with_options(kernel, options);
  const std::int64_t slots = resolve_launch(changed, device, options).concurrent_groups.value;
  options.groups = device.compute_units * slots * waves + device.compute_units / 3;
  for (std::int64_t divisor = 1;; divisor *= 2) {
    const Program program = lowered(with_fewer_trips(changed, divisor), device, options);
    if (issues(program) <= most_issues || divisor > kMostDivisor)
      return lower_launch(with_fewer_trips(changed, divisor), device, options).program;
  }
}

/// A derived device has the rows of its sibling.
std::vector<std::pair<std::string, std::string>> shipped_pairs() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& kernel : validation::shipped_kernels())
    for (const auto& device : validation::shipped_devices())
      if (!validation::is_derived(device)) pairs.emplace_back(kernel, device);
  return pairs;
}

bool has_ops(const Device& device, const Kernel& kernel) {
  const auto has_op = [&](const Instruction& one) { return device.find_op(one.op) != nullptr; };
  return std::ranges::all_of(kernel.instructions, has_op);
}

Program enlarged(const ConformanceCase& one, std::int64_t most_issues) {
  for (const std::int64_t times : {kTimes, std::int64_t{1}}) {
    for (const Loops which : {Loops::All, Loops::Outermost, Loops::None}) {
      const Kernel kernel = with_more_trips(one.kernel, which);
      LaunchOptions options;
      options.units = one.units;
      options.ignore_limits = true;
      options.groups = times * resolve_launch(kernel, one.device, options).groups.value;
      Program program = lowered(kernel, one.device, options);
      // With other trips, warps may wait for signals that never come.
      const bool is_good = issues(program) <= most_issues && comes_to_an_end(program);
      if (is_good || (times == 1 && which == Loops::None)) return program;
    }
  }
  return {};
}

void take_random(const rc::Gen<random_model::Model>& models, std::uint64_t seed, const TakeProgram& take) {
  const auto model = models(rc::Random(seed), rc::kNominalSize).value();
  LaunchOptions options;
  options.units = model.all_units ? Units::All : Units::One;
  options.ignore_limits = true;
  take(fmt::format("random kernel of seed {}", seed),
       lowered(random_model::read_kernel(model), random_model::read_device(model), options));
}

}  // namespace

void for_each_shipped(std::int64_t most_issues, Units units, const TakeProgram& take) {
  const auto pairs = shipped_pairs();
  for (const std::size_t i : drawn_cases("skipping of shipped kernels, " + to_string(units), pairs.size())) {
    const Kernel kernel = validation::shipped_kernel(pairs[i].first);
    const Device device = validation::shipped_device(pairs[i].second);
    if (!has_ops(device, kernel)) continue;
    take(kernel.name + " on " + device.name, shipped_program(kernel, device, units, most_issues));
  }
}

void for_each_shipped_on_many_units(std::int64_t most_issues, const TakeProgram& take) {
  auto pairs = shipped_pairs();
  std::erase_if(pairs, [](const auto& pair) { return validation::shipped_device(pair.second).compute_units < 32; });
  for (const std::size_t i : drawn_cases("shipped kernels on many units", 2 * pairs.size())) {
    const Kernel kernel = validation::shipped_kernel(pairs[i / 2].first);
    const Device device = validation::shipped_device(pairs[i / 2].second);
    if (!has_ops(device, kernel)) continue;
    const std::int64_t waves = i % 2 == 0 ? 4 : 60;
    take(fmt::format("{} on {}, {} waves", kernel.name, device.name, waves),
         program_on_many_units(kernel, device, waves, most_issues));
  }
}

void for_each_conformance_case(std::int64_t most_issues, const TakeProgram& take) {
  const auto cases = conformance_cases();
  for (const std::size_t i : drawn_cases("skipping of conformance cases", cases.size()))
    take(cases[i].name, enlarged(cases[i], most_issues));
}

void for_each_random(std::int64_t count, std::uint64_t seed, const TakeProgram& take, std::int64_t most_issues) {
  const auto long_models = random_model::models({.most_trips = 60, .most_groups = 120, .most_issues = most_issues / 3});
  const auto very_long = random_model::models({.most_trips = 1000, .most_groups = 1500, .most_issues = most_issues});
  for (std::int64_t i = 0; i < count; ++i)
    take_random(i % 2 == 0 ? long_models : very_long, seed + static_cast<std::uint64_t>(i), take);
}

void for_each_random_of_kinds(std::int64_t count, std::uint64_t seed, const TakeProgram& take,
                              std::int64_t most_issues) {
  const auto models =
      random_model::models({.most_trips = 60, .most_groups = 1000, .most_issues = most_issues * 2 / 3, .kinds = true});
  for (std::int64_t i = 0; i < count; ++i) take_random(models, seed + static_cast<std::uint64_t>(i), take);
}

void for_each_random_with_levels(std::int64_t count, std::uint64_t seed, const TakeProgram& take,
                                 std::int64_t most_issues) {
  random_model::Shape shape{.most_trips = 1000, .most_groups = 1500, .most_issues = most_issues, .levels = true};
  const auto models = random_model::models(shape);
  shape.kinds = true;
  const auto of_kinds = random_model::models(shape);
  for (std::int64_t i = 0; i < count; ++i)
    take_random(i % 4 == 3 ? of_kinds : models, seed + static_cast<std::uint64_t>(i), take);
}

}  // namespace warpipe
