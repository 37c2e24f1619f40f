#include "warpipe/engine/run.hpp"

#include <array>
#include <cstddef>

#include "equal_units.hpp"
#include "run_policy.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::array kLeaps{"off", "on", "verify"};

RunResult play_all(const Program& program, bool leap) {
  NoListener nobody;
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

RunResult run_both(const Program& program) {
  const RunResult played = run_once(program, false);
  const RunResult leapt = run_once(program, true);
  if (played.cycles != leapt.cycles || played.issued != leapt.issued)
    throw GateError(Diagnostic{"--leap=verify", "leaping gives what playing everything gives",
                               "found " + shown(leapt) + " instead of " + shown(played),
                               "report the kernel and the device; --leap=off is right"});
  return leapt;
}

}  // namespace

std::string to_string(Leap leap) { return kLeaps[static_cast<std::size_t>(leap)]; }

std::optional<Leap> parse_leap(std::string_view name) {
  for (std::size_t i = 0; i < kLeaps.size(); ++i)
    if (name == kLeaps[i]) return static_cast<Leap>(i);
  return std::nullopt;
}

RunResult run(const Program& program, Leap leap) {
  return leap == Leap::Verify ? run_both(program) : run_once(program, leap == Leap::On);
}

}  // namespace warpipe
