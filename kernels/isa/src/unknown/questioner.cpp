#include "unknown/questioner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "flow/parameter_flow.hpp"
#include "unknown/defaults.hpp"
#include "unknown/retry_loops.hpp"

namespace warpipe::isa {
namespace {

using Kind = Assumption::Kind;

/// Advice with the options to answer a question, or a note on the lack of options.
std::string advice_of(const std::vector<std::string>& options) {
  if (options.empty()) return "no option gives it: this kernel cannot be imported";
  return fmt::format("give {}", fmt::join(options, ", or "));
}

std::string described(const Prepared& kernel, std::uint32_t index) {
  const auto& instruction = kernel.at(index);
  const auto place = source_of(kernel.input.program, index);
  return fmt::format("\"{}\" at line {}{}", instruction.name, instruction.line, place.empty() ? "" : ", from " + place);
}

std::vector<std::string> arrays_read_by(const Prepared& kernel, std::uint32_t load) {
  std::vector<std::string> labels;
  const auto& [program, definitions] = std::tie(kernel.input.program, kernel.input.definitions);
  const auto& access = *program.instructions[load].access;
  const auto& holds = kernel.parameters();
  auto parameters = parameters_in(program, access.base, load, definitions, holds);
  if (access.uniform_base) parameters.merge(parameters_in(program, *access.uniform_base, load, definitions, holds));
  for (const auto index : parameters)
    if (index >= program.parameters.size())
      labels.push_back(region_label(program.regions[index - program.parameters.size()]));
    else if (kernel.input.arguments[index].pointer)
      labels.push_back(parameter_label(program, index, kernel.input.names));
  return labels;
}

/// The parameters without a value that control or addresses need.
std::vector<std::size_t> missing_arguments(const Prepared& kernel) {
  const auto& program = kernel.input.program;
  std::vector<bool> missing(program.parameters.size(), false);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (!kernel.input.slice.needed[i]) continue;
    for (const auto* read : parameters_of(program.instructions[i]))
      if (read->index != kNoParameter && !kernel.input.arguments[read->index].bits)
        missing[read->index] = !is_structure(program.parameters[read->index]);
  }
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < missing.size(); ++i)
    if (missing[i]) indices.push_back(i);
  return indices;
}

/// Asks for all missing arguments.
Stop ask_for_arguments(const Prepared& kernel, const Diagnostic& question) {
  std::vector<Assumption> missing;
  const auto parameters = missing_arguments(kernel);
  auto guesses = default_arguments(kernel.input, parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto& found = guesses[i];
    missing.push_back({Kind::Argument, parameter_label(kernel.input.program, parameters[i], kernel.input.names),
                       std::move(found.value), std::move(found.why), std::move(found.others), 0, "", question});
  }
  return {Stop::Why::Unknown, UnknownData({question}, std::move(missing))};
}

/// The question about a load of a parameter.
OrStop<Diagnostic> question_about_parameter(const Prepared& kernel, std::uint32_t instruction, std::uint32_t load,
                                            const std::string& what, const std::vector<std::string>& options) {
  const auto& program = kernel.input.program;
  const auto read = parameters_of(program.instructions[load]);
  const auto lacks = std::ranges::find_if(read, [&](const Input* input) {
    return input->index == kNoParameter || !kernel.input.arguments[input->index].bits;
  });
  const auto index = (lacks == read.end() ? read.front() : *lacks)->index;
  if (index == kNoParameter)
    return kernel.problem(instruction, what + " needs a parameter that is read through a register",
                          "found " + described(kernel, load), advice_of(options));
  const auto text = describe_parameter(program, index, kernel.input.names);
  if (is_structure(program.parameters[index]))
    return kernel.problem(instruction, fmt::format("{} needs a field of {}, a structure", what, text),
                          "found no value, and `arguments` gives none to fields", advice_of(options));
  std::string list;
  for (const auto missing : missing_arguments(kernel))
    list += fmt::format(" {}=VALUE", parameter_label(program, missing, kernel.input.names));
  const auto question = kernel.problem(instruction, fmt::format("{} needs the value of {}", what, text), "found none",
                                       fmt::format("give `arguments{}`", list));
  if (!list.empty()) return ask_for_arguments(kernel, question);
  return question;
}

/// Asks for the unknown fields of structures loaded by an instruction.
Stop ask_for_fields(const Interpreter& warp, std::uint32_t instruction, std::uint32_t load, const std::string& what) {
  const auto& kernel = warp.kernel();
  const auto& type = kernel.at(load).access->element;
  const auto& [program, names] = std::tie(kernel.input.program, kernel.input.names);
  std::vector<Assumption> missing;
  std::string structure;
  for (const auto& [parameter, offset] : warp.execution().missing_fields.at(load)) {
    auto found = default_number(type);
    structure = parameter_label(program, parameter, names);
    missing.push_back({Kind::Argument,
                       place_label(program, names, {parameter, offset}),
                       std::move(found.value),
                       std::move(found.why),
                       std::move(found.others),
                       0,
                       "",
                       {}});
  }
  const auto question =
      kernel.problem(instruction, fmt::format("{} needs a field of a structure, at an index that is computed", what),
                     fmt::format("found no value for what {} loads", described(kernel, load)),
                     fmt::format("give `arguments {}+BYTES=VALUE` for each element", structure));
  for (auto& one : missing) one.question = question;
  return {Stop::Why::Unknown, UnknownData({question}, std::move(missing))};
}

OrStop<Diagnostic> question_about(const Interpreter& warp, std::uint32_t instruction, const Input& input,
                                  const std::string& what, const std::string& option) {
  const auto& kernel = warp.kernel();
  const auto& instructions = kernel.input.program.instructions;
  const auto origin = warp.origin_of(input);
  std::vector<std::string> options(option.empty() ? 0 : 1, option);
  if (origin >= instructions.size())
    return kernel.problem(instruction, what + " depends on a register that is read before it is written", "",
                          advice_of(options));
  const auto& source = instructions[origin];
  if (!parameters_of(source).empty()) return question_about_parameter(kernel, instruction, origin, what, options);
  if (!source.access || source.access->kind != Access::Kind::Load)
    return kernel.problem(instruction, what + " depends on an instruction that is not followed",
                          "found " + described(kernel, origin), advice_of(options));

  if (warp.execution().missing_fields.contains(origin)) return ask_for_fields(warp, instruction, origin, what);
  const auto arrays = arrays_read_by(kernel, origin);
  if (const auto few = warp.execution().too_few.find(origin); few != warp.execution().too_few.end() && !arrays.empty())
    return kernel.problem(
        instruction, fmt::format("{} needs element {} of {}", what, few->second.element, arrays.front()),
        fmt::format("found {} numbers given for it, and the load {}", few->second.given, described(kernel, origin)),
        fmt::format("give all that is read of it by `arrays {}`", arrays.front()));
  const auto space = source.access->space;
  std::string from;
  if (!arrays.empty()) {
    from = fmt::format(" from {}", fmt::join(arrays, " or "));
    options.push_back(
        fmt::format("the values of {0} by `arrays {0}=FILE`, `arrays {0}=uniform:LIMIT` or `arrays {0}=rows:LENGTH`",
                    arrays.front()));
  } else if (space != Space::Global && space != Space::Generic) {
    from = fmt::format(" from {} memory, where nothing known was stored", to_string(space));
  }
  return kernel.problem(instruction, what + " depends on data",
                        fmt::format("found the load {}{}", described(kernel, origin), from), advice_of(options));
}

/// A branch's label where no other branch goes there, else its line.
std::string name_of_branch(const Prepared& kernel, std::uint32_t instruction) {
  const auto& jump = kernel.at(instruction);
  const auto line = std::to_string(jump.line);
  if (jump.flow != Instruction::Flow::Jump || jump.targets.empty()) return line;
  auto label = place_name(kernel.input.program, jump.targets.front());
  if (!kernel.goes_alone(instruction) || label.starts_with("line ")) return line;
  if (label.starts_with('$')) label.erase(0, 1);
  return label;
}

std::string option_of_branch(const Interpreter& warp, std::uint32_t instruction) {
  auto option = fmt::format("`taken {}=SHARE` of the lanes that jump", name_of_branch(warp.kernel(), instruction));
  if (!warp.frames().empty())
    option += fmt::format(", or `trips {}=N` for the loop around it", name_of_loop(*warp.frames().back().info));
  return option;
}

/// Asks for the value of an input.
/// @param what    needs it: "a branch"
/// @param option  a further way to answer, may be empty: "`taken LOOP=SHARE`"
Stop ask_for(const Interpreter& warp, std::uint32_t instruction, const Input& input, const std::string& what,
             const std::string& option) {
  auto question = question_about(warp, instruction, input, what, option);
  if (auto* stop = std::get_if<Stop>(&question)) return std::move(*stop);
  return {Stop::Why::Unknown, UnknownData(std::get<Diagnostic>(std::move(question)))};
}

Stop stop_for(std::vector<Assumption> assumptions) {
  return {Stop::Why::Unknown, questions_of(std::move(assumptions))};
}

}  // namespace

const Assumption* Questioner::find(Kind kind, const std::string& name) const {
  const auto same = [&](const Assumption& one) { return one.kind == kind && one.name == name; };
  const auto found = std::ranges::find_if(answers_, same);
  return found == answers_.end() ? nullptr : &*found;
}

const Assumption& Questioner::add(const Interpreter& warp, const Place& place, Default found, Diagnostic question) {
  const auto& kernel = warp.kernel();
  answers_.push_back({place.kind, place.name, std::move(found.value), std::move(found.why), std::move(found.others),
                      kernel.at(place.instruction).line, source_of(kernel.input.program, place.instruction),
                      std::move(question)});
  return answers_.back();
}

OrStop<std::string> Questioner::answer(const Interpreter& warp, const Place& place, const Input& input,
                                       const std::string& what, const std::string& option,
                                       const std::function<Default()>& rule) {
  if (const auto* found = find(place.kind, place.name)) return found->value;
  auto question = question_about(warp, place.instruction, input, what, option);
  if (auto* stop = std::get_if<Stop>(&question)) return std::move(*stop);
  return add(warp, place, rule(), std::get<Diagnostic>(std::move(question))).value;
}

std::optional<Stop> Questioner::predicate(const Interpreter& warp, std::uint32_t instruction, const Input& guard) {
  const auto origin = warp.origin_of(guard);
  const auto& instructions = warp.kernel().input.program.instructions;
  if (origin >= instructions.size()) return std::nullopt;
  const auto read = parameters_of(instructions[origin]);
  if (std::ranges::all_of(read, [](const Input* input) { return input->index == kNoParameter; })) return std::nullopt;
  return ask_for(warp, instruction, guard, "a predicate", "");
}

OrStop<AddressPattern> Questioner::address(const Interpreter& warp, std::uint32_t instruction, const Input& unknown) {
  const auto& kernel = warp.kernel();
  constexpr auto kWhat = "an address";
  const auto option = [](const auto& name) { return fmt::format("`addresses {}=random:BYTES`", name); };
  if (!launch_.assume) return ask_for(warp, instruction, unknown, kWhat, option(kernel.at(instruction).line));
  const auto& name = kernel.array_bases[instruction].name;
  auto found = answer(warp, {Kind::Address, name, instruction}, unknown, kWhat, option(name),
                      [&] { return default_address(kernel, instruction); });
  if (auto* stop = std::get_if<Stop>(&found)) return std::move(*stop);
  AddressPattern pattern;
  parse_pattern(std::get<std::string>(found), pattern);
  return pattern;
}

OrStop<double> Questioner::active_share(const Interpreter& warp, std::uint32_t instruction, const Input& mask,
                                        LaneMask unknown) {
  constexpr auto kWhat = "the execution mask";
  const auto& jump = warp.kernel().at(instruction);
  const auto name = std::to_string(jump.line);
  const auto option = fmt::format("`taken {}=SHARE` of the lanes that stay active", name);
  if (!launch_.assume) return ask_for(warp, instruction, mask, kWhat, option);
  auto found = answer(warp, {Kind::Taken, name, instruction}, mask, kWhat, option, [&] {
    const auto tries = warp.frames().empty()
                           ? std::nullopt
                           : tries_in(warp, *warp.frames().back().info, instruction, jump.reads, unknown);
    return tries ? share_of(*tries)
                 : Default{fmt::format("{}", kGuesses.other_branch), "half of the lanes", {"0.25", "0.75"}};
  });
  if (auto* stop = std::get_if<Stop>(&found)) return std::move(*stop);
  return std::stod(std::get<std::string>(found));
}

OrStop<BranchAnswer> Questioner::branch(const Interpreter& warp, std::uint32_t instruction, const Input& guard,
                                        LaneMask unknown) {
  const auto& kernel = warp.kernel();
  constexpr auto kBranch = "a branch", kEnd = "the end of a loop";
  const auto option = option_of_branch(warp, instruction);
  if (!launch_.assume) return ask_for(warp, instruction, guard, kBranch, option);
  const auto load = warp.origin_of(guard);
  if (auto rows = default_rows(kernel, instruction, load)) {
    auto question = question_about(warp, instruction, guard, kEnd, "");
    if (auto* stop = std::get_if<Stop>(&question)) return std::move(*stop);
    // With the rows, answers to earlier questions may be known.
    return stop_for({add(warp, {Kind::Array, kernel.array_bases[load].name, load}, std::move(*rows),
                         std::get<Diagnostic>(std::move(question)))});
  }
  const auto* frame = warp.frame_left_by(instruction);
  const auto name = frame != nullptr ? name_of_loop(*frame->info) : name_of_branch(kernel, instruction);
  auto found =
      frame == nullptr
          ? answer(warp, {Kind::Taken, name, instruction}, guard, kBranch, option,
                   [&] { return default_taken(kernel, instruction); })
          : answer(warp, {Kind::Trips, name, instruction}, guard, kEnd, fmt::format("`trips {}=N`", name), [&] {
              const auto tries = tries_in(warp, *frame->info, instruction, {&guard.registers, 1}, unknown);
              return tries ? trips_of(*tries) : default_trips(kernel.input, *frame->info, instruction);
            });
  if (auto* stop = std::get_if<Stop>(&found)) return std::move(*stop);
  const auto& value = std::get<std::string>(found);
  return frame == nullptr ? BranchAnswer{std::nullopt, std::stod(value)} : BranchAnswer{std::stoll(value), 0};
}

std::optional<Stop> Questioner::table(const Interpreter& warp, std::uint32_t instruction, const Input& index) {
  constexpr auto kWhat = "a jump through a table";
  if (!launch_.assume) return ask_for(warp, instruction, index, kWhat, "");
  auto found = answer(warp, {Kind::Table, std::to_string(warp.kernel().at(instruction).line), instruction}, index,
                      kWhat, "", [] {
                        return Default{"all targets in turn", "as often as each other", {}};
                      });
  auto* stop = std::get_if<Stop>(&found);
  return stop == nullptr ? std::nullopt : std::optional(std::move(*stop));
}

Stop Questioner::trips(const Interpreter& warp, const LoopFrame& frame, std::optional<std::int64_t> wanted,
                       std::string why) {
  const auto& kernel = warp.kernel();
  const auto name = name_of_loop(*frame.info);
  const auto first = kernel.input.flow.blocks[frame.info->loop->header].first;
  auto question = kernel.problem(first, "a loop goes round more often than can be followed",
                                 fmt::format("found {} iterations that do not end it", frame.iterations),
                                 fmt::format("give `trips {}=N`", name));
  const auto trips = wanted.value_or(kGuesses.search);
  std::vector<std::string> others{std::to_string(2 * trips)};
  if (trips > 1) others.push_back(std::to_string(trips / 2));
  add(warp, {Kind::Trips, name, first}, {std::to_string(trips), std::move(why), std::move(others)},
      std::move(question));
  return all();
}

bool Questioner::has_trips(const LoopInfo& loop) const { return find(Kind::Trips, name_of_loop(loop)) != nullptr; }

Stop Questioner::all() const { return stop_for(answers_); }

std::optional<Stop> Questioner::open() const {
  const auto matters = [&](const Assumption& one) { return changes_the_rest(one, launch_); };
  return std::ranges::any_of(answers_, matters) ? std::optional(all()) : std::nullopt;
}

bool changes_the_rest(const Assumption& assumption, const Launch& launch) {
  if (assumption.kind == Kind::Taken) {
    Launch answered;
    answer(answered, assumption, assumption.value);
    return draws_lanes(answered) && !draws_lanes(launch);
  }
  return assumption.kind != Kind::Table && assumption.kind != Kind::Address;
}

}  // namespace warpipe::isa
