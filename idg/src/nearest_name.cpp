#include "warpipe/idg/nearest_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace warpipe {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether two names differ by another digit, as rtx2070 and rtx3070 do: never a slip of the pen. Swapped digits may be
/// a slip, and so may missing digits.
bool have_other_digits(std::string_view a, std::string_view b) {
  const auto sorted_digits = [](std::string_view name) {
    std::string digits;
    std::ranges::copy_if(name, std::back_inserter(digits), is_digit);
    std::ranges::sort(digits);
    return digits;
  };
  const auto of_a = sorted_digits(a), of_b = sorted_digits(b);
  return of_a.size() == of_b.size() && of_a != of_b;
}

/// The least number of edits from a to b (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) edits[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) edits[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      edits[i][j] = std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
    }
  }
  return edits[a.size()][b.size()];
}

constexpr std::size_t kLongestName = 200;  // keeps the table small
constexpr std::size_t kShortList = 12;

std::string_view first_letters(std::string_view name) {
  return name.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(name, is_letter) - name.begin()));
}

/// The candidates beginning with the letters of a name, such as rtx of rtx4090; if there are many, only candidates with
/// the next character in common too.
std::vector<std::string> family(std::string_view name, std::span<const std::string> candidates) {
  const auto letters = lower_case(first_letters(name));
  std::vector<std::string> members;
  if (letters.size() < 2) return members;
  for (const std::string& candidate : candidates)
    if (lower_case(first_letters(candidate)) == letters) members.push_back(candidate);
  const auto start = lower_case(name.substr(0, letters.size() + 1));
  if (members.size() > kShortList)
    std::erase_if(members, [&](const std::string& member) { return !lower_case(member).starts_with(start); });
  return members;
}

/// The candidates with a name as one of their words: global.load and shared.load for load.
std::vector<std::string> with_word(std::string_view name, std::span<const std::string> candidates) {
  std::vector<std::string> found;
  const auto word = "." + lower_case(name) + ".";
  if (name.size() < 3) return found;
  for (const std::string& candidate : candidates)
    if (("." + lower_case(candidate) + ".").find(word) != std::string::npos) found.push_back(candidate);
  return found;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string nearest_name(std::string_view written, std::span<const std::string> candidates) {
  const std::string name = lower_case(written);
  std::string nearest;
  if (name.size() > kLongestName) return nearest;
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  bool begun = false;
  for (const std::string& each : candidates) {
    const std::string candidate = lower_case(each);
    if (name.size() > 1 && candidate.starts_with(name) && !begun && best > 0) {  // `name` is a beginning of it
      begun = true;
      best = 1;
      nearest = each;
    }
    const std::size_t difference =
        candidate.size() > name.size() ? candidate.size() - name.size() : name.size() - candidate.size();
    if (difference >= best || have_other_digits(name, candidate)) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best && distance < std::max(name.size(), candidate.size())) {
      best = distance;
      nearest = each;
    }
  }
  return nearest;
}

std::string suggest(std::string_view name, std::span<const std::string> candidates) {
  const auto longer = with_word(name, candidates);
  if (longer.size() == 1) return fmt::format("did you mean \"{}\"?", longer.front());
  if (longer.size() > 1 && longer.size() <= kShortList) return fmt::format("one of: {}", fmt::join(longer, ", "));
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) return fmt::format("did you mean \"{}\"?", nearest);
  if (candidates.empty()) return {};
  if (candidates.size() <= kShortList) return fmt::format("one of: {}", fmt::join(candidates, ", "));
  const auto similar = family(name, candidates);
  if (similar.empty() || similar.size() > kShortList) return {};
  return fmt::format("similar: {}", fmt::join(similar, ", "));
}

}  // namespace warpipe
