#include "warpipe/views/path_view.hpp"

#include <gmock/gmock.h>

#include "golden.hpp"

namespace warpipe::test {
namespace {

using testing::HasSubstr;
using testing::Not;

PathStretch stretch(PathEdge edge, const std::string& cause, const std::string& effect, std::int64_t links, Ticks from,
                    Ticks to, const std::string& pipeline = "") {
  PathStretch one;
  one.edge = edge;
  one.cause = cause;
  one.effect = effect;
  one.pipeline = pipeline;
  one.links = links;
  one.from = from;
  one.to = to;
  one.time = Ticks{to.count - from.count};
  return one;
}

/// 16 trips of 25.5 cycles between an index of 6 and a last result of 26.
FollowedPath example_path() {
  FollowedPath path;
  path.cycles = Ticks{440'000};
  path.parts = {{PathEdge::Pipeline, "load_x", "memory", 16, Ticks{256'000}},
                {PathEdge::Result, "fma", "", 16, Ticks{152'000}},
                {PathEdge::Drain, "store", "", 1, Ticks{26'000}},
                {PathEdge::Result, "index", "", 1, Ticks{6'000}}};
  path.links = 34;
  path.warp_changes[static_cast<std::size_t>(PathEdge::Pipeline)] = 16;
  PathStretch trips;
  trips.links = 32;
  trips.comes = 16;
  trips.from = Ticks{6'000};
  trips.to = Ticks{414'000};
  trips.time = Ticks{408'000};
  trips.body = {stretch(PathEdge::Pipeline, "load_x", "load_x", 16, Ticks{6'000}, Ticks{404'500}, "memory"),
                stretch(PathEdge::Result, "fma", "load_x", 16, Ticks{22'000}, Ticks{414'000})};
  trips.body[0].time = Ticks{256'000};
  trips.body[1].time = Ticks{152'000};
  path.chain = {stretch(PathEdge::Result, "index", "load_x", 1, Ticks{0}, Ticks{6'000}), trips,
                stretch(PathEdge::Drain, "store", "", 1, Ticks{414'000}, Ticks{440'000})};
  return path;
}

TEST(PathView, TextReadsAsInTheGoldenFile) { expect_golden("path.txt", write_path_text(example_path())); }
TEST(PathView, JsonReadsAsInTheGoldenFile) { expect_golden("path.json", path_json(example_path()) + "\n"); }

TEST(PathView, SumsUpWhatIsNotShown) {
  auto path = example_path();
  path.parts.assign(20, {PathEdge::Result, "fma", "", 2, Ticks{22'000}});
  path.chain.assign(100, stretch(PathEdge::Result, "fma", "fma", 2, Ticks{0}, Ticks{4'400}));
  const std::string text = write_path_text(path);
  EXPECT_THAT(text, HasSubstr("    15 more     75.0 %     330     30\n"));    // 20 - 5 of 22 cycles and 2 links
  EXPECT_THAT(text, HasSubstr("  ... stretches left out    152   334.4  "));  // 100 - 24 of 4.4 cycles and 2 links
}

TEST(PathView, SaysWhereThePathStaysInOneWarp) {
  auto path = example_path();
  path.warp_changes = {};
  EXPECT_THAT(write_path_text(path), HasSubstr("34 links, all in one warp.\n"));
}

TEST(PathView, ARunOfNoCyclesHasNoChain) {
  const std::string text = write_path_text(FollowedPath{});
  EXPECT_THAT(text, HasSubstr("0 links"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace warpipe::test
