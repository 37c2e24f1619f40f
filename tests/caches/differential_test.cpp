#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "caches/comparison.hpp"
#include "caches/random_accesses.hpp"
#include "caches/reference_caches.hpp"
#include "support/drawn_cases.hpp"
#include "support/property.hpp"
#include "warpipe/caches/with_effort.hpp"

namespace warpipe {
namespace {

/// Whether something of each kind was drawn often enough to matter is seen in the tags.
void tell_what_was_drawn(const std::vector<AccessLevels>& accesses) {
  const bool leaves_l1 = std::ranges::any_of(accesses, [](const AccessLevels& access) {
    return access.levels.size() > 2 && access.levels[0].share > 0 && access.levels[0].share < 1;
  });
  const bool hangs_on_order =
      std::ranges::any_of(accesses, [](const AccessLevels& access) { return access.spread > 0; });
  RC_TAG(leaves_l1 ? "several levels serve" : "one level serves",
         hangs_on_order ? "hangs on the order" : "does not hang on it");
}

TEST(CachesDifferential, ProductEqualsReferenceOnRandomKernelsAndDevices) {
  check_property(drawn_share(40000), [] {
    const RandomAccesses drawn = *random_accesses();
    const Kernel kernel = drawn.kernel();
    const KernelWithLevels product =
        with_levels(kernel, drawn.device, drawn.launch(), {.lines = 1e15, .both_orders = true});
    if (product.found) RC_ASSERT(product.found->simulated_groups == product.found->groups);
    if (product.found) RC_ASSERT(product.found->most_trips == 0);
    const Comparison comparison(kernel, product.filled, reference_caches(kernel, drawn.device, drawn.launch()));
    RC_LOG() << comparison.differences;
    RC_ASSERT(comparison.is_equal);
    tell_what_was_drawn(product.filled);
  });
}

/// Each warp goes through a row of each array.
struct Streams {
  RandomAccesses accesses;
  /// Whether several groups read the same rows, each too long for l1, of an array too large for l2: from beyond the
  /// units it comes again and again. Else each sector comes once.
  bool come_again = false;
  friend void showValue(const Streams& streams, std::ostream& out) { showValue(streams.accesses, out); }
};

Streams draw_streams() {
  Streams made;
  AccessMaker& maker = made.accesses.maker;
  const int groups = between(24, 48), trips = between(1, 16), arrays = between(1, 3);
  const std::int64_t l1_lines = between(4, 12), lines = between(16, 200);
  made.accesses.device = cached_device(between(2, 4), 128 * l1_lines, 128 * lines, between(1, 2));
  maker.block(32).grid(groups).slots(between(1, 2));
  maker.loop("l", std::to_string(trips), [&](AccessMaker& body) {
    for (int i = 0; i < arrays; ++i) {
      const int width = 4 << between(0, 2), few = between(1, groups / 2);
      const bool comes_again =
          between(0, 2) == 2 && width * 32 * trips > 128 * l1_lines && width * 32 * trips * few > 128 * lines;
      const bool is_store = !comes_again && between(0, 2) == 0;
      const std::string name = "abc"[i] + std::string();
      const int rows = comes_again ? few : groups;
      const std::string at = fmt::format("{} * ((mod(group, {}) * {} + l) * 32 + lane)", width, rows, trips);
      body.array(name, std::to_string(width * 32 * rows * trips));
      body.access(name, is_store ? "global.store" : "global.load", name, at, width);
      made.accesses.text += fmt::format("{} {}\n", is_store ? "store" : "load", at);
      made.come_again |= comes_again;
    }
  });
  made.accesses.text += fmt::format("{} groups, {} units, {} trips; l2 of {} lines\n", groups,
                                    made.accesses.device.compute_units, trips, lines);
  return made;
}

// The effort is enough for all of each launch. Less is simulated only where "a smaller part is enough", and tells the
// same.
TEST(CachesDifferential, PartsOfLaunchesThatAreEnoughTellWhatTheReferenceFindsInAll) {
  int parts = 0;
  check_property(drawn_share(500), [&] {
    const Streams streams = *rc::gen::exec(draw_streams);
    const RandomAccesses& drawn = streams.accesses;
    const Kernel kernel = drawn.kernel();
    LevelsFromAddresses product = levels_from_addresses(kernel, drawn.device, drawn.launch(), {20000});
    const bool is_part = product.simulated_groups < product.groups || product.most_trips > 0;
    RC_ASSERT(!is_part || !(streams.come_again || product.notes.empty()));
    parts += is_part ? 1 : 0;
    std::vector<AccessLevels> reference = reference_caches(kernel, drawn.device, drawn.launch());
    for (std::vector<AccessLevels>* accesses : {&product.accesses, &reference})
      for (AccessLevels& access : *accesses) access.spread = 0;  // found by one part in two orders
    const Comparison comparison(kernel, product.accesses, reference);
    RC_LOG() << product.simulated_groups << " groups\n" << comparison.differences;
    RC_ASSERT(comparison.is_equal);
  });
  EXPECT_GT(parts, 0);
}

}  // namespace
}  // namespace warpipe
