#pragma once

#include <string>
#include <vector>

#include "session.hpp"

namespace measure {

/// An independent part of the suite.
struct Part {
  const char* name;
  const char* what;
  double budget_s;
  bool for_validation;  ///< its rows must never be used for fitting
  void (*run)(Session&);
};

/// All parts, in the order of their runs.
const std::vector<Part>& all_parts();

/// The parts of --probe: the most important numbers first.
const std::vector<Part>& all_probes();

/// @param only  names, or beginnings of names up to a dash; empty for all
/// @throws std::invalid_argument for a name that fits no part
std::vector<Part> chosen_parts(const std::vector<std::string>& only, const std::vector<Part>& from = all_parts());

void measure_integer_chains(Session& session);
void measure_single_chains(Session& session);
void measure_double_chains(Session& session);
void measure_special_chains(Session& session);
void measure_warp_chains(Session& session);
void measure_loops(Session& session);
void measure_chases(Session& session);
void measure_streams(Session& session);
void measure_shared_memory(Session& session);
void measure_atomics(Session& session);
void measure_barriers(Session& session);
void measure_divergence(Session& session);
void measure_dispatch(Session& session);

void probe_launches(Session& session);
void probe_dispatch(Session& session);
void probe_elements(Session& session);
void probe_multiply_adds(Session& session);
void probe_latencies(Session& session);
void probe_level_rates(Session& session);
void probe_integer_chains(Session& session);
void probe_double_chain(Session& session);
void probe_special_chain(Session& session);
void probe_shuffle(Session& session);
void probe_mma(Session& session);
void probe_shared_memory(Session& session);
void probe_barriers(Session& session);
void probe_strides(Session& session);

void run_alpha_mix(Session& session);
void run_mmul(Session& session);
void run_vector_kernels(Session& session);
void run_reduction(Session& session);
void run_transpose(Session& session);
void run_sgemm(Session& session);
void run_stencil(Session& session);
void run_softmax(Session& session);

}  // namespace measure
