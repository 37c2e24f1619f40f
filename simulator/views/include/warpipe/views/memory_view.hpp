#pragma once

#include <string>

#include "warpipe/predict/memory_traffic.hpp"

namespace warpipe {

/// The traffic of a launch at the levels of the memory, as text: a row per access, with the share of its executions
/// served by each level, its bytes to and from the levels beyond the units, its compulsory bytes, saved by no cache,
/// and the reason for its bytes to and from the memory.
///
///     Memory  executions      l1     l2     dram  l2 moves  dram moves  compulsory  why
///       a           2048  75.0 %  0.0 %   25.0 %  65.54 kB    65.54 kB    65.54 kB  compulsory
///       s            512   0.0 %  0.0 %  100.0 %  65.54 kB    65.54 kB              given by the kernel
///       all         2560                          131.1 kB    131.1 kB    65.54 kB
///       The accesses with addresses touch 65.54 kB; l1 holds 32.77 kB, l2 holds 65.54 kB.
///
/// Below come the notes of the traffic.
std::string write_text(const MemoryTraffic& traffic);

/// The reason for an access's bytes to and from the memory: "compulsory"; "3.2 x compulsory: capacity of l2"; "stays in
/// caches"; "given by the kernel"; "no address: taken as served by dram".
std::string why_moved(const MemoryTraffic& traffic, const AccessTraffic& access);

}  // namespace warpipe
