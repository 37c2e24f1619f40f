#include "warpipe/sweep/assumption_times.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/parallel/loops.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

/// A value to try in place of an assumption.
struct Trial {
  std::size_t assumption = 0;
  std::string value;
};

constexpr std::size_t kMostExamined = 16;
// In all trials: about half a minute on a processor of 2020.
constexpr double kMostReached = 1e8;   ///< sectors
constexpr double kMostExecuted = 1e7;  ///< instructions of control and addresses

// The steps of a number away from a value without an effect on the time.
constexpr std::int64_t kFurther = 8, kMostSteps = 3, kMostNumber = 1 << 30;

/// The whole text as a number.
std::optional<std::int64_t> whole_in(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The next value beyond `value` on the way from `from`, upwards or downwards; nothing where that is no number.
std::optional<std::string> further(const std::string& from, const std::string& value) {
  const auto start = whole_in(from), number = whole_in(value);
  if (!start || !number || *number < 1) return std::nullopt;
  const auto next = *number > *start ? *number * kFurther : *number / kFurther;
  return next < 1 || next > kMostNumber ? std::nullopt : std::optional(std::to_string(next));
}

/// Assumptions known to users of the launch, and independent of data.
bool is_of_launch(const isa::Assumption& one) {
  using Kind = isa::Assumption::Kind;
  return one.kind == Kind::Block || one.kind == Kind::Grid || one.kind == Kind::Argument;
}

/// The assumptions to examine, by their place in the report.
std::vector<std::size_t> examined(const isa::ImportReport& report) {
  double reached = 1;
  for (const auto& access : report.accesses) reached += access.statistics.segments.sum;
  const auto executed = static_cast<double>(std::max<std::int64_t>(1, report.executed));
  const auto trials = std::min(kMostReached / reached, kMostExecuted / executed);
  const auto most = std::clamp<std::size_t>(static_cast<std::size_t>(trials / 2), 1, kMostExamined);
  std::vector<std::size_t> chosen;
  for (const bool of_launch : {false, true})
    for (std::size_t i = 0; i < report.assumptions.size(); ++i)
      if (const auto& one = report.assumptions[i];
          !one.others.empty() && is_of_launch(one) == of_launch && chosen.size() < most)
        chosen.push_back(i);
  return chosen;
}

}  // namespace

std::vector<AssumptionTimes> examine_assumptions(const code::Module& module, const isa::ImportOptions& options,
                                                 const isa::ImportReport& report, const Device& device,
                                                 const LaunchOptions& launch, Seconds time, std::size_t threads,
                                                 const std::function<void(std::size_t, std::size_t)>& done) {
  const auto& assumptions = report.assumptions;
  auto settled = options;
  for (const auto& one : assumptions) isa::answer(settled, one, one.value);
  settled.launch.assume = true;  // another value may lead to code not yet reached
  auto plain = launch;
  plain.range = false;
  plain.doubts = false;
  std::vector<AssumptionTimes> all;
  for (const auto& one : assumptions) all.push_back({one, {}, 0});
  std::vector<Trial> trials;
  for (const auto i : examined(report))
    for (const auto& value : assumptions[i].others) trials.push_back({i, value});
  const auto predicted = [&](const isa::Assumption& one, const std::string& value) {
    AssumptionTimes::Other other{value, {}, ""};
    try {
      auto changed = settled;
      isa::answer(changed, one, value);
      other.time = predict(lower_launch(module.import(changed).kernel, device, plain)).time;
      other.moves = std::abs(other.time->count - time.count) >= AssumptionTimes::kMoves * time.count;
    } catch (const Error& error) {
      other.error = error.what();
    }
    return other;
  };
  const auto make = [&](std::size_t index) {
    const auto& one = assumptions[trials[index].assumption];
    auto other = predicted(one, trials[index].value);
    for (auto step = kMostSteps; step > 0 && other.time && !other.moves; --step) {
      const auto next = further(one.value, other.value);
      if (!next) break;
      auto beyond = predicted(one, *next);
      if (!beyond.time) break;
      other = std::move(beyond);
    }
    return std::pair(trials[index].assumption, std::move(other));
  };
  std::size_t finished = 0;
  const auto take = [&](std::pair<std::size_t, AssumptionTimes::Other> made) {
    auto& one = all[made.first];
    if (made.second.time && time.count > 0)
      one.most = std::max(one.most, std::abs(made.second.time->count / time.count - 1));
    one.others.push_back(std::move(made.second));
    if (done) done(++finished, trials.size());
  };
  for_each_in_order(0, trials.size(), threads, make, take);
  std::ranges::stable_sort(all, [](const AssumptionTimes& a, const AssumptionTimes& b) {
    return std::pair(!a.others.empty(), a.most) > std::pair(!b.others.empty(), b.most);
  });
  return all;
}

std::optional<Interval> time_by_guesses(const std::vector<AssumptionTimes>& all, Seconds time) {
  using Kind = isa::Assumption::Kind;
  std::optional<Interval> between;
  for (const auto& one : all) {
    if (one.assumption.kind != Kind::Trips && one.assumption.kind != Kind::Taken) continue;
    if (!between) between = Interval{time.count, time.count};
    for (const auto& other : one.others) {
      if (!other.time) continue;
      between->low = std::min(between->low, other.time->count);
      between->high = std::max(between->high, other.time->count);
    }
  }
  return between;
}

}  // namespace warpipe
