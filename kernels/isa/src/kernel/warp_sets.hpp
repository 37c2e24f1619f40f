#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warpipe::isa {

using Warps = std::vector<std::int64_t>;  ///< ascending

/// An expression of `warp` that is not zero for just these warps of `all`.
/// @param some  a part of `all`, not empty
std::string warp_condition(const Warps& some, const Warps& all);

/// An expression of `warp` with the given value for each warp; a plain number where all are alike.
/// @param values  by warp; not empty
std::string warp_table(const std::map<std::int64_t, std::int64_t>& values);

}  // namespace warpipe::isa
