#include "chains.hpp"
#include "parts.hpp"

namespace measure {

void measure_double_chains(Session& session) { measure_all_chains<Dadd, Dmul, Dfma, Ddiv, Dsqrt>(session); }

void probe_double_chain(Session& session) { probe_chains<Dfma>(session); }

}  // namespace measure
