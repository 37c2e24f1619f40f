#include "cuda_cases.hpp"
#include "support/folders.hpp"

#include <fmt/format.h>

#include <cctype>
#include <sstream>
#include <stdexcept>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

constexpr double kAny = 1e18;

std::string text_of(const JsonNode& node, const char* key) { return node.require(key).value().string().value(); }

double number_of(const JsonNode& node, const char* key) {
  const auto found = node.find(key);
  return found ? found->number(0, kAny).value() : 0;
}

ptx::Dimensions sizes_of(const JsonNode& node, const char* key) {
  const auto elements = node.require(key).value().elements();
  return {elements.at(0).whole(1).value(), elements.at(1).whole(1).value(), elements.at(2).whole(1).value()};
}

void read_arguments(const JsonNode& node, CudaCase& one) {
  for (const auto& argument : node.elements()) {
    const auto name = text_of(argument, "name");
    one.options.parameter_names.push_back(name);
    if (argument.find("value")) one.options.launch.arguments[name] = fmt::format("{}", number_of(argument, "value"));
  }
}

/// Adds a case's data, given in words, to the options of its import.
void say_data(CudaCase& one, const std::string& data) {
  if (one.entry == "histogram") one.options.launch.arrays["data"].uniform = 256;
  // The branch jumps over the exchange.
  if (one.entry == "bitonic_step")
    one.options.launch.taken["L__BB0_3"] = data.find("every pair") != std::string::npos ? 0 : 1;
}

CudaCase read_case(const JsonNode& node) {
  CudaCase one;
  one.name = text_of(node, "name");
  one.file = text_of(node, "file");
  one.entry = text_of(node, "entry");
  one.options.entry = one.entry;
  one.options.launch.block = sizes_of(node, "block");
  one.options.launch.grid = sizes_of(node, "grid");
  one.options.launch.dynamic_shared_memory = static_cast<std::int64_t>(number_of(node, "dynamic_shared_memory"));
  read_arguments(node.require("arguments").value(), one);
  const auto data = node.find("data");
  say_data(one, data ? data->string().value() : "");
  for (const auto& [op, count] : node.require("counts").value().members())
    one.counts[op] = count.number(0, kAny).value();
  if (const auto accesses = node.find("accesses"))
    for (const auto& access : accesses->elements())
      one.accesses.push_back({text_of(access, "op"), text_of(access, "text"), number_of(access, "executions"),
                              number_of(access, "transactions"), number_of(access, "conflict_degrees")});
  if (const auto others = node.find("not_with"))
    for (const auto& op : others->require("clang14").value().require("classes").value().elements())
      one.not_with_clang.insert(op.string().value());
  if (const auto warps = node.find("active_warps"))
    for (const auto& count : warps->elements()) one.active_warps.push_back(count.number(0, kAny).value());
  return one;
}

}  // namespace

const std::vector<CudaCase>& cuda_cases() {
  static const std::vector<CudaCase> cases = [] {
    Diagnostics diagnostics;
    const JsonDocument document(read_text_file(in_sources("tests/kernels/ptx/expected_counts.json")),
                                "expected_counts.json", diagnostics);
    std::vector<CudaCase> all;
    for (const auto& node : document.root().require("cases").value().elements()) all.push_back(read_case(node));
    diagnostics.throw_if_any();
    return all;
  }();
  return cases;
}

const CudaCase& cuda_case(const std::string& name) {
  for (const auto& one : cuda_cases())
    if (one.name == name) return one;
  throw std::out_of_range(name);
}

const ptx::Module& cuda_module(const std::string& architecture, const std::string& file) {
  static std::map<std::string, ptx::Module> modules;
  const auto path = architecture == "clang14"
                        ? in_sources(fmt::format("tests/kernels/ptx/clang14/{}.ptx", file))
                        : in_sources(fmt::format("kernels/cuda/ptx/{}/{}.ptx", architecture, file));
  const auto found = modules.find(path);
  if (found != modules.end()) return found->second;
  return modules.emplace(path, ptx::read_ptx(read_text_file(path), path)).first->second;
}

std::vector<std::string> lines_with(const std::string& file, const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(read_text_file(in_sources(fmt::format("kernels/cuda/{}.cu", file))));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find(text) != std::string::npos) found.push_back(fmt::format("{}.cu:{}", file, number));
  }
  return found;
}

void PrintTo(const CudaCase& one, std::ostream* stream) { *stream << one.name; }

}  // namespace warpipe::test
