#include "warpipe/tune/space.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

/// Adds the place to an error of a formula.
template <class Value>
auto in_place(const std::string& where, const Value& value) {
  try {
    return value();
  } catch (const ModelError& error) {
    auto problem = error.diagnostics().front();
    problem.where = where;
    throw ModelError(std::move(problem));
  }
}

/// Goes through the combinations depth first.
class Combinations {
 public:
  explicit Combinations(const TuningSpace& space)
      : space_(space), names_(space.constants), due_(space.tunables.size()) {
    for (const auto& restriction : space.restrictions) due_[last_name_of(restriction)].push_back(&restriction);
  }

  std::vector<Configuration> all() {
    go_on(0);
    return std::move(found_);
  }

 private:
  /// The tunable with which all names of a restriction have values.
  std::size_t last_name_of(const Formula& restriction) const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < space_.tunables.size(); ++i)
      if (restriction.names().contains(space_.tunables[i].name)) last = i;
    return last;
  }

  void go_on(std::size_t tunable) {
    if (tunable == space_.tunables.size()) {
      if (found_.size() == kMostConfigurations)
        throw InputError(Diagnostic{space_.file,
                                    fmt::format("the space has more than {} configurations", found_.size()), "",
                                    "restrict it, or leave values out"});
      found_.push_back({values_, {}, {}});
      return;
    }
    const auto& [name, values] = space_.tunables[tunable];
    for (std::size_t i = 0; i < values.size(); ++i) {
      names_[name] = values[i];
      const bool hold = std::ranges::all_of(due_[tunable], [&](const Formula* restriction) {
        return in_place(space_.file, [&] { return restriction->holds(names_); });
      });
      if (!hold) continue;
      values_.push_back(static_cast<std::uint32_t>(i));
      go_on(tunable + 1);
      values_.pop_back();
    }
    names_.erase(name);
  }

  const TuningSpace& space_;
  FormulaNames names_;
  std::vector<std::vector<const Formula*>> due_;  ///< by tunable
  std::vector<std::uint32_t> values_;
  std::vector<Configuration> found_;
};

/// Source without text behind // and between /* and */; the same signs in a string start a comment, too.
std::string without_comments(const std::string& text) {
  std::string left;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_block = text.compare(at, 2, "/*") == 0;
    if (!is_block && text.compare(at, 2, "//") != 0) {
      left += text[at++];
      continue;
    }
    const auto end = is_block ? text.find("*/", at + 2) : text.find('\n', at);
    left += ' ';
    at = end == std::string::npos ? text.size() : end + (is_block ? 2 : 0);
  }
  return left;
}

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The words of files, without words in comments.
std::set<std::string> words_of(const std::vector<TextFile>& files) {
  std::set<std::string> words;
  for (const auto& file : files) {
    const auto text = without_comments(file.text);
    for (auto at = text.begin(); at != text.end();) {
      const auto begin = std::find_if(at, text.end(), is_of_word);
      at = std::find_if_not(begin, text.end(), is_of_word);
      if (begin != at) words.emplace(begin, at);
    }
  }
  return words;
}

isa::Dimensions dimensions(const std::vector<Formula>& axes, const FormulaNames& names) {
  isa::Dimensions sizes{1, 1, 1};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) sizes[axis] = axes[axis].whole(names, 1);
  return sizes;
}

/// Letters, in lower case, and digits: "rtx2080ti" of "RTX 2080 Ti".
std::string plain(const std::string& text) {
  std::string left;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      left += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return left;
}

/// A flag with the values of its formulas.
std::string with_values(const std::string& flag, const FormulaNames& names) {
  std::string text;
  for (std::size_t at = 0; at < flag.size();) {
    const auto open = flag.find('{', at), close = flag.find('}', open == std::string::npos ? at : open);
    if (open == std::string::npos || close == std::string::npos) return text + flag.substr(at);
    text += flag.substr(at, open - at);
    text += to_string(Formula::parse(flag.substr(open + 1, close - open - 1)).evaluate(names));
    at = close + 1;
  }
  return text;
}

}  // namespace

std::vector<Configuration> configurations_of(const TuningSpace& space) {
  std::vector<Configuration> found;
  if (space.listed.empty()) {
    found = Combinations(space).all();
  } else {
    std::ranges::copy_if(space.listed, std::back_inserter(found), [&](const Configuration& one) {
      const auto names = names_at(space, one);
      return std::ranges::all_of(space.restrictions, [&](const Formula& restriction) {
        return in_place(space.file, [&] { return restriction.holds(names); });
      });
    });
  }
  if (found.empty())
    throw InputError(Diagnostic{space.file, "the restrictions leave no configuration", "", "restrict less"});
  return found;
}

FormulaNames names_at(const TuningSpace& space, const Configuration& configuration) {
  auto names = space.constants;
  for (std::size_t i = 0; i < space.tunables.size(); ++i)
    names[space.tunables[i].name] = space.tunables[i].values[configuration.values[i]];
  return names;
}

std::string show(const TuningSpace& space, const Configuration& configuration) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < space.tunables.size(); ++i)
    texts.push_back(
        fmt::format("{}={}", space.tunables[i].name, to_string(space.tunables[i].values[configuration.values[i]])));
  return fmt::format("{}", fmt::join(texts, ", "));
}

TunedLaunch launch_of(const TuningSpace& space, const Configuration& configuration) {
  const auto names = names_at(space, configuration);
  TunedLaunch launch;
  for (const auto& [name, formula] : space.macros)
    launch.flags.push_back(fmt::format(
        "-D{}={}", name, to_string(in_place(name, [&, &value = formula] { return value.evaluate(names); }))));
  for (const auto& flag : space.flags)
    launch.flags.push_back(in_place("compiler_flags", [&] { return with_values(flag, names); }));
  launch.block = configuration.block;
  launch.grid = configuration.grid;
  if (!space.block.empty()) launch.block = in_place("block", [&] { return dimensions(space.block, names); });
  if (!space.grid.empty()) launch.grid = in_place("grid", [&] { return dimensions(space.grid, names); });
  if (space.dynamic_shared_memory)
    launch.dynamic_shared_memory =
        in_place("dynamic_shared_memory", [&] { return space.dynamic_shared_memory->whole(names, 0); });
  for (const auto& [name, formula] : space.arguments)
    launch.arguments[name] =
        in_place("arguments: " + name, [&, &value = formula] { return to_string(value.evaluate(names)); });
  return launch;
}

const MeasuredTimes* times_on(const TuningSpace& space, const std::string& name, const std::string& title,
                              bool is_only) {
  if (is_only && space.measured.size() == 1) return &space.measured.front();
  for (const auto& times : space.measured) {
    const auto called = plain(times.device);
    if (!called.empty() && (called.ends_with(plain(name)) || plain(title).starts_with(called))) return &times;
  }
  return nullptr;
}

void choose_macros(TuningSpace& space, const std::vector<TextFile>& files) {
  if (!space.macros.empty()) return;
  const auto words = words_of(files);
  for (const auto& [name, values] : space.tunables)
    if (words.contains(name)) space.macros.emplace(name, Formula::parse(name));
  // As Kernel Tuner does, for sources that ask whether it compiles them.
  if (words.contains("kernel_tuner") && space.form.starts_with("Kernel Tuner")) space.macros.emplace("kernel_tuner", 1);
}

}  // namespace warpipe
