// The clocks read by a program, for `warpipe run --virtual-time`: they stand still while warpipe's runtime works, and
// go on by the time of the calls on the device. A library of its own: without it, programs read their own clocks.
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>
#include <cstdint>

#define WARPIPE_CLOCK extern "C" __attribute__((visibility("default")))

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// Nanoseconds of the clocks behind the host's.
std::atomic<std::int64_t> behind = 0;

using ClockFunction = int (*)(clockid_t, timespec*);

int read_host(clockid_t clock, timespec* time) {
  static const auto kFunction = reinterpret_cast<ClockFunction>(dlsym(RTLD_NEXT, "clock_gettime"));
  return kFunction(clock, time);
}

/// Clocks of CPU time are left as they are.
bool tells_time(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
    case CLOCK_TAI:
      return true;
    default:
      return false;
  }
}

std::int64_t nanoseconds_of(const timespec& time) { return time.tv_sec * kSecond + time.tv_nsec; }

}  // namespace

// For libwarpipe_cudart.so, which asks the loader for these.
WARPIPE_CLOCK std::int64_t warpipe_host_nanoseconds() {
  timespec time{};
  read_host(CLOCK_MONOTONIC, &time);
  return nanoseconds_of(time);
}
WARPIPE_CLOCK void warpipe_put_clocks_back(std::int64_t nanoseconds) { behind += nanoseconds; }

// The program's.

WARPIPE_CLOCK int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const int error = read_host(clock, time);
  if (error != 0 || !tells_time(clock)) return error;
  const auto now = nanoseconds_of(*time) - behind;
  *time = {now / kSecond, now % kSecond};
  return 0;
}

WARPIPE_CLOCK int gettimeofday(timeval* __restrict time, void* __restrict /*zone*/) noexcept {
  timespec now{};
  const int error = clock_gettime(CLOCK_REALTIME, &now);
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return error;
}

WARPIPE_CLOCK time_t time(time_t* seconds) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (seconds != nullptr) *seconds = now.tv_sec;
  return now.tv_sec;
}

WARPIPE_CLOCK int timespec_get(timespec* now, int base) noexcept {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}
