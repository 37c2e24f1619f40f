#include "warpipe/sweep/chosen_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

constexpr std::array<const char*, 3> kAxes{"_x", "_y", "_z"};

[[noreturn]] void refuse_restriction(const std::string& text, std::string problem, std::string advice) {
  throw UsageError(Diagnostic{fmt::format("`where {}`", text), std::move(problem), "", std::move(advice)});
}

bool is_of_name(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::string as_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return !is_of_name(c); }, '_');
  return name;
}

bool has_sizes(const Variation& variation) { return variation.kind == Kind::Block || variation.kind == Kind::Grid; }

/// The names with numbers as values.
std::vector<std::string> number_names(const std::vector<Variation>& variations) {
  std::vector<std::string> names;
  for (const auto& variation : variations) {
    if (has_names(variation)) continue;
    names.push_back(as_name(variation.name));
    if (variation.kind == Kind::Argument) names.push_back(as_name(variation.target));
    if (has_sizes(variation))
      for (const char* axis : kAxes) names.push_back(variation.name + axis);
  }
  return names;
}

/// `device == 'h100'` in a text.
struct FoundComparison {
  std::size_t begin = 0, end = 0;  ///< in the text
  std::string name, value;
  bool is_equal = true;
};

/// The end of the text before a place, without trailing blanks.
std::size_t end_before(std::string_view text, std::size_t place) {
  const auto last = text.substr(0, place).find_last_not_of(" \t");
  return last == std::string_view::npos ? 0 : last + 1;
}

/// The next comparison from a place on. A longer expression, as in `2 * device == 'h100'`, is no comparison.
std::optional<FoundComparison> find_comparison(std::string_view text, std::size_t from) {
  const auto quote = text.find_first_of("'\"", from);
  const auto end_quote = quote == std::string_view::npos ? quote : text.find(text[quote], quote + 1);
  if (end_quote == std::string_view::npos) return std::nullopt;
  const auto end_of_operator = end_before(text, quote);
  const auto comparing = text.substr(0, end_of_operator);
  const bool is_equal = comparing.ends_with("==");
  if (!is_equal && !comparing.ends_with("!=")) return std::nullopt;
  const auto end_of_name = end_before(text, end_of_operator - 2);
  auto begin = end_of_name;
  while (begin > from && is_of_name(text[begin - 1])) --begin;
  const auto before = end_before(text, begin), after = text.find_first_not_of(" \t", end_quote + 1);
  const auto is_among = [&](std::string_view signs, std::size_t place) { return signs.find(text[place]) != text.npos; };
  if ((before > 0 && !is_among("(&|", before - 1)) || (after != text.npos && !is_among(")&|", after)))
    return std::nullopt;
  return FoundComparison{begin, end_quote + 1, std::string(text.substr(begin, end_of_name - begin)),
                         std::string(text.substr(quote + 1, end_quote - quote - 1)), is_equal};
}

/// @throws UsageError for a value that a variation does not have
void require_value(const std::string& text, const Variation& variation, const std::string& value) {
  std::vector<std::string> known;
  for (const auto& one : variation.values) known.push_back(one.name);
  if (std::ranges::find(known, value) != known.end()) return;
  refuse_restriction(text, fmt::format("{} is never \"{}\"", variation.name, value), suggest(value, known));
}

/// "n, device == 'h100'"
std::string usable(const std::vector<Variation>& variations) {
  auto names = number_names(variations);
  for (const auto& variation : variations)
    if (has_names(variation)) names.push_back(fmt::format("{} == '{}'", variation.name, variation.values.front().name));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Restriction::Restriction(const std::string& text, const std::vector<Variation>& variations) {
  for (const auto& [name, kind, target, values] : variations) variations_.push_back({name, kind, target, {}});
  const auto plain = without_comparisons(text, variations);
  auto names = number_names(variations);
  for (const auto& comparison : comparisons_) names.push_back(comparison.name);
  try {
    expression_ = Expression::parse(plain, names);
  } catch (const InputError& error) {
    refuse_restriction(text, error.diagnostics().front().problem, "what varies can be used as " + usable(variations));
  }
}

/// Replaces each comparison by a name of its own.
std::string Restriction::without_comparisons(const std::string& text, const std::vector<Variation>& variations) {
  std::string plain;
  std::size_t done = 0;
  while (const auto found = find_comparison(text, done)) {
    const auto varied = std::ranges::find(variations, found->name, &Variation::name);
    if (varied == variations.end() || !has_names(*varied)) break;  // the expression will say so
    require_value(text, *varied, found->value);
    const auto name = fmt::format("{}_is{}_{}", found->name, found->is_equal ? "" : "_not", comparisons_.size() + 1);
    comparisons_.push_back(
        {name, static_cast<std::size_t>(varied - variations.begin()), found->value, found->is_equal});
    plain += text.substr(done, found->begin - done) + name;
    done = found->end;
  }
  return plain + text.substr(done);
}

Values Restriction::values_at(const std::vector<VariedValue>& values) const {
  Values named;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& variation = variations_[i];
    const auto& [number, sizes, name] = values[i];
    named.insert_or_assign(as_name(variation.name), number);
    if (variation.kind == Kind::Argument) named.insert_or_assign(as_name(variation.target), number);
    for (std::size_t axis = 0; sizes && axis < kAxes.size(); ++axis)
      named.insert_or_assign(variation.name + kAxes[axis], static_cast<double>((*sizes)[axis]));
  }
  for (const auto& [name, variation, value, is_equal] : comparisons_)
    named.insert_or_assign(name, (values[variation].name == value) == is_equal ? 1 : 0);
  return named;
}

bool Restriction::holds(const std::vector<VariedValue>& values) const {
  try {
    return expression_.evaluate(values_at(values)) != 0;
  } catch (const ModelError& error) {
    std::string point;
    for (std::size_t i = 0; i < values.size(); ++i)
      point += fmt::format("{}{}={}", i == 0 ? "" : " ", variations_[i].name, to_string(values[i]));
    refuse_restriction(expression_.text(), error.diagnostics().front().problem, "it has no value at " + point);
  }
}

void ChosenPoints::keep_if(const std::function<bool(std::size_t)>& is_wanted) {
  std::vector<std::uint32_t> kept;
  for (std::size_t i = 0; i < size(); ++i)
    if (is_wanted((*this)[i])) kept.push_back(static_cast<std::uint32_t>((*this)[i]));
  chosen_ = std::move(kept);
}

/// Floyd's way to draw without replacement. The generator's own numbers are the same everywhere; the library's
/// distributions are not.
/// @source Bentley, Floyd: Programming pearls: a sample of brilliance, CACM 30 (1987)
void ChosenPoints::draw(std::size_t count, std::uint64_t seed) {
  if (count >= size()) return;
  std::mt19937_64 generator(seed);
  std::set<std::size_t> drawn;
  for (std::size_t last = size() - count; last < size(); ++last) {
    const auto any = static_cast<std::size_t>(generator() % (last + 1));
    drawn.insert(drawn.contains(any) ? last : any);
  }
  std::vector<std::uint32_t> kept;
  for (const std::size_t index : drawn) kept.push_back(static_cast<std::uint32_t>((*this)[index]));
  chosen_ = std::move(kept);
}

void ChosenPoints::keep_cheapest(std::size_t count, const std::vector<std::optional<double>>& costs) {
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t index) { return !costs[index]; });
  std::ranges::stable_sort(order, {}, [&](std::size_t index) { return *costs[index]; });
  order.resize(std::min(order.size(), count));
  std::ranges::sort(order);
  std::vector<std::uint32_t> kept;
  for (const std::size_t index : order) kept.push_back(static_cast<std::uint32_t>((*this)[index]));
  chosen_ = std::move(kept);
}

}  // namespace warpipe
