#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

/// The files read by the validation: shipped kernels and devices, reference data.

namespace warpipe::validation {

/// @return the whole text of a file
/// @throws std::runtime_error where it cannot be read
std::string read_text(const std::filesystem::path& path);

/// @return the names of the shipped kernels, sorted
std::vector<std::string> shipped_kernels();
/// @return the names of the shipped devices, sorted
std::vector<std::string> shipped_devices();
/// @return whether a shipped device was derived from its data sheet and has the rows of its sibling
bool is_derived(const std::string& device);

Kernel shipped_kernel(const std::string& name);
Device shipped_device(const std::string& name);

/// @return a file of bench/validation/reference
std::filesystem::path reference_file(const std::string& name);
/// @return a file of tests/validation
std::filesystem::path validation_file(const std::string& name);

}  // namespace warpipe::validation
