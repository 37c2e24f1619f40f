#include "golden.hpp"
#include "support/folders.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace warpipe::test {

void expect_golden(const std::string& file, const std::string& text) {
  const std::string path = in_sources("tests/golden/") + file;
  if (std::getenv("WARPIPE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream stream(path, std::ios::binary);
  ASSERT_TRUE(stream) << path << " is missing; tests/golden/update.sh writes it";
  std::ostringstream golden;
  golden << stream.rdbuf();
  EXPECT_EQ(text, golden.str()) << "differs from " << path;
}

}  // namespace warpipe::test
