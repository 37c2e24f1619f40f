#pragma once

#include <map>
#include <string>

#include "warpipe/report/html.hpp"

namespace warpipe::test {

/// A shipped file.
Kernel shipped_kernel(const std::string& name);
Device shipped_device(const std::string& name);

/// A launch with all that surrounds it.
LaunchReport report_of(const Kernel& kernel, const Device& device, const LaunchOptions& options = {},
                       std::size_t threads = 0);

/// Names and texts that would be markup, scripts, their ends or no text at all wherever somebody forgot to escape them.
std::string hostile_text();
/// saxpy, with hostile names and texts.
Kernel hostile_kernel();

/// A page of every kind by name.
std::map<std::string, std::string> sample_pages();

}  // namespace warpipe::test
