#include "read_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace warpipe {
namespace {

constexpr double kAnyNumber = std::numeric_limits<double>::infinity();

class KindsReader {
 public:
  KindsReader(const FileContext& file, const std::vector<std::string>& parameters)
      : file_(file), parameters_(parameters) {}

  GroupKinds read(const JsonNode& node) {
    if (!node.allow_keys({"of_group", "values", "uncertain"})) return {};
    if (const auto values = node.find("values"))
      for (const auto& [name, column] : values->members()) read_column(name, column);
    if (const auto of_group = node.require("of_group")) read_of_group(*of_group);
    if (const auto uncertain = node.find("uncertain")) kinds_.uncertain = uncertain->number(0, kAnyNumber).value_or(0);
    return std::move(kinds_);
  }

 private:
  void read_column(const std::string& name, const JsonNode& node) {
    check_name(file_, node, "a value of the kinds", name);
    const bool is_taken =
        name == "kind" || name == "group" || std::ranges::find(parameters_, name) != parameters_.end();
    if (is_taken)
      file_.fail(node, fmt::format("the name \"{}\" is taken", name), "",
                 "rename it: \"kind\", \"group\" and the parameters have names already");
    GroupKinds::Column column;
    for (const JsonNode& of_kind : node.elements()) column.push_back(read_numbers(of_kind));
    if (node.is_array() && column.empty())
      file_.fail(node, "the list of values is empty", "", "add a number for each kind");
    if (kinds_.values.empty()) count_ = column.size();
    if (column.size() != count_)
      file_.fail(node, "every value must be given for the same number of kinds",
                 fmt::format("found {} numbers after {} of another value", column.size(), count_),
                 "give one for each kind");
    kinds_.values.emplace(name, std::move(column));
  }

  std::vector<double> read_numbers(const JsonNode& node) const {
    if (!node.is_array()) return {node.number(-kAnyNumber, kAnyNumber).value_or(0)};
    std::vector<double> of_warps;
    for (const JsonNode& of_warp : node.elements())
      of_warps.push_back(of_warp.number(-kAnyNumber, kAnyNumber).value_or(0));
    if (of_warps.empty()) file_.fail(node, "the list of numbers is empty", "", "add one for each warp");
    return of_warps;
  }

  void read_of_group(const JsonNode& node) {
    if (!node.is_array()) {
      std::vector<std::string> visible = parameters_;
      for (const char* name : {"group_size", "warps", "groups", "group"}) visible.emplace_back(name);
      kinds_.of_group = ExpressionReader(file_, visible).whole(node, 0);
      return;
    }
    std::vector<GroupKinds::Run> runs;
    for (const JsonNode& run : node.elements()) runs.push_back(read_run(run));
    if (runs.empty()) file_.fail(node, "the list of runs is empty", "", "write [[KIND, GROUPS], ...]");
    kinds_.of_group = std::move(runs);
  }

  GroupKinds::Run read_run(const JsonNode& node) const {
    const std::vector<JsonNode> pair = node.elements();
    if (!node.is_array()) return {};
    if (pair.size() != 2) {
      node.fail("a run of groups must be a kind and a number of groups", "write [KIND, GROUPS]");
      return {};
    }
    const GroupKinds::Run run{pair[0].whole(0).value_or(0), pair[1].whole(1).value_or(1)};
    if (!kinds_.values.empty() && run.kind >= static_cast<std::int64_t>(count_))
      pair[0].fail(fmt::format("a kind must be from 0 to {}, for which there are values", count_ - 1));
    return run;
  }

  const FileContext& file_;
  const std::vector<std::string>& parameters_;
  GroupKinds kinds_;
  std::size_t count_ = 0;  ///< of kinds, as the values have it
};

}  // namespace

std::optional<GroupKinds> read_kinds(const JsonNode& root, const FileContext& file,
                                     const std::vector<std::string>& parameters) {
  const auto node = root.find("kinds");
  if (!node) return std::nullopt;
  return KindsReader(file, parameters).read(*node);
}

}  // namespace warpipe
