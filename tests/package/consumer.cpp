// A program outside the project: predicts a kernel made in memory, with installed files only.
#include <cstdio>

#include "warpipe/graph/idg.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/views/summary_view.hpp"

int main() {
  const warpipe::Kernel kernel = warpipe::read_kernel_json(R"({
    "format": "warpipe-kernel", "version": 1, "name": "chain",
    "launch": { "group_size": 32, "groups": 1, "concurrent_groups": 1 },
    "body": [ { "loop": "trips", "trip_count": 10, "body": [ { "id": "add", "op": "fadd", "after": ["add"] } ] } ]
  })",
                                                           "chain.json");
  const warpipe::Device device = warpipe::read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "toy", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
    "pipelines": { "alu": {} }, "ops": { "fadd": { "pipeline": "alu", "issue": 1, "completion": 4 } }
  })",
                                                           "toy.json");
  const warpipe::Prediction prediction = warpipe::predict(kernel, device, {});
  const bool has_recurrence = num_edges(warpipe::build_idg(kernel, {}).graph) == 1;
  std::fputs(warpipe::write_text(prediction).c_str(), stdout);
  return prediction.cycles == warpipe::Ticks{40'000} && has_recurrence ? 0 : 1;  // 10 dependent adds of 4 cycles
}
