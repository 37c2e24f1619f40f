#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cluster/link.hpp"

/// What ranks say to each other, as bytes (CBOR).

namespace warpipe::app {

enum class Saying {
  Hello,   ///< of a rank: ready for work
  Report,  ///< of a thread: what it has done of its range, and that it is free
  Failed,  ///< of a thread: it ends, and why
  Bye      ///< of a rank: it ends
};

/// From a rank to the first one.
struct ToLead {
  Saying saying = Saying::Report;
  std::size_t thread = 0;
  double seconds = 0;                  ///< Report: that the results took
  std::vector<std::string> results{};  ///< Report: of the first items of the range; none: it had no range yet
  std::string computer{};              ///< Hello, Failed: its name
  std::string text{};                  ///< Failed: why
  std::uint64_t inputs = 0;            ///< Hello: a fingerprint of what it has read
  bool is_fatal = false;               ///< Failed: no result is to be trusted
};

/// From the first rank to a thread of another.
struct Items {
  std::vector<std::uint64_t> of_range;  ///< what to make
  double seconds = 0;                   ///< that the range is meant to take
};

Bytes pack(const ToLead& message);
Bytes pack(const Items& items);
ToLead unpack_to_lead(const Bytes& bytes);
Items unpack_items(const Bytes& bytes);

/// FNV-1a, the same on every computer.
std::uint64_t fingerprint(const std::string& text);

}  // namespace warpipe::app
