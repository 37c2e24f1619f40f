#pragma once

#include <atomic>
#include <memory>

/// How a caller that no longer wants its simulations ends them before their time.

namespace warpipe {

/// Set by the caller, from any thread, when the simulations are to end; null where nobody can.
using StopFlag = std::shared_ptr<const std::atomic<bool>>;

/// Thrown out of a simulation whose flag was set. No Error: no input is wrong.
struct Stopped {};

/// While it lives, the simulations of this thread end soon after the flag is set: they look at it every quarter of a
/// million instructions.
class StoppableBy {
 public:
  explicit StoppableBy(StopFlag flag);
  ~StoppableBy();
  StoppableBy(const StoppableBy&) = delete;
  StoppableBy& operator=(const StoppableBy&) = delete;

 private:
  StopFlag before_;
};

/// The flag of this thread, for the threads that it shares its work with.
StopFlag stop_flag();

/// @throws Stopped where the flag of this thread is set
void end_if_stopped();

}  // namespace warpipe
