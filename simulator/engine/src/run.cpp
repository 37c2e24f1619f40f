#include "warpipe/engine/run.hpp"

#include "warpipe/engine/engine.hpp"
#include "warpipe/engine/policies/first_ready.hpp"
#include "warpipe/engine/policies/greedy_oldest.hpp"
#include "warpipe/engine/policies/oldest.hpp"
#include "warpipe/engine/policies/round_robin.hpp"

namespace warpipe {
namespace {

template <class Chooser>
RunResult run_with(const Program& program) {
  NoListener nobody;
  return Engine<Chooser, NoListener>(program, nobody).run();
}

}  // namespace

RunResult run(const Program& program) {
  switch (program.machine.policy) {
    case Policy::FirstReady:
      break;
    case Policy::Oldest:
      return run_with<Oldest>(program);
    case Policy::GreedyOldest:
      return run_with<GreedyOldest>(program);
    case Policy::RoundRobin:
      return run_with<RoundRobin>(program);
  }
  return run_with<FirstReady>(program);
}

}  // namespace warpipe
