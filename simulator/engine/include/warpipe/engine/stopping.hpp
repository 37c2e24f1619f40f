#pragma once

#include <atomic>
#include <memory>

/// Ends simulations early when the caller no longer wants them.

namespace warpipe {

/// Set by the caller, from any thread, to end the simulations; null if they cannot be ended.
using StopFlag = std::shared_ptr<const std::atomic<bool>>;

/// Thrown out of a simulation after its flag is set. No Error: no input is wrong.
struct Stopped {};

/// While it lives, the simulations of this thread end soon after the flag is set: they check it every quarter of a
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

/// The flag of this thread, for worker threads.
StopFlag stop_flag();

/// @throws Stopped if the flag of this thread is set
void end_if_stopped();

}  // namespace warpipe
