#include "command_line/examples.hpp"

#include <algorithm>
#include <array>

namespace warpipe::app {
namespace {

struct VerbExamples {
  std::string_view verb;
  std::array<std::string_view, 3> calls;  ///< the last may be empty
};

constexpr std::array<VerbExamples, 21> kOfVerbs{{
    {"simulate",
     {"warpipe simulate mmul16 --device gtx1060",
      "warpipe simulate k.cu --device h100 --block 32,8 --grid 128,128 --arg n=4096",
      "warpipe simulate saxpy --device 4090 --view stalls --view memory"}},
    {"launches", {"warpipe launches kernels/cuda/transpose.cu run.jsonl --device h100"}},
    {"run", {"warpipe run --device h100 -- ./program argument"}},
    {"record", {"warpipe record -- ./program argument"}},
    {"sweep",
     {"warpipe sweep saxpy --device v100 --vary concurrent_groups=1:8",
      "warpipe sweep mmul16 --device h100 --vary conflict_degree=1,2,4 --html x.html",
      "warpipe sweep saxpy --vary device=a100,h100 n=1e6:1e8:x10 --csv=points.csv"}},
    {"tune", {"warpipe tune kernels/cuda/stencil.cu --space space.json --device h100"}},
    {"occupancy", {"warpipe occupancy mmul16 --device gtx1060"}},
    {"compare", {"warpipe compare saxpy --device v100"}},
    {"roofline", {"warpipe roofline --device h100"}},
    {"validate", {"warpipe validate --measured rows.csv --device v100 --worst 3"}},
    {"calibrate", {"warpipe calibrate --measured rows.csv --device v100 --fit ffma.issue -o v.json"}},
    {"what-if",
     {"warpipe what-if strided_copy --device v100 --param stride=2 n=1048576",
      "warpipe what-if transpose_conflicts --device h100 --part changes"}},
    {"diff",
     {"warpipe diff transpose_conflicts transpose_padded --device v100",
      "warpipe diff saxpy --device v100 --device-b a100", "warpipe diff before.json saxpy --device v100 --gate 5%"}},
    {"graph", {"warpipe graph saxpy --device v100"}},
    {"import",
     {"warpipe import k.ptx --device h100 --block 256 --grid 8 --arg n=2048 --report",
      "warpipe import k.cu --device h100 --block 256 --grid 8 --arg n=2048 -o k.json",
      "warpipe import --compare k.ptx k.cubin --block 256 --grid 64"}},
    {"disassemble", {"warpipe disassemble kernels/cuda/cubins/sm_80/saxpy.cubin --entry saxpy"}},
    {"derive", {"warpipe derive a100 --units 96 --bandwidth 1.2e12 -o my.json"}},
    {"check", {"warpipe check kernel.json device.json kernels/cuda/saxpy.cu"}},
    {"list", {"warpipe list devices", "warpipe list kernels/cuda/transpose.cu"}},
    {"completion", {"source <(warpipe completion bash)"}},
    {"man", {"warpipe man sweep | man -l -"}},
}};

}  // namespace

std::span<const std::string_view> examples_of(std::string_view verb) {
  const auto found = std::ranges::find(kOfVerbs, verb, &VerbExamples::verb);
  if (found == kOfVerbs.end()) return {};
  const auto count = std::ranges::count_if(found->calls, [](std::string_view call) { return !call.empty(); });
  return std::span(found->calls).first(static_cast<std::size_t>(count));
}

}  // namespace warpipe::app
