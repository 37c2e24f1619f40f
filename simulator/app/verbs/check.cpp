#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "command_line/compiler.hpp"
#include "command_line/imported_kernel.hpp"
#include "command_line/options.hpp"
#include "terminal/messages.hpp"
#include "terminal/output.hpp"
#include "verbs/verbs.hpp"
#include "warpipe/code/module.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/idle_waits.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/kernel_numbers.hpp"
#include "warpipe/idg/place.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe::app {
namespace {

/// Evaluates the expressions of a kernel with the values of its file, as far as they are known without a device.
/// Expressions that use `warps` or `warp`, and bodies that may not run, are left out.
class Checker {
 public:
  explicit Checker(const Kernel& kernel)
      : kernel_(kernel), values_(kernel.parameters.begin(), kernel.parameters.end()) {}

  std::vector<Diagnostic> run() {
    launch();
    items(kernel_.body);
    return std::move(problems_);
  }

 private:
  bool is_known_in_body(const Expression& expression) const {
    constexpr std::array<std::string_view, 4> kSetLater{"group_size", "groups", "warps", "warp"};
    for (const auto name : kSetLater) {
      if (expression.uses(name) && !values_.contains(name)) return false;
    }
    const auto is_used = [&](const std::string& name) { return expression.uses(name); };
    return std::ranges::none_of(names_of_kinds(kernel_.kinds), is_used);
  }

  bool is_known(const Expression& expression) const {
    return is_known_in_body(expression) && !(kernel_.kinds && expression.uses("group"));
  }

  void add(const std::string& where, const Error& error) {
    for (auto problem : error.diagnostics()) {
      problem.where = fmt::format("{}: {}", kernel_.file, where);
      problem.problem += " with the values of the file";
      problems_.push_back(std::move(problem));
    }
  }

  /// @return the value; nothing if it is not known without a device, or wrong
  std::optional<double> value(const Expression& expression, const std::string& where) {
    if (!is_known(expression)) return std::nullopt;
    try {
      return expression.evaluate(values_);
    } catch (const Error& error) {
      add(where, error);
      return std::nullopt;
    }
  }

  std::optional<std::int64_t> whole(const std::optional<Expression>& expression, std::int64_t least,
                                    const std::string& where) {
    if (!expression || !is_known(*expression)) return std::nullopt;
    return whole_of(*expression, least, where);
  }

  std::optional<std::int64_t> whole_of(const Expression& expression, std::int64_t least, const std::string& where) {
    try {
      return expression.evaluate_whole(values_, least);
    } catch (const Error& error) {
      add(where, error);
      return std::nullopt;
    }
  }

  void launch() {
    const auto& launch = kernel_.launch;
    const auto& resources = kernel_.resources;
    if (const auto size = whole(launch.group_size, 1, "/launch/group_size")) {
      values_["group_size"] = static_cast<double>(*size);
    }
    const auto groups = whole(launch.groups, 1, "/launch/groups");
    whole(launch.concurrent_groups, 1, "/launch/concurrent_groups");
    whole(resources.registers_per_thread, 0, "/resources/registers_per_thread");
    whole(resources.shared_memory_per_group, 0, "/resources/shared_memory_per_group");
    for (std::size_t i = 0; i < launch.block.size(); ++i) whole(launch.block[i], 1, fmt::format("/launch/block/{}", i));
    for (std::size_t i = 0; i < launch.grid.size(); ++i) whole(launch.grid[i], 1, fmt::format("/launch/grid/{}", i));
    if (groups) values_["groups"] = static_cast<double>(*groups);
    for (const Array& array : kernel_.arrays) whole(array.bytes, 1, fmt::format("/arrays/{}/bytes", array.name));
    if (kernel_.work.flops) value(*kernel_.work.flops, "/work/flops");
    if (kernel_.work.bytes) value(*kernel_.work.bytes, "/work/bytes");
    if (kernel_.work.compulsory_bytes) value(*kernel_.work.compulsory_bytes, "/work/compulsory_bytes");
    values_.erase("groups");
  }

  void items(const std::vector<Item>& body) {
    for (const auto& item : body) {
      if (const auto* index = std::get_if<std::size_t>(&item.node)) instruction(kernel_.instructions[*index]);
      if (const auto* loop = std::get_if<Loop>(&item.node)) {
        if (whole(loop->trip_count, 0, loop->where + "/trip_count").value_or(0) > 0) items(loop->body);
      }
      if (const auto* when = std::get_if<When>(&item.node)) {
        if (value(when->condition, when->where + "/when").value_or(0) != 0) items(when->body);
      }
    }
  }

  void instruction(const Instruction& instruction) {
    for_each_number(instruction, [&](const KernelNumber& number) {
      if (number.is_address)
        address(number);
      else if (number.least)
        whole(number.expression, *number.least, number.where());
      else
        value(number.expression, number.where());
    });
  }

  /// The first thread's, before any loop has gone round.
  void address(const KernelNumber& number) {
    if (!is_known_in_body(number.expression)) return;
    const Values of_body = values_;
    for (const std::string& name : number.expression.names()) values_.try_emplace(name, 0);  // counters of loops
    set_group(values_, {}, 0);
    set_thread(values_, {}, 0, 0);
    whole_of(number.expression, *number.least, number.where());
    values_ = of_body;
  }

  const Kernel& kernel_;
  Values values_;
  std::vector<Diagnostic> problems_;
};

std::string format_of(const std::string& text, const std::string& file) {
  Diagnostics set_aside;  // The reader of the format reports them again.
  const JsonDocument document(text, file, set_aside);
  const auto format = document.root().find("format");
  return format && format->is_string() ? *format->string() : std::string();
}

std::string entries_text(const code::Module& module) {
  std::vector<std::string> symbols;
  for (const auto& entry : module.entries()) symbols.push_back(entry.symbol);
  return fmt::format("{} with {}", module.language(), fmt::join(symbols, ", "));
}

/// @return "kernel saxpy"; for PTX, its entries
/// @throws InputError with every problem of the file
std::string check_file(const std::string& path, const Arguments& arguments) {
  const auto input = is_source(path) ? compile(path, arguments, nullptr) : read_kernel_input(path);
  const auto& file = input.name;
  const auto& text = input.text;
  if (is_code(input)) return entries_text(code::read_module(text, file));
  const auto format = format_of(text, file);
  if (format == "warpipe-device") return "device " + read_device_json(text, file).name;
  if (format != "warpipe-kernel") {
    throw InputError(Diagnostic{
        file + ": /format",
        format.empty() ? "the format is missing" : fmt::format("the format \"{}\" cannot be checked", format), "",
        "\"warpipe-kernel\" and \"warpipe-device\" can"});
  }
  const auto kernel = read_kernel_json(text, file);
  if (auto problems = Checker(kernel).run(); !problems.empty()) throw InputError(std::move(problems));
  for (const auto& warning : idle_waits(kernel)) warn(read_voice(arguments), warning);
  return "kernel " + kernel.name;
}

void write_problems(const std::vector<Diagnostic>& problems, JsonWriter& json) {
  json.key("problems").begin_array();
  for (const auto& [where, problem, found, advice] : problems)
    json.begin_object()
        .member("where", where)
        .member("problem", problem)
        .member("found", found)
        .member("advice", advice)
        .end_object();
  json.end_array();
}

ExitStatus run_check(const Arguments& arguments) {
  if (arguments.positional().empty()) refuse("FILE", "this argument is missing", "", "give at least one file");
  const auto sources = std::ranges::count_if(arguments.positional(), is_source);
  if (sources == 0) check_compiler_options(arguments, arguments.positional().front());
  if (sources > 1 && arguments.has("keep"))
    refuse("--keep", "several compilations cannot be kept in one file", "", "check one file at a time");
  const Output output(arguments.value("json").value_or(""));
  Diagnostics problems;
  std::string good;
  JsonWriter json;
  json.begin_object().member("format", "warpipe-check").member("version", std::int64_t{1}).key("files").begin_array();
  for (const auto& path : arguments.positional()) {
    json.begin_object().member("file", path);
    std::vector<Diagnostic> of_file;
    try {
      const auto what = check_file(path, arguments);
      good += printable(fmt::format("{}: {}: ok", path, what)) + "\n";
      json.member("is", what);
    } catch (const InputError& error) {
      of_file = error.diagnostics();
    }
    write_problems(of_file, json);
    json.end_object();
    for (auto& problem : of_file) problems.add(std::move(problem));
  }
  json.end_array().end_object();
  arguments.has("json") ? output.write(json.text()) : output.show(good);
  problems.throw_if_any();
  return ExitStatus::Done;
}

}  // namespace

Verb check_verb() { return {"check", "FILE...", "every problem in kernel, device, code or source files", run_check}; }

}  // namespace warpipe::app
