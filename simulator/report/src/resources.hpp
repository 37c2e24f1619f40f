#pragma once

#include <string_view>

/// What the build has embedded into the program.

namespace warpipe {

/// @param name  of a file of charts/ or web/: "roofline.vl.json", "page.css"; or "scripts.html" and "licences.txt",
/// which
///              are made of the packages
/// @return      its content; empty for packages that the build did not get
std::string_view resource(std::string_view name);

}  // namespace warpipe
