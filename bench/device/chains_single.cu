#include "chains.hpp"
#include "parts.hpp"

namespace measure {

void measure_single_chains(Session& session) { measure_all_chains<Fadd, Fmul, Ffma, Fdiv, Hfma>(session); }

void probe_multiply_adds(Session& session) { probe_chains<Ffma>(session); }

}  // namespace measure
