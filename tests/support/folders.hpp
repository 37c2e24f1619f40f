#pragma once

#include <string>

/// The folders of the tests' files. Only one object file holds them: all other object files are the same in every
/// clone, and a cache of compilations serves them.

namespace warpipe {

/// @param path  below the root of the sources
std::string in_sources(const std::string& path);

/// @param path  below the build folder
std::string in_build(const std::string& path);

}  // namespace warpipe
