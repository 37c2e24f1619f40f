#include "warpipe/sweep/chosen_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

constexpr std::array<const char*, 3> kAxes{"_x", "_y", "_z"};

[[noreturn]] void refuse_restriction(const std::string& text, const Diagnostic& found, std::string advice) {
  throw UsageError(Diagnostic{fmt::format("`where {}`", text), found.problem, found.found,
                              advice.empty() ? found.advice : std::move(advice)});
}

std::string as_name(std::string name) {
  const auto is_of_name = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::ranges::replace_if(
      name, [&](char c) { return !is_of_name(c); }, '_');
  return name;
}

bool has_sizes(const Variation& variation) { return variation.kind == Kind::Block || variation.kind == Kind::Grid; }

std::vector<std::string> visible_names(const std::vector<Variation>& variations) {
  std::vector<std::string> names;
  for (const auto& variation : variations) {
    names.push_back(as_name(variation.name));
    if (variation.kind == Kind::Argument) names.push_back(as_name(variation.target));
    if (has_sizes(variation))
      for (const char* axis : kAxes) names.push_back(variation.name + axis);
  }
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

Restriction::Restriction(const std::string& text, const std::vector<Variation>& variations) {
  for (const auto& [name, kind, target, values] : variations) variations_.push_back({name, kind, target, {}});
  const auto names = visible_names(variations);
  try {
    expression_ = Expression::parse(text, names);
  } catch (const InputError& error) {
    refuse_restriction(text, error.diagnostics().front(), "the names that vary are " + list_of(names));
  }
}

void Restriction::set(const Variation& variation, const VariedValue& value, Values& named) const {
  named.insert_or_assign(as_name(variation.name), value.number);
  if (variation.kind == Kind::Argument) named.insert_or_assign(as_name(variation.target), value.number);
  for (std::size_t axis = 0; value.sizes && axis < kAxes.size(); ++axis)
    named.insert_or_assign(variation.name + kAxes[axis], static_cast<double>((*value.sizes)[axis]));
}

bool Restriction::holds(const std::vector<VariedValue>& values) const {
  Values named;
  for (std::size_t i = 0; i < values.size(); ++i) set(variations_[i], values[i], named);
  try {
    return expression_.evaluate(named) != 0;
  } catch (const ModelError& error) {
    std::string point;
    for (std::size_t i = 0; i < values.size(); ++i)
      point += fmt::format("{}{}={}", i == 0 ? "" : " ", variations_[i].name, to_string(values[i]));
    refuse_restriction(expression_.text(), error.diagnostics().front(), "it has no value at " + point);
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
