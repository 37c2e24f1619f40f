#include "caches/patterns.hpp"

#include <fmt/format.h>

#include <utility>

namespace warpipe {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

AccessMaker streaming(std::int64_t n) {
  AccessMaker maker;
  maker.array("x", number(4 * n)).array("y", number(4 * n)).block(256).grid(n / 256);
  const std::string here = "4 * (group * 256 + thread_x)";
  maker.load("x", "x", here).load("y", "y", here).store("s", "y", here).after({"x", "y"});
  return maker;
}

AccessMaker stencil(std::int64_t n) {
  AccessMaker maker;
  maker.parameter("n", static_cast<double>(n)).array("in", "4 * n * n").array("out", "4 * n * n");
  maker.block(32, 8).grid(n / 32, n / 8);
  const auto at = [](int dx, int dy) {
    const auto inside = [](const char* axis, int size, int by) {
      return fmt::format("max(0, min(n - 1, group_{0} * {1} + thread_{0} + {2}))", axis, size, by);
    };
    return fmt::format("4 * ({} * n + {})", inside("y", 8, dy), inside("x", 32, dx));
  };
  maker.load("centre", "in", at(0, 0)).load("left", "in", at(-1, 0)).load("right", "in", at(1, 0));
  maker.load("up", "in", at(0, -1)).load("down", "in", at(0, 1)).store("out", "out", at(0, 0));
  maker.after({"centre", "left", "right", "up", "down"});
  return maker;
}

AccessMaker naive_product(std::int64_t n) {
  AccessMaker maker;
  maker.parameter("n", static_cast<double>(n)).array("a", "4 * n * n").array("b", "4 * n * n").array("c", "4 * n * n");
  maker.block(16, 16).grid(n / 16, n / 16);
  maker.loop("k", "n", [](AccessMaker& body) {
    body.load("a", "a", "4 * ((group_y * 16 + thread_y) * n + k)");
    body.load("b", "b", "4 * (k * n + group_x * 16 + thread_x)");
    body.other("sum", "ffma").after({"a", "b"});
  });
  maker.store("c", "c", "4 * ((group_y * 16 + thread_y) * n + group_x * 16 + thread_x)");
  return maker;
}

AccessMaker tiled_product(std::int64_t n) {
  AccessMaker maker;
  maker.parameter("n", static_cast<double>(n)).array("a", "4 * n * n").array("b", "4 * n * n").array("c", "4 * n * n");
  maker.block(16, 16).grid(n / 16, n / 16);
  maker.loop("tile", "n / 16", [](AccessMaker& body) {
    body.load("a", "a", "4 * ((group_y * 16 + thread_y) * n + tile * 16 + thread_x)");
    body.load("b", "b", "4 * ((tile * 16 + thread_y) * n + group_x * 16 + thread_x)");
    body.other("filled", "barrier").other("used", "barrier");
  });
  maker.store("c", "c", "4 * ((group_y * 16 + thread_y) * n + group_x * 16 + thread_x)");
  return maker;
}

namespace {

AccessMaker transpose(std::int64_t n, const std::string& to) {
  AccessMaker maker;
  maker.parameter("n", static_cast<double>(n)).array("in", "4 * n * n").array("out", "4 * n * n");
  maker.block(32, 8).grid(n / 32, n / 32);
  maker.loop("j", "4", [&](AccessMaker& body) {
    body.load("in", "in", "4 * ((group_y * 32 + thread_y + 8 * j) * n + group_x * 32 + thread_x)");
    body.store("out", "out", to).after({"in"});
  });
  return maker;
}

}  // namespace

AccessMaker naive_transpose(std::int64_t n) {
  return transpose(n, "4 * ((group_x * 32 + thread_x) * n + group_y * 32 + thread_y + 8 * j)");
}

AccessMaker tiled_transpose(std::int64_t n) {
  return transpose(n, "4 * ((group_x * 32 + thread_y + 8 * j) * n + group_y * 32 + thread_x)");
}

AccessMaker strided(std::int64_t n, std::int64_t stride) {
  AccessMaker maker;
  maker.parameter("stride", static_cast<double>(stride)).array("a", number(4 * n * stride)).block(128).grid(n / 128);
  maker.load("a", "a", "4 * stride * (group * 128 + thread_x)");
  return maker;
}

AccessMaker broadcast(std::int64_t n) {
  AccessMaker maker;
  maker.array("a", number(4 * n)).block(128).grid(64);
  maker.loop("i", number(n), [](AccessMaker& body) { body.load("a", "a", "4 * i"); });
  return maker;
}

AccessMaker reduction(std::int64_t n, std::int64_t per_thread) {
  AccessMaker maker;
  maker.parameter("per_thread", static_cast<double>(per_thread)).array("a", number(4 * n));
  maker.array("sums", number(4 * n / per_thread / 256)).block(256).grid(n / per_thread / 256);
  maker.loop("i", "per_thread", [](AccessMaker& body) {
    body.load("a", "a", "4 * ((group * per_thread + i) * 256 + thread_x)");
    body.other("add", "fadd").after({"a"});
  });
  maker.loop("step", "8", [](AccessMaker& body) { body.other("together", "barrier"); });
  maker.when("warp == 0", [](AccessMaker& body) {
    body.store("sum", "sums", "4 * group + (1 - (lane == 0)) * -1000000000");  // a single lane is inside
  });
  return maker;
}

AccessMaker gather(std::int64_t n, std::int64_t elements) {
  AccessMaker maker;
  maker.array("index", number(4 * n)).array("table", number(4 * elements)).block(128).grid(n / 128);
  std::vector<std::vector<std::int64_t>> executions;
  std::uint64_t state = 1;
  for (int execution = 0; execution < 256; ++execution) {
    std::vector<std::int64_t>& lanes = executions.emplace_back();
    for (int lane = 0; lane < 32; ++lane) {
      state = state * 6364136223846793005 + 1442695040888963407;
      lanes.push_back(4 * static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(elements)));
    }
  }
  executions[3][5] = AccessPattern::kNotActive;
  maker.load("index", "index", "4 * (group * 128 + thread_x)");
  maker.loop("i", "4", [&](AccessMaker& body) { body.sampled("table", "table", 4, executions).after({"index"}); });
  return maker;
}

AccessMaker shifted_gather(std::int64_t n, std::int64_t shift_bytes) {
  AccessMaker maker;
  maker.array("a", number(4 * n)).block(64).grid(n / 64);
  std::vector<std::vector<std::int64_t>> executions(6);
  std::uint64_t state = 1;
  for (std::vector<std::int64_t>& lanes : executions)
    for (int lane = 0; lane < 32; ++lane) {
      state = state * 6364136223846793005 + 1442695040888963407;
      lanes.push_back(4 * static_cast<std::int64_t>((state >> 33) % 300));
    }
  executions[1][0] = AccessPattern::kNotActive;
  maker.loop("i", "2", [&](AccessMaker& body) { body.sampled("a", "a", 2, executions, 4, shift_bytes); });
  return maker;
}

AccessMaker thread_private(std::int64_t groups, std::int64_t words) {
  AccessMaker maker;
  maker.parameter("words", static_cast<double>(words)).array("own", "4 * words", true).block(64).grid(groups);
  maker.loop("i", "words", [](AccessMaker& body) { body.store("spill", "own", "4 * i"); });
  maker.loop("j", "words", [](AccessMaker& body) {
    body.load("fill", "own", "4 * j");
    body.loop("uses", "2", [](AccessMaker& inner) { inner.other("use", "fadd").after({"fill"}, 3); });
  });
  return maker;
}

AccessMaker repeated(std::int64_t groups, std::int64_t bytes, std::int64_t times) {
  AccessMaker maker;
  maker.parameter("bytes", static_cast<double>(bytes)).array("a", "bytes").block(128).grid(groups);
  maker.loop("time", number(times), [](AccessMaker& outer) {
    outer.loop("i", "bytes / 512", [](AccessMaker& body) {
      body.load("a", "a", "512 * i + 4 * thread_x").other("use", "fadd").after({"a"});
    });
  });
  return maker;
}

namespace {

AccessMaker matrix(std::int64_t n, const std::string& address) {
  AccessMaker maker;
  maker.parameter("n", static_cast<double>(n)).array("a", "4 * n * n").block(64).grid(n / 64);
  maker.loop("k", "n", [&](AccessMaker& body) { body.load("a", "a", address); });
  return maker;
}

}  // namespace

AccessMaker along_rows(std::int64_t n) {
  return matrix(n, "4 * ((group * 64 + floor(k / (n / 64))) * n + mod(k, n / 64) * 64 + thread_x)");
}

AccessMaker along_columns(std::int64_t n) { return matrix(n, "4 * ((group * 64 + thread_x) * n + k)"); }

AccessMaker triangle(std::int64_t n) {
  AccessMaker maker;
  GroupKinds kinds;
  kinds.of_group = maker.parse("floor(group / 4)", {});
  GroupKinds::Column rows;
  for (std::int64_t row = 0; row < n / 4; ++row) rows.push_back({static_cast<double>(row + 1)});
  kinds.values["rows"] = rows;
  maker.kinds(std::move(kinds)).array("a", number(n * n * 128)).block(64).grid(n);
  maker.loop("k", "rows", [&](AccessMaker& body) {
    body.load("a", "a", "4 * (k * 256 + mod(group, 4) * 64 + thread_x)");
    body.other("use", "fadd").after({"a"}, 2);
  });
  return maker;
}

AccessMaker histogram(std::int64_t n, std::int64_t bins) {
  AccessMaker maker;
  maker.parameter("bins", static_cast<double>(bins)).array("in", number(n)).array("bins", "4 * bins");
  maker.block(128).grid(n / 128);
  maker.load("in", "in", "group * 128 + thread_x", 1);
  maker.access("add", "global.atomic", "bins", "4 * mod(7 * (group * 128 + thread_x), bins)", 4).after({"in"});
  return maker;
}

AccessMaker bytewise(std::int64_t n) {
  AccessMaker maker;
  maker.array("in", number(n)).array("out", number(n)).block(128).grid(n / 128);
  maker.load("in", "in", "group * 128 + thread_x", 1).store("out", "out", "group * 128 + thread_x", 1).after({"in"});
  return maker;
}

std::vector<Pattern> patterns() {
  std::vector<Pattern> patterns{{"streaming", streaming(16384)},
                                {"stencil", stencil(128)},
                                {"naive_product", naive_product(64)},
                                {"tiled_product", tiled_product(96)},
                                {"naive_transpose", naive_transpose(160)},
                                {"tiled_transpose", tiled_transpose(160)},
                                {"strided", strided(16384, 6)},
                                {"broadcast", broadcast(128)},
                                {"reduction", reduction(65536, 8)},
                                {"gather", gather(8192, 10000)},
                                {"shifted_gather", shifted_gather(4100, 1252)},
                                {"thread_private", thread_private(36, 14)},
                                {"a_set_that_fits", repeated(16, 8192, 6)},
                                {"a_set_just_too_large", repeated(12, 20480, 3)},
                                {"along_rows", along_rows(256)},
                                {"along_columns", along_columns(256)},
                                {"triangle", triangle(64)},
                                {"histogram", histogram(16384, 1000)},
                                {"bytewise", bytewise(65536)}};
  for (Pattern& pattern : patterns) pattern.maker.slots(3);
  return patterns;
}

}  // namespace warpipe
