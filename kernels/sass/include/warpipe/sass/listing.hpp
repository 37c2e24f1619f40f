#pragma once

#include <string>
#include <vector>

#include "warpipe/isa/listing.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// The listing of a kernel: its instructions as text, without the ones behind its end.
/// @param symbol  as of isa::find_symbol
std::vector<isa::ListingLine> listing(const Module& module, const std::string& symbol);

}  // namespace warpipe::sass
