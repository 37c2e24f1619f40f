#include "timing.hpp"

namespace measure {
namespace {

/// Keeps every unit awake for a number of cycles.
__global__ void spin_kernel(Stamps stamps, long long cycles) {
  const Start start = begin_stamp(stamps);
  while (unit_clock() - start.clock < cycles) {
  }
  end_stamp(stamps, start);
}

}  // namespace

double clock_mhz(const DeviceFacts& device) {
  StampedLauncher launcher(device, {device.limits.warp_size, 1, 0, 1});
  const auto spin = [&](long long cycles) {
    return launcher.run([&](const Stamps& stamps) {
      GPU_LAUNCH(spin_kernel, launcher.groups(), device.limits.warp_size, 0, stamps, cycles);
    });
  };
  const Difference seen = difference(
      3, [&] { return spin(50000); }, [&] { return spin(1050000); });
  return seen.clock_mhz;
}

void write_time(Session& session, Row row, const Summary& time, const char* otherwise) {
  row.clock_mhz = clock_mhz(session.device());
  row.time_us = time.median;
  row.cycles = time.median * row.clock_mhz;
  row.spread = time.spread;
  row.repeats = session.options().repeats;
  if (row.cycles <= 0) {
    session.left_out(row.kernel + ": " + otherwise);
    return;
  }
  session.write(row);
}

}  // namespace measure
