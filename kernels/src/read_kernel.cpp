#include "warpipe/kernels/read_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "read_body.hpp"
#include "read_kinds.hpp"

namespace warpipe {
namespace {

using Names = std::vector<std::string>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Names with(Names names, std::initializer_list<const char*> more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

std::string read_text(const JsonNode& root, std::string_view key) {
  const auto node = root.find(key);
  return node ? node->string().value_or("") : "";
}

std::string read_kernel_name(const JsonNode& root) {
  const auto node = root.require("name");
  if (!node) return "";
  std::string name = node->string().value_or("");
  if (node->is_string() && name.empty()) node->fail("the name of a kernel must not be empty");
  return name;
}

Names read_parameters(const JsonNode& root, const FileContext& file, Kernel& kernel) {
  Names names;
  const auto parameters = root.find("parameters");
  if (!parameters) return names;
  for (const auto& [name, value] : parameters->members()) {
    check_name(file, value, "a parameter", name);
    kernel.parameters.emplace(name, value.number(-kInfinity, kInfinity).value_or(0));
    names.push_back(name);
  }
  return names;
}

std::optional<Expression> read_whole(const JsonNode& object, std::string_view key, std::int64_t least,
                                     const ExpressionReader& expressions) {
  const auto node = object.find(key);
  if (!node) return std::nullopt;
  return expressions.whole(*node, least);
}

std::optional<Expression> read_amount(const JsonNode& object, std::string_view key,
                                      const ExpressionReader& expressions) {
  const auto node = object.find(key);
  if (!node) return std::nullopt;
  return expressions.number(*node, 0);
}

/// Sizes along x, y and z, as many as there are.
std::vector<Expression> read_sizes(const JsonNode& object, std::string_view key, const ExpressionReader& expressions) {
  std::vector<Expression> sizes;
  const auto node = object.find(key);
  if (!node) return sizes;
  for (const JsonNode& size : node->elements()) sizes.push_back(expressions.whole(size, 1));
  if (node->is_array() && (sizes.empty() || sizes.size() > 3))
    node->fail("one to three sizes are expected, along x, y and z");
  return sizes;
}

void read_launch(const JsonNode& root, const FileContext& file, const Names& parameters, Kernel& kernel) {
  const auto launch = root.find("launch");
  if (!launch || !launch->allow_keys({"group_size", "groups", "concurrent_groups", "block", "grid"})) return;
  const Names grid = with(parameters, {"group_size", "warps"});
  const ExpressionReader of_parameters(file, parameters);
  const ExpressionReader of_group(file, grid);
  kernel.launch.group_size = read_whole(*launch, "group_size", 1, of_parameters);
  kernel.launch.groups = read_whole(*launch, "groups", 1, of_group);
  kernel.launch.concurrent_groups = read_whole(*launch, "concurrent_groups", 1, of_group);
  kernel.launch.block = read_sizes(*launch, "block", of_group);
  kernel.launch.grid = read_sizes(*launch, "grid", of_group);
}

void read_resources(const JsonNode& root, const FileContext& file, const Names& parameters, Kernel& kernel) {
  const auto resources = root.find("resources");
  if (!resources || !resources->allow_keys({"registers_per_thread", "shared_memory_per_group"})) return;
  const Names visible = with(parameters, {"group_size", "warps"});
  const ExpressionReader expressions(file, visible);
  kernel.resources.registers_per_thread = read_whole(*resources, "registers_per_thread", 0, expressions);
  kernel.resources.shared_memory_per_group = read_whole(*resources, "shared_memory_per_group", 0, expressions);
}

void read_work(const JsonNode& root, const FileContext& file, const Names& parameters, Kernel& kernel) {
  const auto work = root.find("work");
  if (!work || !work->allow_keys({"flops", "bytes", "compulsory_bytes"})) return;
  const Names visible = with(parameters, {"group_size", "warps", "groups"});
  const ExpressionReader expressions(file, visible);
  kernel.work.flops = read_amount(*work, "flops", expressions);
  kernel.work.bytes = read_amount(*work, "bytes", expressions);
  kernel.work.compulsory_bytes = read_amount(*work, "compulsory_bytes", expressions);
}

/// @return their names
Names read_arrays(const JsonNode& root, const FileContext& file, const Names& parameters, Kernel& kernel) {
  Names names;
  const auto arrays = root.find("arrays");
  if (!arrays) return names;
  const Names visible = with(parameters, {"group_size", "warps", "groups"});
  const ExpressionReader expressions(file, visible);
  for (const auto& [name, node] : arrays->members()) {
    if (!is_name(name))
      file.fail(node, fmt::format("\"{}\" cannot be the name of an array", name), "",
                "use letters, digits and _, without a digit at the start");
    names.push_back(name);
    Array& array = kernel.arrays.emplace_back(Array{name, Expression(1)});
    if (!node.allow_keys({"bytes", "thread_private"})) continue;
    if (const auto bytes = node.require("bytes")) array.bytes = expressions.whole(*bytes, 1);
    if (const auto is_private = node.find("thread_private"))
      array.thread_private = is_private->boolean().value_or(false);
  }
  return names;
}

/// @return their names
Names read_signals(const JsonNode& root, const FileContext& file, const Names& parameters, Kernel& kernel) {
  Names names;
  const auto signals = root.find("signals");
  if (!signals) return names;
  const Names visible = with(parameters, {"group_size", "warps"});
  const ExpressionReader expressions(file, visible);
  for (const auto& [name, node] : signals->members()) {
    check_name(file, node, "a signal", name);
    names.push_back(name);
    Signal& signal = kernel.signals.emplace_back(Signal{name, Expression(1), Expression(0), node.path()});
    if (!node.allow_keys({"arrivals", "open"})) continue;
    if (const auto arrivals = node.require("arrivals")) signal.arrivals = expressions.whole(*arrivals, 1);
    if (const auto open = node.find("open")) signal.open = expressions.whole(*open, 0);
  }
  return names;
}

std::optional<Policy> read_policy(const JsonNode& root) {
  const auto node = root.find("policy");
  const auto name = node ? node->string() : std::nullopt;
  if (!name) return std::nullopt;
  if (const auto policy = parse_policy(*name)) return policy;
  std::vector<std::string_view> names;
  for (const PolicyRow& row : kPolicies) names.push_back(row.name);
  node->fail("no policy has this name", fmt::format("one of: {}", fmt::join(names, ", ")));
  return std::nullopt;
}

/// Reads the sizes for which counts hold.
void read_counted_for(const JsonNode& root, Kernel& kernel) {
  const auto sizes = root.find("counted_for");
  if (!sizes || !sizes->allow_keys({"sector_bytes", "line_bytes", "banks", "bank_bytes"})) return;
  AccessSizes read;
  const auto put = [&](const char* key, std::int64_t& size) {
    if (const auto node = sizes->find(key)) size = node->whole(1).value_or(size);
  };
  put("sector_bytes", read.sector_bytes);
  put("line_bytes", read.line_bytes);
  put("banks", read.banks);
  put("bank_bytes", read.bank_bytes);
  kernel.counted_for = read;
}

void read_graph(const JsonNode& root, const FileContext& file, const Names& parameters, Kernel& kernel) {
  const auto body = root.require("body");
  if (!body) return;
  Names visible = with(parameters, {"group_size", "warps", "warp"});
  std::ranges::move(names_of_kinds(kernel.kinds), std::back_inserter(visible));
  const DeclaredNames names =
      collect_names(*body, read_arrays(root, file, parameters, kernel), read_signals(root, file, parameters, kernel));
  const BodyContext context{file, names, ExpressionReader(file, visible)};
  kernel.body = read_body(*body, context, kernel.instructions);
}

}  // namespace

Kernel read_kernel_json(std::string_view text, const std::string& file) {
  Diagnostics diagnostics;
  const JsonDocument document(text, file, diagnostics);
  const FileContext context{file, diagnostics};
  Kernel kernel;
  kernel.file = file;
  if (document.expect_format("warpipe-kernel", 1)) {
    const JsonNode root = document.root();
    root.allow_keys({"$schema", "format", "version", "name", "description", "origin", "form", "policy", "parameters",
                     "launch", "resources", "work", "arrays", "signals", "counted_for", "kinds", "body"});
    kernel.name = read_kernel_name(root);
    kernel.description = read_text(root, "description");
    kernel.origin = read_text(root, "origin");
    kernel.form = read_text(root, "form");
    kernel.policy = read_policy(root);
    const Names parameters = read_parameters(root, context, kernel);
    read_launch(root, context, parameters, kernel);
    read_resources(root, context, parameters, kernel);
    read_work(root, context, parameters, kernel);
    read_counted_for(root, kernel);
    kernel.kinds = read_kinds(root, context, parameters);
    read_graph(root, context, parameters, kernel);
  }
  diagnostics.throw_if_any();
  return kernel;
}

}  // namespace warpipe
