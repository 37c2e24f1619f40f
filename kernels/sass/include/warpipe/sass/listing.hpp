#pragma once

#include <string>
#include <vector>

#include "warpipe/isa/listing.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// A kernel's instructions as people read them, those behind its end left out.
/// @param symbol  as of isa::find_symbol
std::vector<isa::ListingLine> listing(const Module& module, const std::string& symbol);

}  // namespace warpipe::sass
