#pragma once

#include <string_view>

/// The files embedded into the program by the build.

namespace warpipe {

/// @param name  of a file of charts/ or web/: "roofline.vl.json", "page.css"; or "scripts.html" and "licences.txt",
///              made of the packages
/// @return      its content; empty for packages missing in the build
std::string_view resource(std::string_view name);

}  // namespace warpipe
