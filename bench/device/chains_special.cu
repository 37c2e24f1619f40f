#include "chains.hpp"
#include "parts.hpp"

namespace measure {

void measure_special_chains(Session& session) { measure_all_chains<Rcp, Rsqrt, Sqrt, Sin, Cos, Exp2, Log2>(session); }

void probe_special_chain(Session& session) { probe_chains<Rsqrt>(session); }

}  // namespace measure
