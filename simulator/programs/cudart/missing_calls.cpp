#include "calls.hpp"

/// Functions of CUDA's runtime and driver that are missing here: each prints its name and ends the program.

namespace warpipe::programs {
namespace {

[[noreturn]] void missing(const char* name) { Session::of_process().stop_at(name); }

}  // namespace

#define WARPIPE_MISSING(name) \
  WARPIPE_CALL void name() { missing(#name); }  // NOLINT: types do not matter
#include "../driver/missing_calls.inc"
#include "missing_calls.inc"
#undef WARPIPE_MISSING

}  // namespace warpipe::programs
