#pragma once

#include <string>
#include <vector>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/listing.hpp"

namespace warpipe::amdgcn {

/// The instructions of a kernel with their ops, in the order of the text.
/// @param symbol  as of isa::find_symbol
std::vector<isa::ListingLine> listing(const Module& module, const std::string& symbol);

}  // namespace warpipe::amdgcn
