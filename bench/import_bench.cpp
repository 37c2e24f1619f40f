// What it costs to read PTX and to make a kernel of it for a launch.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe {
namespace {

struct Case {
  std::string file, entry;
  isa::Dimensions block, grid;
  std::map<std::string, std::string> arguments;
};

/// PTX of kernels/cuda, for compute capability 8.0.
std::string ptx_of(const std::string& file) {
  const std::string path = std::string(WARPIPE_SOURCE_DIR) + "/kernels/cuda/ptx/sm_80/" + file + ".ptx";
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void BM_ReadPtx(benchmark::State& state, const std::string& file) {
  const auto text = ptx_of(file);
  for (auto _ : state) benchmark::DoNotOptimize(ptx::read_ptx(text, file));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK_CAPTURE(BM_ReadPtx, transpose, "transpose")->Name("ReadPtx/transpose")->Unit(benchmark::kMicrosecond);

void BM_Import(benchmark::State& state, const Case& of) {
  const auto module = ptx::read_ptx(ptx_of(of.file), of.file);
  isa::ImportOptions options;
  options.entry = of.entry;
  options.launch.block = of.block;
  options.launch.grid = of.grid;
  options.launch.arguments = of.arguments;
  std::int64_t executed = 0;
  for (auto _ : state) executed = ptx::import_ptx(module, options).report.executed;
  state.counters["executed"] = static_cast<double>(executed);
}
BENCHMARK_CAPTURE(BM_Import, saxpy, Case{"saxpy", "saxpy", {256, 1, 1}, {4096, 1, 1}, {{"0", "1048570"}}})
    ->Name("Import/saxpy")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Import, transpose, Case{"transpose", "transpose_tiled", {32, 8, 1}, {32, 32, 1}, {{"0", "1024"}}})
    ->Name("Import/transpose_tiled")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Import, mmul, Case{"mmul", "mmul_naive", {16, 16, 1}, {64, 64, 1}, {{"0", "1024"}}})
    ->Name("Import/mmul_naive")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Import, layer_norm,
                  Case{"layer_norm", "layer_norm", {256, 1, 1}, {4096, 1, 1}, {{"0", "4096"}, {"1", "1000"}}})
    ->Name("Import/layer_norm")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_Import, nbody, Case{"nbody", "nbody", {256, 1, 1}, {256, 1, 1}, {{"0", "65536"}}})
    ->Name("Import/nbody")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpipe
