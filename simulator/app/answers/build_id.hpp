#pragma once

#include <string>

namespace warpipe::app {

/// The build ids of this program and of the shared libraries that it was started with: hashes of all of their code,
/// which the linker puts into them, so that two builds that differ in anything have different ones.
/// @return one line each, in hexadecimal digits; empty where the program or a library has none
std::string build_ids();

}  // namespace warpipe::app
