#pragma once

#include <string_view>

namespace warpipe {

/// The text of kernels/hip/include/hip/hip_runtime.h.
extern const std::string_view kHipRuntime;

}  // namespace warpipe
