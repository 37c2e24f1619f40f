#include "parts.hpp"
#include "planning.hpp"
#include "timing.hpp"

namespace measure {
namespace {

/// A loop that only counts: addition, comparison and branch. The count is hidden from the compiler in every trip, so
/// that it can neither be unrolled nor replaced by its result.
__global__ __launch_bounds__(1024) void loop_kernel(unsigned* results, Stamps stamps, unsigned trips) {
  const Start start = begin_stamp(stamps);
  unsigned count = 0;
#pragma unroll 1
  do {
    ++count;
#if WARPIPE_PTX
    asm volatile("" : "+r"(count));
#else
    opaque(count);
#endif
  } while (count < trips);
  end_stamp(stamps, start);
  results[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

void measure_loop(Session& session, const Residency& residency) {
  StampedLauncher launcher(session.device(), residency);
  const Buffer<unsigned> results(static_cast<std::size_t>(launcher.threads()));
  const auto run = [&](unsigned trips) {
    return launcher.run([&](const Stamps& stamps) {
      GPU_LAUNCH(loop_kernel, launcher.groups(), residency.group_size, residency.local_bytes, results.data(), stamps,
                 trips);
    });
  };
  const unsigned brief = session.scaled(4000u, 100u);
  const unsigned lengthy = 3 * brief;
  const auto cycles = difference(
      session.options().repeats, [&] { return run(brief); }, [&] { return run(lengthy); });
  for (const unsigned count : results.read()) {
    if (count == lengthy) continue;
    session.wrong_result("a loop made " + std::to_string(count) + " trips");
    break;
  }
  Row row;
  row.kernel = "empty_loop";
  row.group_size = residency.group_size;
  row.groups = launcher.groups();
  row.concurrent_groups = residency.groups;
  row.parameters = {{"trips", lengthy - brief}};
  row.how = "loop";
  session.write(row, cycles);
}

}  // namespace

void measure_loops(Session& session) {
  const void* kernel = reinterpret_cast<const void*>(&loop_kernel);
  for (const Residency& residency : plan_for(session, {kernel}, 3)) {
    if (session.is_over()) return;
    measure_loop(session, residency);
  }
}

}  // namespace measure
