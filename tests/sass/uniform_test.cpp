// Arithmetic in uniform registers from compute capability 12.0 on: uniform/uniform.cu.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "support/folders.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

isa::Import run(const std::string& entry, const std::map<std::string, std::string>& arguments) {
  const auto path = in_sources("tests/sass/uniform/sm_120.cubin");
  isa::ImportOptions options;
  options.entry = entry;
  options.launch.block = {32, 1, 1};
  options.launch.grid = {2, 1, 1};
  options.launch.arguments.insert(arguments.begin(), arguments.end());
  return sass::import_cubin(sass::read_cubin(read_text_file(path), path), options);
}

// a + b once in each of two warps, and four rounds of a product and a product with a sum.
TEST(UniformArithmetic, AddsFloats) {
  const auto made = run("sums", {{"2", "1.5"}, {"3", "2"}, {"4", "256"}});
  EXPECT_EQ(made.report.issued.at("fadd"), 2);
  EXPECT_EQ(made.report.executions.at("global.store"), 2 * 4);
}

TEST(UniformArithmetic, FindsTheLeastOfTwoNumbers) {
  for (const auto& [n, m] : {std::pair{"320", "4294967296"}, std::pair{"4294967297", "320"}})
    EXPECT_EQ(run("least", {{"1", n}, {"2", m}}).report.executions.at("global.store"), 2 * 10) << n << ", " << m;
}

}  // namespace
}  // namespace warpipe::test
