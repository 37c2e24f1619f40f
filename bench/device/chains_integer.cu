#include "chains.hpp"
#include "parts.hpp"

namespace measure {

void measure_integer_chains(Session& session) {
  measure_all_chains<Iadd, Imul, Imad, Shift, Logic, Select, Compare, Convert>(session);
}

void probe_integer_chains(Session& session) { probe_chains<Iadd, Imad>(session); }

}  // namespace measure
