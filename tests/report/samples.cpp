#include "samples.hpp"
#include "support/folders.hpp"

#include <algorithm>

#include "warpipe/idg/json_node.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe::test {
namespace {

SweepTable sweep(const std::string& kernel, const std::string& device, const std::vector<std::string>& variations) {
  const auto read_kernel = shipped_kernel(kernel);
  const auto read_device = shipped_device(device);
  SweepTable table;
  for (const auto& text : variations) table.variations.push_back(parse_variation(text, read_kernel, read_device));
  table.points = run_sweep(read_kernel, read_device, {}, table.variations, 0);
  return table;
}

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

/// Rows of two kernels, one of them without a prediction.
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

LaunchOptions small_matrices() {
  LaunchOptions options;
  options.parameters["n"] = 128;
  return options;
}

/// A space of three tunables; the time is the product of their values in milliseconds, the last one fails.
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
  return {
      {"launch_saxpy", write_html(report_of(shipped_kernel("saxpy"), v100))},
      {"launch_mmul16", write_html(report_of(shipped_kernel("mmul16"), gtx1060, small_matrices()))},
      {"launch_hostile", write_html(report_of(hostile_kernel(), v100))},
      {"sweep_one", write_html(sweep("saxpy", "v100", {"concurrent_groups=1:8"}))},
      {"sweep_two",
       write_html(sweep("saxpy", "v100", {"group_size=32:1024:x2", "global.load.completion=200:800:200"}))},
      {"sweep_three", write_html(sweep("saxpy", "v100", {"group_size=64:256:x2", "n=65536,262144", "ffma.issue=1,2"}))},
      {"sweep_names", write_html(sweep_of_names())},
      {"tune", write_html(tuning_of_products())},
      {"what_if", write_html(what_if(shipped_kernel("saxpy"), v100, {}, {}, 0))},
      {"validate", write_html(accuracy())}};
}

}  // namespace warpipe::test
