// Runs a fuzzer's target over changes of the files of a corpus, drawn by their number: any compiler will do, and each
// can be made again. Texts are changed by words and lines, so that many of them still can be read.
//
// usage: mutate_TARGET FIRST LAST CORPUS...       runs the inputs FIRST to LAST - 1; a crash tells the number
//        mutate_TARGET --show NUMBER CORPUS...    writes one input
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/json_node.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

/// Of this processor: other processes may run beside it.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

constexpr std::string_view kOddWords[] = {
    "0", "-1", "1", "255", "65536", "0xffffffff", "-2147483648", "99999999999999999999", "1e308", "nan",
    "",  ":",  ",", "[",   "]",     "\"",         "\n"};
constexpr std::size_t kMostAtOnce = 6;  // changes of an input

volatile std::sig_atomic_t current = -1;

extern "C" void tell_number(int signal) {
  char text[64];
  const int length = std::snprintf(text, sizeof(text), "input %ld: signal %d\n", static_cast<long>(current), signal);
  std::fwrite(text, 1, static_cast<std::size_t>(length), stderr);
  std::_Exit(1);
}

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// A part of a text: [begin, end).
struct Part {
  std::size_t begin = 0, end = 0;
};

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  std::string input(std::uint64_t number) {
    random_.seed(number);
    std::string text = any_seed();
    for (auto left = 1 + below(kMostAtOnce); left > 0; --left) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : static_cast<std::size_t>(random_() % end); }
  const std::string& any_seed() { return seeds_[below(seeds_.size())]; }

  Part any_word(const std::string& text) {
    Part word{below(text.size()), 0};
    while (word.begin > 0 && is_in_word(text[word.begin - 1])) --word.begin;
    for (word.end = word.begin; word.end < text.size() && is_in_word(text[word.end]);) ++word.end;
    return word;
  }

  Part any_line(const std::string& text) {
    const auto at = below(text.size());
    const auto before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    return {before == std::string::npos ? 0 : before + 1, std::min(text.find('\n', at), text.size() - 1) + 1};
  }

  static std::string taken(const std::string& text, Part part) {
    return text.substr(part.begin, part.end - part.begin);
  }

  void change(std::string& text) {
    if (text.empty()) return;
    const auto word = any_word(text), line = any_line(text);
    const std::string& other = below(4) == 0 ? any_seed() : text;
    const auto replace = [&](Part part, const std::string& by) { text.replace(part.begin, part.end - part.begin, by); };
    if (other.empty()) return;
    switch (below(9)) {
      case 0:
        return replace(word, taken(other, any_word(other)));
      case 1:
        return replace(word, std::string(kOddWords[below(std::size(kOddWords))]));
      case 2:
        return replace(line, "");
      case 3:
        return replace(line, taken(other, any_line(other)));
      case 4:
        return replace({line.begin, line.begin}, taken(other, any_line(other)));
      case 5:
        return static_cast<void>(text[below(text.size())] = static_cast<char>(random_()));
      case 6:
        return static_cast<void>(text[below(text.size())] ^= static_cast<char>(1 << below(8)));
      case 7:
        return replace({word.begin, word.begin + below(text.size() - word.begin) % 32}, "");
      default:
        return below(16) == 0 ? text.resize(below(text.size())) : replace(word, taken(text, any_word(text)));
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return std::fputs("usage: mutate_TARGET FIRST LAST CORPUS... | --show NUMBER CORPUS...\n", stderr), 2;
  std::vector<std::string> seeds;
  for (int i = 3; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(arguments[i]))
      seeds.push_back(warpipe::read_text_file(entry.path().string()));
  std::ranges::sort(seeds);  // folders have no order of their own
  Mutator mutator(seeds);
  if (arguments[1] == std::string_view("--show")) {
    const auto text = mutator.input(std::strtoull(arguments[2], nullptr, 10));
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
  }
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGALRM}) std::signal(signal, tell_number);
  const auto first = std::strtoull(arguments[1], nullptr, 10), last = std::strtoull(arguments[2], nullptr, 10);
  double longest = 0;
  std::uint64_t slowest = first;
  for (auto number = first; number < last; ++number) {
    const auto text = mutator.input(number);
    current = static_cast<std::sig_atomic_t>(number);
    alarm(60);
    const double begin = seconds();
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    const double taken = seconds() - begin;
    if (taken > longest) longest = taken, slowest = number;
  }
  std::printf("%llu inputs, the slowest %llu in %.3f s of a processor\n", static_cast<unsigned long long>(last - first),
              static_cast<unsigned long long>(slowest), longest);
}
