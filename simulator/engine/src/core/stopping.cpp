#include "warpipe/engine/stopping.hpp"

#include <utility>

namespace warpipe {
namespace {

thread_local StopFlag flag_of_thread;

}  // namespace

StoppableBy::StoppableBy(StopFlag flag) : before_(std::exchange(flag_of_thread, std::move(flag))) {}
StoppableBy::~StoppableBy() { flag_of_thread = std::move(before_); }

StopFlag stop_flag() { return flag_of_thread; }

void end_if_stopped() {
  if (flag_of_thread && *flag_of_thread) throw Stopped{};
}

}  // namespace warpipe
