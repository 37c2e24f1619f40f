#include "warpipe/engine/run.hpp"

#include <array>
#include <cstddef>

#include "warpipe/engine/engine.hpp"
#include "warpipe/engine/policies/first_ready.hpp"
#include "warpipe/engine/policies/greedy_oldest.hpp"
#include "warpipe/engine/policies/oldest.hpp"
#include "warpipe/engine/policies/round_robin.hpp"
#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

constexpr std::array kLeaps{"off", "on", "verify"};

template <class Rule>
RunResult run_under(const Program& program, bool leap) {
  NoListener nobody;
  return Engine<Rule, NoListener>(program, nobody, leap).run();
}

RunResult run_once(const Program& program, bool leap) {
  switch (program.machine.policy) {
    case Policy::FirstReady:
      break;
    case Policy::Oldest:
      return run_under<Oldest>(program, leap);
    case Policy::GreedyOldest:
      return run_under<GreedyOldest>(program, leap);
    case Policy::RoundRobin:
      return run_under<RoundRobin>(program, leap);
  }
  return run_under<FirstReady>(program, leap);
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
