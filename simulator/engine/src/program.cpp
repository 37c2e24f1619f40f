#include "warpipe/engine/program.hpp"

#include <algorithm>

namespace warpipe {

std::int64_t instances(const Machine& machine, Scope scope) {
  switch (scope) {
    case Scope::ComputeUnit:
      return machine.units;
    case Scope::Scheduler:
      return machine.units * std::max<std::int64_t>(machine.schedulers, 1);
    case Scope::Device:
      break;
  }
  return 1;
}

}  // namespace warpipe
