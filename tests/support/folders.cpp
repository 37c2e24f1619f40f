#include "support/folders.hpp"

namespace warpipe {

std::string in_sources(const std::string& path) { return WARPIPE_SOURCES "/" + path; }

std::string in_build(const std::string& path) { return WARPIPE_BUILD "/" + path; }

}  // namespace warpipe
