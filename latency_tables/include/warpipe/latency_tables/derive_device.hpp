#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "warpipe/latency_tables/device.hpp"

/// A device of which only the data sheet is known, after one of the same architecture whose table is there.

namespace warpipe {

/// What a data sheet says. What is missing is as of the other device.
struct DataSheet {
  std::string name;   ///< of the new device
  std::string title;  ///< empty: made of the names
  std::optional<std::int64_t> units;
  std::optional<Hertz> clock;               ///< of the units
  std::optional<BytesPerSecond> bandwidth;  ///< of the memory's pins
  std::optional<std::int64_t> l2_bytes;
};

/// Makes a sibling of a device.
/// - The rates of the memory that can be reached are the same part of its pin rate as there.
/// - The rate of L2 goes with its bytes, which stand for its slices.
/// - Everything else is carried over: cycles of the units as cycles, latencies beyond them as seconds.
/// Every row and every level says that its numbers are carried over, and counts as estimated.
/// @param base  with levels
/// @throws ModelError for a base without levels, one whose memory has no rate and pin rate where a bandwidth is given,
///                    and one without a level "l2" where its bytes are given; `where` is the field of the data sheet
Device derive_device(const Device& base, const DataSheet& sheet);

}  // namespace warpipe
