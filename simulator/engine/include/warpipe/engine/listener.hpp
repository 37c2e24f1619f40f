#pragma once

#include <cstdint>

/// What the engine tells while it runs. A listener is a template parameter: with NoListener nothing is left of it.

namespace warpipe {

/// All times in milli-cycles.
struct PlacedEvent {
  std::int64_t time = 0;
  std::int64_t unit = 0, slot = 0;
  std::int64_t age = 0;  ///< number in which the group was placed
};

struct IssuedEvent {
  std::int64_t time = 0;
  std::int64_t unit = 0, slot = 0, warp = 0;  ///< warp: index in its group
  std::uint32_t instruction = 0;              ///< index into Kernel::instructions
};

struct EndedEvent {
  std::int64_t time = 0;
  std::int64_t unit = 0, slot = 0;
};

/// Listens to nothing. Derive and hide what you want to hear; a listener that wants to hear issues also says
/// `static constexpr bool kHearsIssues = true;`.
struct NoListener {
  void on_group_placed(const PlacedEvent&) {}
  void on_issued(const IssuedEvent&) {}
  void on_group_ended(const EndedEvent&) {}
};

}  // namespace warpipe
