#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cluster/link.hpp"

/// The messages between ranks, as bytes (CBOR).

namespace warpipe::app {

enum class Saying {
  Hello,   ///< of a rank: ready for work
  Report,  ///< of a thread: the finished part of its range, and that it is free
  Failed,  ///< of a thread: it ends, with the reason
  Bye      ///< of a rank: it ends
};

/// From a rank to the first rank.
struct ToLead {
  Saying saying = Saying::Report;
  std::size_t thread = 0;
  double seconds = 0;                  ///< Report: of making the results
  std::vector<std::string> results{};  ///< Report: of the first items of the range; none: it had no range yet
  std::string computer{};              ///< Hello, Failed: its name
  std::string text{};                  ///< Failed: the reason
  std::uint64_t inputs = 0;            ///< Hello: a fingerprint of its inputs
  bool is_fatal = false;               ///< Failed: no result is to be trusted
};

/// From the first rank to a thread of another.
struct Items {
  std::vector<std::uint64_t> of_range;  ///< the items to make
  double seconds = 0;                   ///< the planned time of the range
};

Bytes pack(const ToLead& message);
Bytes pack(const Items& items);
ToLead unpack_to_lead(const Bytes& bytes);
Items unpack_items(const Bytes& bytes);

/// FNV-1a, the same on every computer.
std::uint64_t fingerprint(const std::string& text);

}  // namespace warpipe::app
