#include "survey/turns_of_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <vector>

#include "lanes/access_cost.hpp"
#include "program/effort.hpp"
#include "survey/address_form.hpp"
#include "survey/meeting_lanes.hpp"

namespace warpipe::isa {
namespace {

/// Numbers below a limit, evenly spread and without a period: fractions of the multiples of irrational numbers, the
/// golden ratio and roots of primes.
class EvenDraws {
 public:
  explicit EvenDraws(std::int64_t number) : number_(static_cast<double>(number) + 0.5) {}
  std::int64_t below(std::int64_t count) {
    static constexpr std::array kSteps{1.6180339887498949, 1.4142135623730951, 1.7320508075688772,
                                       2.6457513110645907, 3.3166247903553998, 3.6055512754639896};
    const auto product = number_ * kSteps[next_++ % kSteps.size()];
    return std::min(count - 1, static_cast<std::int64_t>((product - std::floor(product)) * static_cast<double>(count)));
  }

 private:
  double number_;
  std::size_t next_ = 0;
};

/// An execution of an access, drawn from the launch.
class Drawn {
 public:
  Drawn(const ProgramForms& forms, const AccessForm& access, const ExecutionInput& input)
      : forms_(forms),
        access_(access),
        input_(input),
        groups_(input.launch.grid[0] * input.launch.grid[1] * input.launch.grid[2]),
        addresses_(static_cast<std::size_t>(input.lanes)) {
    const auto has_threads = [&](Form form) {
      return std::ranges::any_of(forms.forms.variables(form), [](Variable one) { return one.place == Place::Thread; });
    };
    by_thread_ = has_threads(access.address) || has_threads(access.made);
    numbers_.trips.resize(forms.loops.size());
  }

  /// The number of executions to draw: of few groups a multiple, so that each group comes equally often.
  std::int64_t count() const {
    const auto most = by_thread_ ? kEffort.atomics_by_form : kEffort.alike_atomics_by_form;
    return groups_ <= most ? most / groups_ * groups_ : most;
  }

  /// Draws the execution with a number.
  /// @return the active lanes
  std::uint64_t next(std::int64_t number) {
    EvenDraws draws(number);
    const auto& grid = input_.launch.grid;
    const auto group = groups_ <= count() ? number % groups_ : draws.below(groups_);
    numbers_.group = {group % grid[0], group / grid[0] % grid[1], group / grid[0] / grid[1]};
    const auto threads = input_.launch.block[0] * input_.launch.block[1] * input_.launch.block[2];
    const auto first = input_.lanes * draws.below(warps_per_group(input_));
    place(first);
    for (const auto loop : access_.loops) {
      const auto trips = value(forms_.loops[loop].trips);
      if (trips <= 0) return 0;
      numbers_.trips[loop] = draws.below(trips);
    }
    const auto lanes = std::min(input_.lanes, threads - first);
    if (!by_thread_) return at_once(lanes);
    std::uint64_t mask = 0;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      place(first + lane);
      if (value(access_.made) == 0) continue;
      mask |= std::uint64_t{1} << lane;
      addresses_[static_cast<std::size_t>(lane)] = static_cast<std::uint64_t>(value(access_.address));
    }
    return mask;
  }

  const std::vector<std::uint64_t>& addresses() const { return addresses_; }

 private:
  std::uint64_t at_once(std::int64_t lanes) {
    if (value(access_.made) == 0) return 0;
    std::ranges::fill(addresses_, static_cast<std::uint64_t>(value(access_.address)));
    return ~std::uint64_t{0} >> (64 - lanes);
  }
  void place(std::int64_t thread) {
    const auto& block = input_.launch.block;
    numbers_.thread = {thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]};
  }
  std::int64_t value(Form form) const {
    return forms_.forms.evaluate(form, [&](Variable variable) { return numbers_.of(variable); });
  }

  const ProgramForms& forms_;
  const AccessForm& access_;
  const ExecutionInput& input_;
  std::int64_t groups_;
  bool by_thread_;  ///< the address or the active lanes depend on the thread
  ExecutionNumbers numbers_;
  std::vector<std::uint64_t> addresses_;
};

}  // namespace

std::optional<double> turns_at_one_place(const ProgramForms& forms, const AccessForm& access,
                                         const ExecutionInput& input, bool combines) {
  const auto is_known = [&](Form form) {
    return forms.forms.is_known(form) && std::ranges::all_of(forms.forms.variables(form), [](Variable one) {
             return one.place == Place::Thread || one.place == Place::Group || one.place == Place::Trip;
           });
  };
  if (!is_known(access.address) || !is_known(access.made)) return std::nullopt;
  if (!std::ranges::all_of(access.loops, [&](auto loop) { return is_known(forms.loops[loop].trips); }))
    return std::nullopt;
  Drawn drawn(forms, access, input);
  std::unordered_map<std::uint64_t, double> places;
  std::int64_t executions = 0;
  for (std::int64_t number = 0; number < drawn.count(); ++number) {
    auto mask = drawn.next(number);
    if (mask == 0) continue;
    ++executions;
    if (combines) mask &= ~mask + 1;
    for (const auto& [sector, turns] : turns_of(drawn.addresses(), mask, kSectorBytes))
      places[place_of_sector(sector)] += static_cast<double>(turns);
  }
  if (executions == 0) return std::nullopt;
  double most = 0;
  for (const auto& [place, turns] : places) most = std::max(most, turns);
  return most / static_cast<double>(executions);
}

}  // namespace warpipe::isa
