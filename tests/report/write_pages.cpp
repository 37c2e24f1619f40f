#include <cstdio>
#include <filesystem>
#include <fstream>

#include "samples.hpp"

/// Writes the sample pages into a directory. usage: write_pages DIR
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (!warpipe::has_charts()) {
    std::puts("the build has no charts: the npm packages were missing");
    return 77;
  }
  std::filesystem::create_directories(argv[1]);
  for (const auto& [name, html] : warpipe::test::sample_pages()) {
    std::ofstream file(std::filesystem::path(argv[1]) / (name + ".html"), std::ios::binary);
    file << html;
    if (!file.flush()) return 1;
  }
}
