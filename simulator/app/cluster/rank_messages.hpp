#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cluster/link.hpp"
#include "warpipe/sweep/hand_out.hpp"

/// What ranks say to each other, as bytes (CBOR).

namespace warpipe::app {

enum class Saying {
  Hello,   ///< of a rank: ready for a study
  Report,  ///< of a thread: what it has done of its range, and that it is free
  Failed,  ///< of a thread: it ends, and why
  Left,    ///< of a rank: none of its threads works any more
  Bye      ///< of a rank: it ends
};

/// From a rank to the first one.
struct ToLead {
  Saying saying = Saying::Report;
  std::size_t thread = 0;
  double seconds = 0;                  ///< Report: that the results took
  std::vector<std::string> results{};  ///< Report: of the first indices of the range; none: it had no range yet
  std::string computer{};              ///< Hello, Failed: its name
  std::string text{};                  ///< Failed: why
  std::uint64_t study = 0;             ///< Hello: a fingerprint of what it reads
  bool is_fatal = false;               ///< Failed: no result of the study is to be trusted
};

/// From the first rank to a thread of another.
struct Answer {
  IndexRange range{};  ///< empty: the study is over
  double seconds = 0;  ///< that the range is meant to take
};

Bytes pack(const ToLead& message);
Bytes pack(const Answer& answer);
ToLead unpack_to_lead(const Bytes& bytes);
Answer unpack_answer(const Bytes& bytes);

/// FNV-1a, the same on every computer.
std::uint64_t fingerprint(const std::string& text);

}  // namespace warpipe::app
