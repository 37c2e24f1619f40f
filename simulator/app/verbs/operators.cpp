#include "verbs/operators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "command_line/arguments.hpp"
#include "warpipe/idg/nearest_name.hpp"

namespace warpipe::app {
namespace {

/// A size that an operator takes.
struct Size {
  const char* name;
  std::optional<double> otherwise;  ///< the default; empty if the size must be given
  double least = 1;
  bool whole = true;
};

struct Operator {
  const char* name;
  std::vector<Size> sizes;
  OperatorCost (*cost)(const Sizes& sizes, double element_bytes);
};

OperatorCost matmul(const Sizes& of, double element_bytes) {
  return cost_of(MatrixMultiply{of.at("m"), of.at("n"), of.at("k"), of.at("batch"), element_bytes, of.at("reread_a"),
                                of.at("reread_b")});
}

/// @param direction  "height" or "width": its own sizes go before those for both
ConvolutionAxis axis(const Sizes& of, const std::string& direction) {
  const auto size = [&](const std::string& name) {
    const double own = of.at(name + "_" + direction);
    return static_cast<std::int64_t>(own >= 0 ? own : of.at(name));
  };
  return {static_cast<std::int64_t>(of.at(direction)), size("kernel"), size("stride"), size("padding"),
          size("dilation")};
}

OperatorCost convolution(const Sizes& of, double element_bytes) {
  const auto whole = [&](const char* name) { return static_cast<std::int64_t>(of.at(name)); };
  Convolution layer;
  layer.batch = whole("batch");
  layer.channels = whole("channels");
  layer.filters = whole("filters");
  layer.groups = whole("groups");
  if (layer.channels % layer.groups != 0 || layer.filters % layer.groups != 0)
    refuse("--size groups", "groups divide the channels and the filters",
           fmt::format("found {} groups, {} channels, {} filters", layer.groups, layer.channels, layer.filters));
  layer.height = axis(of, "height");
  layer.width = axis(of, "width");
  layer.element_bytes = element_bytes;
  layer.reread_input = of.at("reread_input");
  layer.reread_weights = of.at("reread_weights");
  if (output_size(layer.height) == 0 || output_size(layer.width) == 0)
    refuse("--size kernel", "the kernel fits into the padded input", "found a larger one", "give more padding");
  return cost_of(layer);
}

OperatorCost element_wise(const Sizes& of, double element_bytes) {
  return cost_of(ElementWise{of.at("elements"), of.at("inputs"), of.at("outputs"), of.at("operations"), element_bytes});
}

OperatorCost reduction(const Sizes& of, double element_bytes) {
  if (of.at("results") > of.at("elements"))
    refuse("--size results", "a reduction has no more results than elements",
           fmt::format("found {} of {}", of.at("results"), of.at("elements")));
  return cost_of(Reduction{of.at("elements"), of.at("results"), of.at("operations"), element_bytes});
}

constexpr double kAsForBoth = -1;

/// A size of a convolution for both directions, and for each of them.
void add_directed(std::vector<Size>& sizes, const char* name, const char* of_height, const char* of_width,
                  std::optional<double> otherwise, double least) {
  sizes.push_back({name, otherwise, least});
  sizes.push_back({of_height, kAsForBoth, least});
  sizes.push_back({of_width, kAsForBoth, least});
}

std::vector<Size> convolution_sizes() {
  std::vector<Size> sizes{{"batch", 1},   {"channels", {}}, {"filters", {}},
                          {"height", {}}, {"width", {}},    {"groups", 1}};
  add_directed(sizes, "kernel", "kernel_height", "kernel_width", 1, 1);
  add_directed(sizes, "stride", "stride_height", "stride_width", 1, 1);
  add_directed(sizes, "padding", "padding_height", "padding_width", 0, 0);
  add_directed(sizes, "dilation", "dilation_height", "dilation_width", 1, 1);
  sizes.push_back({"reread_input", 1, 1, false});
  sizes.push_back({"reread_weights", 1, 1, false});
  return sizes;
}

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all{
      {"matmul",
       {{"m", {}}, {"n", {}}, {"k", {}}, {"batch", 1}, {"reread_a", 1, 1, false}, {"reread_b", 1, 1, false}},
       matmul},
      {"convolution", convolution_sizes(), convolution},
      {"elementwise",
       {{"elements", {}}, {"inputs", 1, 0}, {"outputs", 1, 0}, {"operations", 1, 0, false}},
       element_wise},
      {"reduction", {{"elements", {}}, {"results", 1}, {"operations", 1, 0, false}}, reduction}};
  return all;
}

const Operator& find(const std::string& name) {
  const auto found = std::ranges::find(operators(), name, &Operator::name);
  if (found == operators().end()) refuse("\"" + name + "\"", "unknown operator", "", suggest(name, operator_names()));
  return *found;
}

void read_size(const Operator& of, const std::string& text, Sizes& given) {
  const auto equals = text.find('=');
  const auto name = text.substr(0, equals);
  const auto size = std::ranges::find_if(of.sizes, [&](const Size& each) { return each.name == name; });
  if (size == of.sizes.end()) {
    std::vector<std::string> names;
    for (const Size& each : of.sizes) names.emplace_back(each.name);
    refuse("--size", fmt::format("no size \"{}\" in {}", name, of.name), "", suggest(name, names));
  }
  const auto value = equals == std::string::npos ? std::string() : text.substr(equals + 1);
  const auto option = "--size " + name;
  const double number = size->whole
                            ? static_cast<double>(read_whole(option, value, static_cast<std::int64_t>(size->least)))
                            : read_number(option, value, size->least, std::numeric_limits<double>::max());
  if (!given.emplace(name, number).second) refuse(option, "the name is given twice");
}

}  // namespace

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const Operator& each : operators()) names.emplace_back(each.name);
  return names;
}

OperatorCost cost_of(const std::string& name, const std::vector<std::string>& sizes, double element_bytes) {
  const Operator& of = find(name);
  Sizes given;
  for (const auto& text : sizes) read_size(of, text, given);
  for (const Size& size : of.sizes) {
    if (given.contains(size.name)) continue;
    if (!size.otherwise)
      refuse("--size " + std::string(size.name), fmt::format("{} needs this size", of.name), "",
             fmt::format("give --size {}=N", size.name));
    given.emplace(size.name, *size.otherwise);
  }
  return of.cost(given, element_bytes);
}

std::string operator_help() {
  std::string text;
  for (const Operator& of : operators()) {
    std::string line = fmt::format("  {:<12}", of.name);
    for (const Size& size : of.sizes) {
      const std::string word = size.otherwise && *size.otherwise != kAsForBoth
                                   ? fmt::format(" [{}={}]", size.name, *size.otherwise)
                               : size.otherwise ? fmt::format(" [{}]", size.name)
                                                : fmt::format(" {}", size.name);
      if (line.size() + word.size() > 98) {
        text += line + "\n";
        line = std::string(14, ' ');
      }
      line += word;
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace warpipe::app
