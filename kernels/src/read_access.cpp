#include "read_access.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/place.hpp"

namespace warpipe {
namespace {

/// The keys for the lanes' addresses, each in its own form; an access has exactly one.
constexpr std::array kForms{"stride_bytes", "pattern", "lane_offsets_bytes", "address", "addresses"};

bool is_in_array(std::string_view form) { return form == "address" || form == "addresses"; }

class AccessReader {
 public:
  AccessReader(const JsonNode& node, const BodyContext& context) : node_(node), context_(context) {}

  AccessPattern read() {
    AccessPattern access;
    if (!node_.allow_keys({"width_bytes", "stride_bytes", "pattern", "lane_offsets_bytes", "array", "address",
                           "addresses", "executions_per_warp", "shift_bytes", "again_bytes", "fixed", "past_unit"}))
      return access;
    if (const auto width = node_.require("width_bytes")) access.width_bytes = whole(*width, 1);
    if (const auto past = node_.find("past_unit")) access.past_unit = past->boolean().value_or(false);
    const std::string form = only_form();
    if (form == "stride_bytes") access.lanes = AccessPattern::Strided{whole(*node_.find(form), -kLargestWhole)};
    if (form == "pattern") access.lanes = read_pattern();
    if (form == "lane_offsets_bytes") access.lanes = read_lane_offsets();
    if (form == "address") access.lanes = AccessPattern::Addressed{read_array(), read_address()};
    if (form == "addresses") access.lanes = read_samples();
    return access;
  }

 private:
  Expression whole(const JsonNode& node, std::int64_t least) const { return context_.expressions.whole(node, least); }

  /// @return the key for the lanes' addresses; empty where there is none, or several
  std::string only_form() const {
    std::vector<std::string> found;
    for (const char* form : kForms)
      if (node_.find(form)) found.emplace_back(form);
    if (found.size() != 1) {
      context_.file.fail(node_, fmt::format("an access must have exactly one of \"{}\"", fmt::join(kForms, "\", \"")),
                         found.empty() ? "found none" : fmt::format("found {}", found.size()),
                         found.empty() ? "add one of them" : "keep one of them");
      return "";
    }
    refuse_without(found.front(), "array", is_in_array(found.front()), "\"address\" and \"addresses\" are in an array");
    refuse_without(found.front(), "past_unit", is_in_array(found.front()), "caches see what is in an array");
    for (const char* key : {"executions_per_warp", "shift_bytes", "again_bytes", "fixed"})
      refuse_without(found.front(), key, found.front() == "addresses", "it is said of \"addresses\"");
    return found.front();
  }

  void refuse_without(const std::string& form, const char* key, bool has_use, const char* why) const {
    const auto node = node_.find(key);
    if (node && !has_use)
      context_.file.fail(*node, fmt::format("\"{}\" has no meaning beside \"{}\"", key, form), "",
                         fmt::format("remove it: {}", why));
  }

  AccessPattern::Broadcast read_pattern() const {
    const auto node = node_.find("pattern");
    if (const auto pattern = node->string(); pattern && *pattern != "broadcast")
      node->fail("the only named pattern is \"broadcast\"",
                 "write \"broadcast\", or \"stride_bytes\", \"lane_offsets_bytes\" or \"address\" instead");
    return {};
  }

  AccessPattern::PerLane read_lane_offsets() const {
    const auto node = node_.find("lane_offsets_bytes");
    AccessPattern::PerLane lanes;
    for (const JsonNode& offset : node->elements()) lanes.offsets_bytes.push_back(whole(offset, -kLargestWhole));
    if (node->is_array() && lanes.offsets_bytes.empty())
      context_.file.fail(*node, "the list of offsets is empty", "", "write one for each lane");
    return lanes;
  }

  std::size_t read_array() const {
    const auto node = node_.require("array");
    const auto name = node ? node->string() : std::nullopt;
    if (!name) return 0;
    const auto& arrays = context_.names.arrays;
    const auto found = std::ranges::find(arrays, *name);
    if (found != arrays.end()) return static_cast<std::size_t>(found - arrays.begin());
    context_.file.fail(*node, fmt::format("no array \"{}\" in this file", *name), "",
                       arrays.empty() ? "say how large it is under \"arrays\"" : suggest(*name, arrays));
    return 0;
  }

  /// Every visible name of an address must be unique.
  Expression read_address() const {
    const auto node = node_.find("address");
    const auto of_body = context_.expressions.visible();
    std::vector<std::string> visible(of_body.begin(), of_body.end());
    const auto add = [&](const std::string& name, const char* what) {
      if (std::ranges::find(visible, name) != visible.end())
        context_.file.fail(*node,
                           fmt::format("an address would see two meanings of \"{}\": {} has the name, too", name, what),
                           "", "rename the parameter, the value of the kinds or the loop");
      visible.push_back(name);
    };
    for (const std::string& name : place_names()) add(name, "a place of the launch");
    for (const std::string& name : context_.loops) add(name, "a loop around it");
    return ExpressionReader(context_.file, visible).whole(*node, -kLargestWhole);
  }

  AccessPattern::Sampled read_samples() const {
    const auto node = node_.find("addresses");
    AccessPattern::Sampled sampled;
    sampled.array = read_array();
    for (const JsonNode& execution : node->elements()) sampled.executions.push_back(read_execution(execution));
    if (node->is_array() && sampled.executions.empty())
      context_.file.fail(*node, "the list of executions is empty", "", "write a list of addresses for each");
    const auto count = static_cast<std::int64_t>(sampled.executions.size());
    sampled.executions_per_warp = std::max<std::int64_t>(1, count);
    if (const auto shift = node_.find("shift_bytes")) sampled.shift_bytes = shift->whole(0).value_or(0);
    if (const auto again = node_.find("again_bytes")) sampled.again_bytes = again->whole(0).value_or(0);
    if (const auto fixed = node_.find("fixed"))
      for (const JsonNode& execution : fixed->elements()) sampled.fixed.push_back(execution.whole(0).value_or(0));
    std::ranges::sort(sampled.fixed);
    if (const auto per_warp = node_.find("executions_per_warp")) {
      sampled.executions_per_warp = per_warp->whole(1).value_or(1);
      if (count % sampled.executions_per_warp != 0)
        per_warp->fail(fmt::format("the {} executions must be those of whole warps", count));
    }
    return sampled;
  }

  static std::vector<std::int64_t> read_execution(const JsonNode& node) {
    std::vector<std::int64_t> lanes;
    for (const JsonNode& lane : node.elements())
      lanes.push_back(lane.is_null() ? AccessPattern::kNotActive : lane.whole(0).value_or(0));
    if (node.is_array() && lanes.empty()) node.fail("an execution must have an address for each lane");
    return lanes;
  }

  const JsonNode& node_;
  const BodyContext& context_;
};

}  // namespace

AccessPattern read_access(const JsonNode& node, const BodyContext& context) {
  return AccessReader(node, context).read();
}

}  // namespace warpipe
