#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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
    const KernelWithLevels product = with_levels(kernel, drawn.device, drawn.launch(), {1e15});
    if (product.found) RC_ASSERT(product.found->simulated_groups == product.found->groups);
    if (product.found) RC_ASSERT(product.found->most_trips == 0);
    const Comparison comparison(kernel, product.filled, reference_caches(kernel, drawn.device, drawn.launch()));
    RC_LOG() << comparison.differences;
    RC_ASSERT(comparison.is_equal);
    tell_what_was_drawn(product.filled);
  });
}

/// Each warp goes through a row of each array, and all of them through all of it once.
RandomAccesses draw_streams() {
  const auto between = [](int least, int most) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(least, most + 1));
  };
  RandomAccesses made;
  const int threads = 32, groups = between(24, 48), trips = between(1, 16), arrays = between(1, 3);
  made.device = cached_device(between(2, 4), 128 * between(4, 40), 128 * between(16, 200), between(1, 2));
  made.maker.block(threads).grid(groups).slots(between(1, 2));
  for (int i = 0; i < arrays; ++i)
    made.maker.array("abc"[i] + std::string(), std::to_string(16 * threads * groups * trips));
  made.text = fmt::format("{} groups of {} threads, {} units:", groups, threads, made.device.compute_units);
  made.maker.loop("l", std::to_string(trips), [&](AccessMaker& body) {
    for (int i = 0; i < arrays; ++i) {
      const std::string name = "abc"[i] + std::string(), op = between(0, 2) == 0 ? "global.store" : "global.load";
      const int width = 4 << between(0, 2);
      made.text += fmt::format(" {} of {} bytes", op, width);
      const std::string at = fmt::format("{} * ((group * {} + l) * {} + thread_x)", width, trips, threads);
      body.access(name, op, name, at, width);
    }
  });
  made.text += fmt::format(", {} times\n", trips);
  return made;
}

// "Where no instruction comes to a sector twice" or "each array comes from beyond the units once", a smaller part is
// enough: it tells the same, and says which part it is.
TEST(CachesDifferential, PartsOfLaunchesTellWhatTheReferenceFindsInAll) {
  int parts = 0;
  check_property(drawn_share(300), [&] {
    const RandomAccesses drawn = *rc::gen::exec(draw_streams);
    const Kernel kernel = drawn.kernel();
    const auto product = levels_from_addresses(kernel, drawn.device, drawn.launch(), {150});
    const bool is_part = product.simulated_groups < product.groups || product.most_trips > 0;
    RC_ASSERT(is_part == !product.notes.empty());
    const auto reference = reference_caches(kernel, drawn.device, drawn.launch());
    RC_ASSERT(product.accesses.size() == reference.size());
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const AccessLevels &one = product.accesses[i], &other = reference[i];
      RC_ASSERT(std::abs(one.executions - other.executions) <= 1e-9 * other.executions);
      for (std::size_t k = 0; k < other.levels.size(); ++k) {
        RC_LOG() << kernel.instructions[other.instruction].id << " at level " << k + 1 << ": share "
                 << one.levels[k].share << " for " << other.levels[k].share << ", sectors " << one.levels[k].sectors
                 << " for " << other.levels[k].sectors << "\n";
        RC_ASSERT(std::abs(one.levels[k].share - other.levels[k].share) <= 0.005);
        RC_ASSERT(std::abs(one.levels[k].sectors - other.levels[k].sectors) <= 0.005 * other.levels[0].sectors);
      }
    }
    parts += is_part ? 1 : 0;
  });
  EXPECT_GT(parts, 0);
}

}  // namespace
}  // namespace warpipe
