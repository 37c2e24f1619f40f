#include "warpipe/engine/run.hpp"

#include <array>
#include <cstddef>

#include "equal_units.hpp"
#include "run_policy.hpp"
#include "stall_accountant.hpp"
#include "warpipe/engine/simulated.hpp"
#include "warpipe/engine/stalls.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::array kLeaps{"off", "on", "verify"};

RunResult play_all(const Program& program, bool leap) {
  NoObserver nobody;
  return run_policy(program, nobody, leap);
}

RunResult run_once(const Program& program, bool leap) {
  if (!leap) return play_all(program, false);
  const std::optional<RunResult> equal = run_equal_units(program, true);
  return equal ? *equal : play_all(program, true);
}

std::string shown(const RunResult& result) {
  return format_cycles(result.cycles) + " cycles, " + std::to_string(result.issued) + " instructions";
}

[[noreturn]] void refuse_leap(const std::string& found) {
  throw GateError(Diagnostic{"--leap=verify", "leaping gives what playing everything gives", found,
                             "report the kernel and the device; --leap=off is right"});
}

void require_same(const RunResult& leapt, const RunResult& played) {
  if (played.cycles != leapt.cycles || played.issued != leapt.issued)
    refuse_leap("found " + shown(leapt) + " instead of " + shown(played));
}

RunResult run_both(const Program& program) {
  const RunResult leapt = run_once(program, true);
  require_same(leapt, run_once(program, false));
  return leapt;
}

StalledRun account_once(const Program& program, bool leap) {
  StallAccountant accountant(program);
  const RunResult result = run_policy(program, accountant, leap);
  return {result, accountant.stalls(result.cycles)};
}

StalledRun account_both(const Program& program) {
  StalledRun leapt = account_once(program, true);
  const StalledRun played = account_once(program, false);
  require_same(leapt.result, played.result);
  if (leapt.stalls != played.stalls) refuse_leap("found other stall times");
  return leapt;
}

}  // namespace

std::string to_string(Skipping leap) { return kLeaps[static_cast<std::size_t>(leap)]; }

std::optional<Skipping> parse_skipping(std::string_view name) {
  for (std::size_t i = 0; i < kLeaps.size(); ++i)
    if (name == kLeaps[i]) return static_cast<Skipping>(i);
  return std::nullopt;
}

RunResult run(const Program& program, Skipping leap) {
  return leap == Skipping::Verify ? run_both(program) : run_once(program, leap == Skipping::On);
}

std::int64_t units_to_simulate(const Program& program, Skipping leap) {
  const Machine& machine = program.machine;
  if (leap == Skipping::Off || !may_be_equal(program)) return machine.units;
  return machine.groups < machine.units || machine.groups % machine.units == 0 ? 1 : 2;
}

StalledRun run_accounted(const Program& program, Skipping leap) {
  return leap == Skipping::Verify ? account_both(program) : account_once(program, leap == Skipping::On);
}

}  // namespace warpipe
