#include <gtest/gtest.h>

#include "warpipe/report/page.hpp"

namespace warpipe {
namespace {

TEST(Markdown, HasTheTablesOfGitHubAndNoPlaceForFigures) {
  Page page{"saxpy on v100", "a card", {{"run time", "2 us"}, {"cycles", "2000"}}, {}};
  page.sections.push_back(
      {"Points", "", {Figure{}}, {{"Points", {{"name"}, {"time", true}}, {{"x", "1"}, {"", "2"}}, 0}}});
  page.sections.push_back({"A picture", "How to read it.", {Figure{}}, {}});
  page.sections.push_back({"Models", "Below 1: faster.", {}, {{"Ratios", {{""}}, {{"0.5"}}}}});
  page.sections.push_back({"Nothing", "", {}, {}});
  EXPECT_EQ(write_markdown(page),
            "# saxpy on v100\n\na card\n\n- run time: 2 us\n- cycles: 2000\n"
            "\n## Points\n\n| name | time |\n| --- | ---: |\n| **x** | **1** |\n| | 2 |\n"
            "\n## Models\n\nBelow 1: faster.\n\nRatios:\n\n| |\n| --- |\n| 0.5 |\n");
}

TEST(Markdown, TakesNoNameOrTextForMarkup) {
  const Page page{"*a* _b_ `c` <d> [e](f) #1 g_h | ~i~ &lt; \\ \n", "", {}, {}};
  EXPECT_EQ(write_markdown(page),
            "# \\*a\\* \\_b\\_ \\`c\\` \\<d\\> \\[e\\](f) \\#1 g_h \\| \\~i\\~ \\&lt; \\\\ \\\\n\n");
}

}  // namespace
}  // namespace warpipe
