#pragma once

#include <string>
#include <vector>

namespace warpipe {

/// @return a line of RFC 4180: cells quoted where they hold a comma, a quote or a line break; ended by CR LF
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace warpipe
