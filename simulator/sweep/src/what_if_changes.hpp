#pragma once

#include <vector>

#include "elasticity.hpp"
#include "warpipe/sweep/what_if.hpp"
#include "what_if_model.hpp"

namespace warpipe {

/// A change that may be tried; one that cannot be has no edit.
struct Candidate {
  Change change;
  Edit edit;
};

/// The list of changes, in a fixed order: groups, occupancy, accesses, perfect memories, policies.
std::vector<Candidate> candidates(const RunningModel& running, const Launch& launch);

}  // namespace warpipe
