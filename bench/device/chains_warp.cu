#include "chains.hpp"
#include "parts.hpp"

namespace measure {

void measure_warp_chains(Session& session) { measure_all_chains<Shuffle, Vote, ConstantLoad, Mma>(session); }

void probe_shuffle(Session& session) { probe_chains<Shuffle>(session); }

void probe_mma(Session& session) { probe_chains<Mma>(session); }

}  // namespace measure
