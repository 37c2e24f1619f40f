#include "warpipe/sweep/effort.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "warpipe/engine/simulate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/predict/bounds.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/run_within.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostParts = 256;  ///< to look up: few, since a look-up takes time itself

/// The latency bound simulates a warp of each kind, and at most one warp for each turn at which its rotations may
/// begin.
double instructions_of_bounds(const Program& program) {
  double instructions = 0;
  for (const InstructionStream& stream : program.streams)
    for (const std::int64_t runs : stream.runs)
      instructions += static_cast<double>(runs) * static_cast<double>(longest_period(stream));
  return instructions;
}

/// @param runs  of the program
Effort effort_of(const Program& program, Skipping skipping, double runs) {
  const auto issued = static_cast<double>(instructions_issued(program));
  const auto units = static_cast<double>(program.machine.units);
  const double alone = instructions_of_bounds(program);
  const double ways = runs * (skipping == Skipping::Verify ? 2 : 1);
  return {ways * (alone + issued * static_cast<double>(units_to_simulate(program, skipping)) / units),
          ways * (alone + issued)};
}

/// The program of a launch, without asking the caches, which would take as long as many a run: caches change times, and
/// hardly the work.
Program program_of(const Kernel& original_kernel, const Device& original_device, const LaunchOptions& options) {
  const Kernel kernel = with_options(original_kernel, options);
  const Device device = with_options(original_device, options);
  return lower(kernel, device, resolve_launch(kernel, device, options), options);
}

}  // namespace

Effort effort_of(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  try {
    const double runs = options.range ? 3 : 1;
    return effort_of(program_of(kernel, device, options), options.skipping, runs);
  } catch (const Error&) {
    return {};
  }
}

double untold_share(const Kernel& kernel, const Device& device, const LaunchOptions& options) {
  const double periods = options.skipping == Skipping::On ? kWithoutAPeriod : 0;
  try {
    const Program program = program_of(kernel, device, options);
    return may_be_extended(program, options.tolerance, options.skipping) ? kMostOfExtension : periods;
  } catch (const Error&) {
    return periods;
  }
}

RemainingTime::RemainingTime(std::size_t count, std::size_t already,
                             const std::function<double(std::size_t index)>& instructions, double untold)
    : count_(count), already_(already), done_(already), untold_(untold) {
  if (!instructions) return;
  const std::size_t parts = std::min(count, kMostParts);
  for (std::size_t part = 0; part < parts; ++part)
    instructions_.push_back(instructions((2 * part + 1) * count / (2 * parts)));
  if (std::accumulate(instructions_.begin(), instructions_.end(), 0.0) == 0) instructions_.clear();
}

void RemainingTime::note_done(std::size_t done, const SimulatedInstructions& simulated) {
  done_ = done;
  simulated_when_done_ = simulated;
}

double RemainingTime::instructions_left(double most_per_piece) const {
  const double pieces_per_part = static_cast<double>(count_) / static_cast<double>(instructions_.size());
  double left = 0;
  for (std::size_t part = 0; part < instructions_.size(); ++part) {
    const double end = pieces_per_part * static_cast<double>(part + 1);
    const double pieces = std::clamp(end - static_cast<double>(done_), 0.0, pieces_per_part);
    left += pieces * std::min(instructions_[part], most_per_piece);
  }
  return left;
}

std::optional<double> RemainingTime::left(const SimulatedInstructions& simulated, double seconds) const {
  const auto done = static_cast<double>(done_ - already_);
  if (instructions_.empty()) {
    if (done == 0) return std::nullopt;
    return seconds * static_cast<double>(count_ - done_) / done;
  }
  if (simulated.issued == 0) return std::nullopt;
  const auto issued = static_cast<double>(simulated.issued), skipped = static_cast<double>(simulated.skipped);
  if (done > 0 && simulated_when_done_.skipped > 0) {
    const double each = static_cast<double>(simulated_when_done_.issued) / done;
    const double under_way = static_cast<double>(simulated.issued - simulated_when_done_.issued);
    return std::max(instructions_left(each) - under_way, 0.0) * seconds / issued;
  }
  const auto before = simulated_when_done_;
  const double under_way = issued + skipped - static_cast<double>(before.issued + before.skipped);
  const double left = std::max(instructions_left(std::numeric_limits<double>::infinity()) - under_way, 0.0);
  if (done == 0 && skipped == 0 && issued < untold_ * (issued + left)) return std::nullopt;
  return left * seconds / (issued + skipped);
}

}  // namespace warpipe
