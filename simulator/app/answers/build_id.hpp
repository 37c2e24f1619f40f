#pragma once

#include <string>

namespace warpipe::app {

/// The build ids of this program and of the shared libraries loaded at its start: hashes of all of their code, put into
/// them by the linker, so two builds with any difference have different ids.
/// @return one line each, in hexadecimal digits; empty where the program or a library has none
std::string build_ids();

}  // namespace warpipe::app
