#include "support/drawn_cases.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>

#include "support/folders.hpp"

namespace warpipe {
namespace {

constexpr int kOneIn = 10;

struct Close {
  void operator()(FILE* pipe) const { pclose(pipe); }
};

std::string commit_of_sources() {
  const std::unique_ptr<FILE, Close> git(
      popen(("git -C \"" + in_sources("") + "\" rev-parse HEAD 2>/dev/null").c_str(), "r"));
  char line[64] = "";
  if (!git || !std::fgets(line, sizeof line, git.get())) return "none";
  std::string commit = line;
  commit.erase(std::min(commit.find('\n'), commit.size()));
  return commit;
}

}  // namespace

const std::string& word_of_draw() {
  static const std::string word = [] {
    const char* given = std::getenv("WARPIPE_TEST_DRAW");
    return given ? given : commit_of_sources();
  }();
  return word;
}

std::vector<std::size_t> drawn_cases(std::string_view test, std::size_t count) {
  std::vector<std::size_t> cases(count);
  std::iota(cases.begin(), cases.end(), std::size_t{});
  if (word_of_draw() == "all") return cases;
  const std::string words = word_of_draw() + " " + std::string(test);
  std::seed_seq seed(words.begin(), words.end());
  std::mt19937_64 random(seed);
  std::ranges::shuffle(cases, random);
  cases.resize((count + kOneIn - 1) / kOneIn);
  std::ranges::sort(cases);
  return cases;
}

int drawn_share(int count) { return word_of_draw() == "all" ? count : (count + kOneIn - 1) / kOneIn; }

}  // namespace warpipe
