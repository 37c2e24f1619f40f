#include "warpipe/engine/simulate.hpp"

#include <array>
#include <cstddef>

#include "core/run_policy.hpp"
#include "fast/unit_symmetry.hpp"
#include "observers/observer.hpp"
#include "verification.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::array kSkippings{"off", "on", "verify"};

NoObserver no_observer;  // without state

SimulationResult simulate_once(const Program& program, bool skipping) {
  return *ResumableSimulation(program, skipping).up_to(INT64_MAX);
}

std::string shown(const SimulationResult& result) {
  return format_cycles(result.cycles) + " cycles, " + std::to_string(result.issued) + " instructions";
}

}  // namespace

void refuse_skipping(const std::string& found) {
  throw GateError(Diagnostic{"skipping", "the simulation that skips repeated work differs from the full one", found,
                             "report the kernel and the device; without skipping the result is right"});
}

void require_same(const SimulationResult& skipped, const SimulationResult& full) {
  if (full.cycles != skipped.cycles || full.issued != skipped.issued)
    refuse_skipping("found " + shown(skipped) + " instead of " + shown(full));
}

std::string to_string(Skipping skipping) { return kSkippings[static_cast<std::size_t>(skipping)]; }

std::optional<Skipping> parse_skipping(std::string_view name) {
  for (std::size_t i = 0; i < kSkippings.size(); ++i)
    if (name == kSkippings[i]) return static_cast<Skipping>(i);
  return std::nullopt;
}

ResumableSimulation::ResumableSimulation(const Program& program, bool skipping)
    : program_(program), skipping_(skipping) {}

ResumableSimulation::~ResumableSimulation() = default;

std::optional<SimulationResult> ResumableSimulation::up_to(std::int64_t most) {
  if (skipping_)
    if (const auto result = simulate_symmetric_units(program_, skipping_, most)) return result;
  if (!run_) run_ = begin_run(program_, no_observer, skipping_);
  return run_->up_to(most);
}

SimulationResult simulate(const Program& program, Skipping skipping) {
  const SimulationResult result = simulate_once(program, skipping != Skipping::Off);
  if (skipping == Skipping::Verify) require_same(result, simulate_once(program, false));
  return result;
}

}  // namespace warpipe
