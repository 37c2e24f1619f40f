#include "samples.hpp"
#include "support/folders.hpp"

#include <algorithm>

#include "warpipe/idg/json_node.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/predict/lower.hpp"
#include "warpipe/predict/settle_launch.hpp"

namespace warpipe::test {
namespace {

/// Kernels on devices under two policies.
SweepTable sweep_of_names() {
  const auto saxpy = SweepKernel(shipped_kernel("saxpy")), add = SweepKernel(shipped_kernel("vector_add"));
  const SweepModels models({{saxpy, saxpy, saxpy}, {add, add, add}},
                           {shipped_device("v100"), shipped_device("gtx1060"), shipped_device("a100")});
  SweepTable table{read_variations({"kernel=saxpy,vector_add", "device=v100,gtx1060,a100", "policy=oldest,first-ready",
                                    "concurrent_groups=2,8"},
                                   models),
                   {}};
  const LaunchOptions options;
  const SweepStudy study(models, options, table.variations);
  for (std::size_t i = 0; i < study.size(); ++i) table.points.push_back(study.at(i));
  return table;
}

/// The boat hull of each conflict degree, with measurements of the first, a tenth off to either side.
SweepTable measured_conflicts() {
  auto table = sweep_of("mmul16", "gtx1060", {"concurrent_groups=1:8", "conflict_degree=1,2,4"}, small_matrices());
  for (std::size_t i = 0; i < table.points.size(); i += 3)
    table.points[i].measured = Seconds{table.points[i].prediction->time.count * (i % 2 == 0 ? 1.1 : 0.9)};
  return table;
}

/// Rows of two kernels, with a row without a prediction.
AccuracyReport accuracy() {
  const std::string csv =
      "kernel,device,group_size,time_us,n\n"
      "saxpy,v100,256,16,1048576\nsaxpy,v100,128,14,1048576\nsaxpy,v100,32,26,1048576\n"
      "vector_add,v100,256,15,1048576\nvector_add,v100,64,21,1048576\nvector_add,v100,4096,21,1048576\n";
  const auto rows = read_measurements_csv(csv, "rows.csv", {});
  AccuracyReport report;
  report.accuracy = score(rows, shipped_kernel, shipped_device, {}, 0);
  report.trends = trends(report.accuracy.rows);
  report.worst = worst_rows(report.accuracy.rows, shipped_kernel, shipped_device, {}, 2, 0);
  return report;
}

/// A space of three tunables; the time is the product of their values in milliseconds, the last fails.
Tuning tuning_of_products() {
  Tuning tuning{"filter.cu",
                "space.json",
                "warpipe's form",
                4,
                {"tile", "block", "type"},
                {},
                {{"v100", "Tesla V100", {}, {}, {}}},
                3};
  auto& device = tuning.devices.front();
  for (const std::int64_t tile : {1, 2, 4, 8})
    for (const std::int64_t block : {64, 128, 256})
      for (const char* type : {"float", "float4"}) {
        tuning.values.push_back({tile, block, std::string(type)});
        TunedPoint point;
        point.block = std::to_string(block);
        point.grid = "1024";
        point.bound = 1e-6 * static_cast<double>(tile * block);
        point.limiter = block > 64 ? "pipeline dram" : "latency";
        if (tile < 8) device.ranked.push_back(device.points.size());
        if (tile < 8) point.time = *point.bound * (type[5] != 0 ? 1.5 : 1.2);
        if (tile == 8) point.error = "too many registers";
        device.points.push_back(point);
      }
  std::ranges::stable_sort(device.ranked, {}, [&](std::size_t i) { return *device.points[i].time; });
  return tuning;
}

}  // namespace

Kernel shipped_kernel(const std::string& name) {
  const auto file = in_sources("kernels/data/") + name + ".json";
  return read_kernel_json(read_text_file(file), file);
}

Device shipped_device(const std::string& name) {
  const auto file = in_sources("latency_tables/data/") + name + ".json";
  return read_device_json(read_text_file(file), file);
}

LaunchOptions small_matrices() {
  LaunchOptions options;
  options.parameters["n"] = 128;
  return options;
}

SweepTable sweep_of(const std::string& kernel, const std::string& device, const std::vector<std::string>& variations,
                    const LaunchOptions& options) {
  const SweepModels models(shipped_kernel(kernel), shipped_device(device));
  SweepTable table{read_variations(variations, models), {}};
  const SweepStudy study(models, options, table.variations);
  for (std::size_t i = 0; i < study.size(); ++i) table.points.push_back(study.at(i));
  return table;
}

Difference conflicts_against_padding() {
  const auto outcome = [](const std::string& kernel) {
    Simulation simulation(lower_launch(shipped_kernel(kernel), shipped_device("v100"), {}), {.stalls = true});
    return Outcome{simulation.prediction(), simulation.explanation()};
  };
  return difference(outcome("transpose_conflicts"), outcome("transpose_padded"));
}

OccupancyReport occupancy_of_saxpy() {
  const auto kernel = shipped_kernel("saxpy");
  const auto device = shipped_device("v100");
  const auto launch = resolve_launch(kernel, device, {});
  const GroupNeeds needs{launch.group_size.value, launch.registers_per_thread, launch.shared_memory_per_group};
  return {kernel.name,
          device.name,
          device.title,
          needs,
          occupancy(needs, device.limits, device.warp_size),
          launch.concurrent_groups,
          device.limits,
          device.warp_size};
}

ProgramTimes four_launches() {
  ProgramTimes program;
  program.device = shipped_device("v100");
  program.device.launch_gap = Seconds{1.5e-6};
  const auto takes = [&](const std::string& kernel) { return predict(shipped_kernel(kernel), program.device, {}); };
  program.launches.push_back({1, "saxpy", "256", "4096", 3, takes("saxpy"), ""});
  program.launches.push_back({2, "vector_add", "256", "4096", 1, takes("vector_add"), ""});
  return program;
}

LaunchReport report_of(const Kernel& kernel, const Device& device, const LaunchOptions& options, std::size_t threads) {
  Simulation simulation(lower_launch(kernel, device, options), {.stalls = true});
  return launch_report(simulation, kernel, device, threads);
}

std::string hostile_text() {
  return "</script><script>throw 1</script><!-- \"quoted\" 'single' &amp; <b>bold</b> {{x}} \\u003c "
         "\xC3\xA9\xE2\x82\xAC "
         "\xE2\x80\xA8";
}

Kernel hostile_kernel() {
  auto kernel = shipped_kernel("saxpy");
  kernel.name = hostile_text();
  for (auto& instruction : kernel.instructions) instruction.text = hostile_text();
  return kernel;
}

std::map<std::string, std::string> sample_pages() {
  const auto v100 = shipped_device("v100");
  const auto gtx1060 = shipped_device("gtx1060");
  return {{"launch_saxpy", write_html(report_of(shipped_kernel("saxpy"), v100))},
          {"launch_mmul16", write_html(report_of(shipped_kernel("mmul16"), gtx1060, small_matrices()))},
          {"launch_hostile", write_html(report_of(hostile_kernel(), v100))},
          {"diff", write_html(conflicts_against_padding())},
          {"occupancy", write_html(occupancy_of_saxpy(), sweep_of("saxpy", "v100", {"concurrent_groups=1:8"}).points)},
          {"launches", write_html(report_of(four_launches()))},
          {"compare", write_html(compare_models(shipped_kernel("mmul16"), gtx1060, small_matrices(), {}, 0))},
          {"sweep_one", write_html(sweep_of("saxpy", "v100", {"concurrent_groups=1:8"}))},
          {"sweep_two",
           write_html(sweep_of("saxpy", "v100", {"group_size=32:1024:x2", "global.load.completion=200:800:200"}))},
          {"sweep_map", write_html(sweep_of("saxpy", "v100", {"group_size=32:288:32", "occupancy=2:64:x2"}))},
          {"sweep_lines", write_html(measured_conflicts())},
          {"sweep_multiples", write_html(sweep_of("mmul16", "gtx1060",
                                                  {"concurrent_groups=1:8", "conflict_degree=1,2,4",
                                                   "policy=oldest,first-ready,greedy-oldest"},
                                                  small_matrices()))},
          {"sweep_three",
           write_html(sweep_of("saxpy", "v100", {"group_size=64:256:x2", "n=65536,262144", "ffma.issue=1,2"}))},
          {"sweep_names", write_html(sweep_of_names())},
          {"tune", write_html(tuning_of_products())},
          {"what_if", write_html(what_if(shipped_kernel("saxpy"), v100, {}, {}, 0))},
          {"validate", write_html(accuracy())}};
}

}  // namespace warpipe::test
