#pragma once

#include <vector>

#include "session.hpp"

namespace measure {

/// One residency for each number of resident warps that all these kernels can be held to by unused shared memory.
/// @param quick  how many of them --quick leaves
std::vector<Residency> plan_for(const Session& session, const std::vector<const void*>& kernels, std::size_t quick);

/// Every number of resident groups of one size that a kernel can be held to.
std::vector<Residency> plan_for_group_size(const Session& session, const void* kernel, int group_size,
                                           std::size_t quick);

}  // namespace measure
