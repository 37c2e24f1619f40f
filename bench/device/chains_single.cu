#include "chains.hpp"
#include "parts.hpp"

namespace measure {

void measure_single_chains(Session& session) { measure_all_chains<Fadd, Fmul, Ffma, Fdiv, Hfma>(session); }

}  // namespace measure
