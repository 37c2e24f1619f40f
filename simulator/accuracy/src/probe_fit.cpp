#include "probe_fit.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>

namespace warpipe {
namespace {

constexpr double kBeyond = 1.02;  // a first step goes so much farther than where a proportion would end
constexpr double kClose = 1e-4;   // of the logarithm of a row; a tick is as much of ten cycles
constexpr double kAtRest = 5e-4;  // of the logarithm of a number
constexpr int kMostRounds = 30;
constexpr std::uintmax_t kMostSteps = 60;  // of a search between two ends
constexpr double kLeastStretch = 0.003;    // of the logarithm of a number, between two ticks

}  // namespace

void ProbeFit::settle(const Progress& progress) {
  double moved = 1;
  for (int round = 0; round < kMostRounds && moved > kAtRest; ++round) {
    moved = 0;
    for (const Probed& number : numbers_) {
      if (progress) progress(std::min(done_++, most_simulations() - 1), most_simulations());
      moved = std::max(moved, solve(number));
    }
  }
  for (const Probed& number : numbers_) center(number);
}

void ProbeFit::give_up(std::size_t index) {
  set_value(numbers_[index].parameter, numbers_[index].start, device_);
  leave(index);
}

bool ProbeFit::contradicts_start(std::size_t index) {
  const Probed& number = numbers_[index];
  const double found = value_of(number.parameter, device_);
  const double with_start = std::abs(miss(number, std::log(number.start)));
  set_value(number.parameter, found, device_);
  return with_start > std::abs(miss_now(number)) + 2 * kProbeError;
}

std::size_t ProbeFit::most_simulations() const { return numbers_.size() * kMostRounds; }

/// The mean logarithm of predicted / measured over the rows for a number, with the number at a logarithm.
double ProbeFit::miss(const Probed& number, double logarithm) {
  set_value(number.parameter, std::exp(logarithm), device_);
  return miss_now(number);
}

double ProbeFit::miss_now(const Probed& number) {
  double sum = 0;
  for (const std::size_t row : number.rows) sum += std::log1p(rows_.error(row, device_));
  simulations_ += number.rows.size();
  return sum / static_cast<double>(number.rows.size());
}

/// @return how far the number moved
double ProbeFit::solve(const Probed& number) {
  const double before = std::log(value_above_zero(number.parameter, device_));
  const double at = root(number, before);
  set_value(number.parameter, std::exp(at), device_);
  return std::abs(at - before);
}

/// Goes towards better predictions of the rows until the predictions pass the measurements; if they never do, to the
/// nearest place. Of many numbers that fit as well, takes the nearest.
double ProbeFit::root(const Probed& number, double from) {
  const double miss_from = miss(number, from);
  if (std::abs(miss_from) < kClose) return from;
  const double aim = std::copysign(kClose / 2, miss_from);                   // just short of a stretch where all fit
  const double way = (miss_from > 0) == is_rate(number.parameter) ? 1 : -1;  // a higher rate is faster
  double nearest = from, least = std::abs(miss_from), step = kBeyond * std::abs(miss_from);
  for (bool last = false; !last; step *= 2) {
    last = step >= kFarthestFit;
    const double to = from + way * std::min(step, kFarthestFit);
    const double miss_to = miss(number, to);
    if ((miss_to > aim) != (miss_from > aim)) return between(number, aim, {from, miss_from}, {to, miss_to});
    if (std::abs(miss_to) < least - kClose) {
      nearest = to;
      least = std::abs(miss_to);
    }
  }
  return nearest;
}

/// Takes the middle of the numbers between two ticks of a row, since all fit as well.
void ProbeFit::center(const Probed& number) {
  const double at = std::log(value_above_zero(number.parameter, device_));
  const double here = miss(number, at);
  const double below = reach(number, at, here, -1), above = reach(number, at, here, 1);
  const bool is_stretch = std::max(below, above) < kSideStep;
  set_value(number.parameter, std::exp(is_stretch ? at + (above - below) / 2 : at), device_);
}

/// @return how far the rows stay as they are, up to kSideStep
double ProbeFit::reach(const Probed& number, double at, double here, double way) {
  const auto same = [&](double step) { return std::abs(miss(number, at + way * step) - here) < kClose; };
  double near = 0, far = kSideStep;
  if (!same(kLeastStretch)) return 0;
  if (same(far)) return far;
  while (far - near > kLeastStretch) (same((near + far) / 2) ? near : far) = (near + far) / 2;
  return near;
}

double ProbeFit::between(const Probed& number, double aim, End a, End b) {
  if (a.logarithm > b.logarithm) std::swap(a, b);
  std::uintmax_t steps = kMostSteps;
  const auto ends = boost::math::tools::toms748_solve([&](double x) { return miss(number, x) - aim; }, a.logarithm,
                                                      b.logarithm, a.miss - aim, b.miss - aim,
                                                      [](double x, double y) { return y - x < kClose / 4; }, steps);
  return (ends.first + ends.second) / 2;
}

}  // namespace warpipe
