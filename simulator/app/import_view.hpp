#pragma once

#include <string>

#include "warpipe/ptx/import.hpp"

namespace warpipe::app {

/// What an import found, for people.
std::string write_text(const ptx::ImportReport& report);

}  // namespace warpipe::app
