#include "chains.hpp"
#include "parts.hpp"

namespace measure {

void measure_warp_chains(Session& session) { measure_all_chains<Shuffle, Vote, ConstantLoad, Mma>(session); }

}  // namespace measure
