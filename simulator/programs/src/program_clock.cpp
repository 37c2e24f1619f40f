#include "program_clock.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>

namespace warpipe::programs {

ProgramClock::ProgramClock() {
  using Clock = std::int64_t (*)();
  using PutBack = void (*)(std::int64_t);
  host_nanoseconds_ = reinterpret_cast<Clock>(dlsym(RTLD_DEFAULT, "warpipe_host_nanoseconds"));
  put_back_ = reinterpret_cast<PutBack>(dlsym(RTLD_DEFAULT, "warpipe_put_clocks_back"));
  if (put_back_ == nullptr) host_nanoseconds_ = nullptr;
}

ProgramClock::Call::Call(ProgramClock& clock, Timeline& timeline, std::int64_t since)
    : clock_(clock), timeline_(timeline), since_(std::max(since, clock.last_)) {
  if (clock_.depth_++ > 0 || !clock_.is_virtual()) return;
  if (clock_.last_ > 0) timeline_.host_works(static_cast<double>(since_ - clock_.last_) * 1e-9);
  host_ = timeline_.host();
}

ProgramClock::Call::~Call() {
  if (--clock_.depth_ > 0 || !clock_.is_virtual()) return;
  const auto now = clock_.now();
  const auto passed = static_cast<std::int64_t>(std::llround((timeline_.host() - host_) * 1e9));
  clock_.put_back_(now - since_ - passed);
  clock_.last_ = now;
}

}  // namespace warpipe::programs
