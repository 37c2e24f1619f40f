#pragma once

#include <vector>

#include "session.hpp"

namespace measure {

/// Plans a residency for each number of resident warps that unused shared memory can limit all these kernels to.
/// @param quick  number of residencies with --quick
std::vector<Residency> plan_for(const Session& session, const std::vector<const void*>& kernels, std::size_t quick);

/// Every number of resident groups of a size that a kernel can be limited to.
std::vector<Residency> plan_for_group_size(const Session& session, const void* kernel, int group_size,
                                           std::size_t quick);

}  // namespace measure
