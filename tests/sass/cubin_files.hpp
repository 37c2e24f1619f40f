#pragma once

#include <string>
#include <vector>

#include "warpipe/sass/module.hpp"

namespace warpipe::test {

/// The architectures of kernels/cuda/cubins: "sm_75".
const std::vector<std::string>& architectures();
/// The bytes of kernels/cuda/cubins/ARCHITECTURE/FILE.cubin.
std::string cubin_bytes(const std::string& architecture, const std::string& file);
/// The same, read; each once.
const sass::Module& cubin(const std::string& architecture, const std::string& file);
/// All files of an architecture.
std::vector<std::string> cubin_names(const std::string& architecture);

}  // namespace warpipe::test
