#pragma once

#include <string>

#include "warpipe/ptx/import.hpp"

namespace warpipe {

/// The findings of an import, for people.
std::string write_text(const isa::ImportReport& report);

/// The same for programs, with all averages as unrounded sums: format "warpipe-import".
std::string write_json(const isa::ImportReport& report);

}  // namespace warpipe
