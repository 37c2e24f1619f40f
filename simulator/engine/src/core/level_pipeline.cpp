#include "core/level_pipeline.hpp"

#include <cmath>
#include <functional>

namespace warpipe {
namespace {

__extension__ using WideSquare = unsigned __int128;

/// @tparam Square  holds the result's square and the next one
template <class Square>
Square corrected(Square root, Square square) {
  while (root * root > square) --root;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

/// floor(time x waits / latency), 0 where there is no latency.
std::int64_t share_of(std::int64_t time, std::int64_t waits, std::int64_t latency) {
  if (latency == 0) return 0;
  return waits == latency ? time : narrow_time(static_cast<WideTicks>(time) * waits / latency);
}

}  // namespace

std::int64_t root_of_squares(std::int64_t a, std::int64_t b) {
  if (b == 0) return a;
  constexpr std::int64_t kSmall = std::int64_t{1} << 31;
  if (a < kSmall && b < kSmall) {
    const auto square = static_cast<std::uint64_t>(a * a + b * b);
    const double root = std::sqrt(static_cast<double>(square));
    return static_cast<std::int64_t>(corrected(static_cast<std::uint64_t>(root), square));
  }
  const WideSquare square =
      static_cast<WideSquare>(a) * static_cast<WideSquare>(a) + static_cast<WideSquare>(b) * static_cast<WideSquare>(b);
  const long double root = std::sqrt(static_cast<long double>(square));
  return narrow_time(static_cast<WideTicks>(corrected(static_cast<WideSquare>(root), square)));
}

LevelDelay LevelPipeline::add(std::int64_t arrival, std::int64_t free, const Stage& access, std::int64_t latency) {
  retire(arrival);
  const std::int64_t loaded = root_of_squares(latency, in_flight_time_);
  const std::int64_t late = std::max<std::int64_t>(free - arrival - latency, 0);
  keep({time_sum(arrival, std::max(loaded, time_sum(latency, late))), access.issue.count});
  if (access.waits.count == 0) return {};
  const std::int64_t slower = share_of(loaded - latency, access.waits.count, latency);
  return {std::max(slower, late), late > 0 && late >= slower};
}

void LevelPipeline::retire(std::int64_t time) {
  while (!in_flight_.empty() && in_flight_.front().release <= time) {
    in_flight_time_ -= in_flight_.front().issue;
    std::ranges::pop_heap(in_flight_, std::ranges::greater{});
    in_flight_.pop_back();
  }
}

void LevelPipeline::keep(const Access& access) {
  if (access.issue == 0) return;  // slows nothing
  in_flight_time_ = time_sum(in_flight_time_, access.issue);
  in_flight_.push_back(access);
  std::ranges::push_heap(in_flight_, std::ranges::greater{});
}

}  // namespace warpipe
