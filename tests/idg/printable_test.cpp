#include "warpipe/idg/printable.hpp"

#include <gtest/gtest.h>

namespace warpipe {
namespace {

TEST(Printable, ShowsControlCharactersAsJsonWritesThem) {
  EXPECT_EQ(printable("\x1b[31mred\a"), R"(\u001b[31mred\u0007)");
  EXPECT_EQ(printable("two\nlines\r\tand"), R"(two\nlines\r\tand)");
  EXPECT_EQ(printable(std::string_view("\0\x7f", 2)), R"(\u0000\u007f)");
}

// U+009B begins the same sequences as ESC [ does.
TEST(Printable, ShowsThoseBeyondAsciiToo) {
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            R"(\u009b31m)");
}

TEST(Printable, LeavesOtherTextAsItIs) {
  for (const char* text : {"", "saxpy", "\xC2\xA0\xC3\xA9\xE2\x82\xAC", R"(back\slash "quote")", "\xC2", "\xFF\xC0"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, KeepsWhatItIsTold) { EXPECT_EQ(printable("a\n\tb\x1b", "\n\t"), "a\n\tb\\u001b"); }

}  // namespace
}  // namespace warpipe
