#include "parts.hpp"

#include <algorithm>
#include <stdexcept>

namespace measure {
namespace {

/// "chains" chooses "chains-single" too.
bool is_chosen(const Part& part, const std::string& wanted) {
  const std::string name = part.name;
  return name == wanted || name.rfind(wanted + "-", 0) == 0;
}

}  // namespace

const std::vector<Part>& all_parts() {
  // Together less than 8 minutes, so that parts may end a point late.
  static const std::vector<Part> parts = {
      {"chains-integer", "iadd imul imad shift logic select compare convert: 1-8 chains, all occupancies", 40, false,
       measure_integer_chains},
      {"chains-single", "fadd fmul ffma fdiv hfma, likewise", 30, false, measure_single_chains},
      {"chains-double", "dadd dmul dfma ddiv dsqrt, likewise", 30, false, measure_double_chains},
      {"chains-special", "rcp rsqrt sqrt sin cos exp2 log2, likewise", 35, false, measure_special_chains},
      {"chains-warp", "shuffle vote constant.load mma, likewise", 25, false, measure_warp_chains},
      {"loop", "count, comparison and branch of an empty loop", 5, false, measure_loops},
      {"chase", "dependent global loads from L1, L2 and DRAM, by footprint and by occupancy", 35, false,
       measure_chases},
      {"stream", "global loads and stores by occupancy, width and stride", 50, false, measure_streams},
      {"shared", "loads, stores and atomics in shared memory by conflict degree and warps", 25, false,
       measure_shared_memory},
      {"atomic", "global atomics by lanes on a word and occupancy", 10, false, measure_atomics},
      {"barrier", "barriers by group size and groups", 10, false, measure_barriers},
      {"divergence", "1 to 32 paths in a warp", 10, false, measure_divergence},
      {"dispatch", "groups that do nothing, by size", 5, false, measure_dispatch},
      {"alpha-mix", "0 to 256 additions for each load, all occupancies", 35, true, run_alpha_mix},
      {"mmul", "8 x 8 and 16 x 16 tiles, with and without bank conflicts, all numbers of groups", 30, true, run_mmul},
      {"vector", "vector_add, saxpy", 10, true, run_vector_kernels},
      {"reduction", "sums of blocks", 10, true, run_reduction},
      {"transpose", "with and without bank conflicts", 10, true, run_transpose},
      {"sgemm", "4 x 4 elements per thread in registers", 10, true, run_sgemm},
      {"stencil", "five points", 10, true, run_stencil},
      {"softmax", "rows of 1024", 10, true, run_softmax},
  };
  return parts;
}

const std::vector<Part>& all_probes() {
  // Together less than 110 seconds.
  static const std::vector<Part> probes = {
      {"launches", "what a launch costs, and how fast they follow each other", 3, false, probe_launches},
      {"elements", "a double per thread read and written: rates of DRAM, its latency, the end of a group", 30, false,
       probe_elements},
      {"dispatch", "groups that do nothing", 4, false, probe_dispatch},
      {"ffma", "the clock under load; multiply-adds", 4, false, probe_multiply_adds},
      {"latencies", "dependent loads from L1, L2 and DRAM", 15, false, probe_latencies},
      {"level-rates", "loads from L1 and L2, all warps", 8, false, probe_level_rates},
      {"integers", "iadd, imad", 6, false, probe_integer_chains},
      {"shared", "loads from shared memory, with and without conflicts", 5, false, probe_shared_memory},
      {"dfma", "multiply-adds in double precision", 4, false, probe_double_chain},
      {"rsqrt", "a special function", 4, false, probe_special_chain},
      {"mma", "tensor cores", 4, false, probe_mma},
      {"barriers", "barriers of small and large groups", 3, false, probe_barriers},
      {"shuffle", "shuffles", 4, false, probe_shuffle},
      {"strides", "loads from L1 by stride", 6, false, probe_strides},
  };
  return probes;
}

std::vector<Part> chosen_parts(const std::vector<std::string>& only, const std::vector<Part>& from) {
  if (only.empty()) return from;
  std::vector<Part> chosen;
  for (const std::string& wanted : only) {
    const bool known = std::any_of(from.begin(), from.end(), [&](const Part& part) { return is_chosen(part, wanted); });
    if (!known) throw std::invalid_argument("--only: no part is called \"" + wanted + "\"; --list shows them");
  }
  for (const Part& part : from) {
    if (std::any_of(only.begin(), only.end(), [&](const std::string& wanted) { return is_chosen(part, wanted); }))
      chosen.push_back(part);
  }
  return chosen;
}

}  // namespace measure
