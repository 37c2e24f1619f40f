// What is said of control and addresses that depend on what nobody gave: on which data, and which options answer it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "flow/parameter_flow.hpp"
#include "lanes/warp_run.hpp"
#include "unknown/argument_guesses.hpp"
#include "unknown/defaults.hpp"

namespace warpipe::isa {
namespace {

/// The options that answer a question, or that there are none.
std::string advice_of(const std::vector<std::string>& options) {
  if (options.empty()) return "no option gives it: this kernel cannot be imported";
  return fmt::format("give {}", fmt::join(options, ", or "));
}

}  // namespace

std::string WarpRun::described(std::uint32_t index) const {
  const auto& instruction = kernel_.at(index);
  const auto place = source_of(kernel_.input.program, index);
  return fmt::format("\"{}\" at line {}{}", instruction.name, instruction.line, place.empty() ? "" : ", from " + place);
}

std::vector<std::string> WarpRun::arrays_read_by(std::uint32_t load) const {
  std::vector<std::string> labels;
  const auto& [program, definitions] = std::tie(kernel_.input.program, kernel_.input.definitions);
  const auto& access = *program.instructions[load].access;
  const auto& holds = kernel_.parameters();
  auto parameters = parameters_in(program, access.base, load, definitions, holds);
  if (access.uniform_base) parameters.merge(parameters_in(program, *access.uniform_base, load, definitions, holds));
  for (const auto index : parameters)
    if (index >= program.parameters.size())
      labels.push_back(region_label(program.regions[index - program.parameters.size()]));
    else if (kernel_.input.arguments[index].pointer)
      labels.push_back(parameter_label(program, index, kernel_.input.names));
  return labels;
}

/// The parameters whose values control or addresses need, and nobody gave.
std::vector<std::size_t> WarpRun::missing_arguments() const {
  const auto& program = kernel_.input.program;
  std::vector<bool> missing(program.parameters.size(), false);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (!kernel_.input.slice.needed[i]) continue;
    for (const auto* read : parameters_of(program.instructions[i]))
      if (read->index != kNoParameter && !kernel_.input.arguments[read->index].bits)
        missing[read->index] = !is_structure(program.parameters[read->index]);
  }
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < missing.size(); ++i)
    if (missing[i]) indices.push_back(i);
  return indices;
}

/// Asks for all arguments that are missing.
void WarpRun::fail_by_arguments(const Diagnostic& question) const {
  using Kind = Assumption::Kind;
  std::vector<Assumption> missing;
  const auto parameters = missing_arguments();
  auto guesses = default_arguments(kernel_.input, parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    auto& found = guesses[i];
    missing.push_back({Kind::Argument, parameter_label(kernel_.input.program, parameters[i], kernel_.input.names),
                       std::move(found.value), std::move(found.why), std::move(found.others), 0, "", question});
  }
  throw UnknownData({question}, std::move(missing));
}

/// What is asked about a load of a parameter.
Diagnostic WarpRun::question_about_parameter(std::uint32_t instruction, std::uint32_t load, const std::string& what,
                                             const std::vector<std::string>& options) const {
  const auto& program = kernel_.input.program;
  const auto read = parameters_of(program.instructions[load]);
  const auto lacks = std::ranges::find_if(read, [&](const Input* input) {
    return input->index == kNoParameter || !kernel_.input.arguments[input->index].bits;
  });
  const auto index = (lacks == read.end() ? read.front() : *lacks)->index;
  if (index == kNoParameter)
    return kernel_.problem(instruction, what + " needs a parameter that is read through a register",
                           "found " + described(load), advice_of(options));
  const auto text = describe_parameter(program, index, kernel_.input.names);
  if (is_structure(program.parameters[index]))
    return kernel_.problem(instruction, fmt::format("{} needs a field of {}, a structure", what, text),
                           "found no value, and `arguments` gives none to fields", advice_of(options));
  std::string list;
  for (const auto missing : missing_arguments())
    list += fmt::format(" {}=VALUE", parameter_label(program, missing, kernel_.input.names));
  const auto question = kernel_.problem(instruction, fmt::format("{} needs the value of {}", what, text), "found none",
                                        fmt::format("give `arguments{}`", list));
  if (!list.empty()) fail_by_arguments(question);
  return question;
}

/// Asks for the fields of structures that an instruction loaded and nobody gave.
void WarpRun::fail_by_fields(std::uint32_t instruction, std::uint32_t load, const std::string& what) const {
  const auto& type = kernel_.at(load).access->element;
  const auto& [program, names] = std::tie(kernel_.input.program, kernel_.input.names);
  std::vector<Assumption> missing;
  std::string structure;
  for (const auto& [parameter, offset] : execution_.missing_fields.at(load)) {
    auto found = default_number(type);
    structure = parameter_label(program, parameter, names);
    missing.push_back({Assumption::Kind::Argument,
                       place_label(program, names, {parameter, offset}),
                       std::move(found.value),
                       std::move(found.why),
                       std::move(found.others),
                       0,
                       "",
                       {}});
  }
  const auto question =
      kernel_.problem(instruction, fmt::format("{} needs a field of a structure, at an index that is computed", what),
                      fmt::format("found no value for what {} loads", described(load)),
                      fmt::format("give `arguments {}+BYTES=VALUE` for each element", structure));
  for (auto& one : missing) one.question = question;
  throw UnknownData({question}, std::move(missing));
}

Diagnostic WarpRun::question_about(std::uint32_t instruction, const Input& input, const std::string& what,
                                   const std::string& option) const {
  const auto& instructions = kernel_.input.program.instructions;
  const auto origin = origin_of(input);
  std::vector<std::string> options(option.empty() ? 0 : 1, option);
  if (origin >= instructions.size())
    return kernel_.problem(instruction, what + " depends on a register that is read before it is written", "",
                           advice_of(options));
  const auto& source = instructions[origin];
  if (!parameters_of(source).empty()) return question_about_parameter(instruction, origin, what, options);
  if (!source.access || source.access->kind != Access::Kind::Load)
    return kernel_.problem(instruction, what + " depends on an instruction that is not followed",
                           "found " + described(origin), advice_of(options));

  if (execution_.missing_fields.contains(origin)) fail_by_fields(instruction, origin, what);
  const auto arrays = arrays_read_by(origin);
  if (const auto few = execution_.too_few.find(origin); few != execution_.too_few.end() && !arrays.empty())
    return kernel_.problem(
        instruction, fmt::format("{} needs element {} of {}", what, few->second.element, arrays.front()),
        fmt::format("found {} numbers given for it, and the load {}", few->second.given, described(origin)),
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
  return kernel_.problem(instruction, what + " depends on data",
                         fmt::format("found the load {}{}", described(origin), from), advice_of(options));
}

void WarpRun::fail_by_data(std::uint32_t instruction, const Input& input, const std::string& what,
                           const std::string& option) const {
  throw UnknownData(question_about(instruction, input, what, option));
}

/// Where a predicate is not known for want of an argument.
void WarpRun::ask_for_argument(std::uint32_t instruction, const Input& guard) const {
  const auto origin = origin_of(guard);
  const auto& instructions = kernel_.input.program.instructions;
  if (origin >= instructions.size() || !kernel_.input.slice.accesses || execution_.trial != nullptr) return;
  const auto read = parameters_of(instructions[origin]);
  if (std::ranges::any_of(read, [](const Input* input) { return input->index != kNoParameter; }))
    fail_by_data(instruction, guard, "a predicate", "");
}

/// What was assumed before under a name, or what is now.
const Assumption* WarpRun::find_assumption(Assumption::Kind kind, const std::string& name) const {
  const auto same = [&](const Assumption& one) { return one.kind == kind && one.name == name; };
  const auto found = std::ranges::find_if(execution_.assumptions, same);
  return found == execution_.assumptions.end() ? nullptr : &*found;
}

const Assumption& WarpRun::assume(Assumption::Kind kind, const std::string& name, std::uint32_t instruction,
                                  Default found, Diagnostic question) {
  execution_.assumptions.push_back({kind, name, std::move(found.value), std::move(found.why), std::move(found.others),
                                    kernel_.at(instruction).line, source_of(kernel_.input.program, instruction),
                                    std::move(question)});
  return execution_.assumptions.back();
}

/// The loop that a jump leaves on one of its sides; the innermost.
WarpRun::Frame* WarpRun::frame_left_by(std::uint32_t instruction) {
  const auto& targets = kernel_.at(instruction).targets;
  if (targets.empty()) return nullptr;
  const auto& block_of = kernel_.input.flow.block_of;
  const auto inside = [&](const Frame& frame, std::uint32_t place) {
    return place < block_of.size() && frame.info->members[block_of[place]];
  };
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame)
    if (inside(*frame, targets.front()) != inside(*frame, instruction + 1)) return &*frame;
  return nullptr;
}

LaneMask WarpRun::jump_as_assumed(std::uint32_t instruction, std::uint32_t block, LaneMask mask, const Input& guard) {
  using Kind = Assumption::Kind;
  const auto load = origin_of(guard);
  if (auto rows = default_rows(kernel_, instruction, load)) {
    // What was asked before it may be known with it.
    throw questions_of({assume(Kind::Array, kernel_.array_bases[load].name, load, std::move(*rows),
                               question_about(instruction, guard, "the end of a loop", ""))});
  }
  if (const auto* frame = frame_left_by(instruction)) {
    const auto name = name_of_loop(*frame->info);
    const auto* found = find_assumption(Kind::Trips, name);
    if (found == nullptr) {
      const auto tries = tries_in(*frame->info, instruction, {&guard.registers, 1}, mask);
      found = &assume(Kind::Trips, name, instruction,
                      tries ? trips_of(*tries) : default_trips(kernel_.input, *frame->info, instruction),
                      question_about(instruction, guard, "the end of a loop", fmt::format("`trips {}=N`", name)));
    }
    closable_ = false;  // the end is not in the numbers that move
    return jump_in_trip(*frame, instruction, block, std::stoll(found->value)).jumps ? mask : 0;
  }
  const auto name = name_of_branch(instruction);
  const auto* found = find_assumption(Kind::Taken, name);
  if (found == nullptr)
    found = &assume(Kind::Taken, name, instruction, default_taken(kernel_, instruction),
                    question_about(instruction, guard, "a branch", option_of_branch(instruction)));
  return jumping_by_share(instruction, mask, guard, std::stod(found->value));
}

/// Where lanes reach whose address is not known.
AddressPattern WarpRun::pattern_of(std::uint32_t instruction, const Input& unknown) {
  if (!kernel_.patterns.empty() && kernel_.patterns[instruction]) return *kernel_.patterns[instruction];
  if (!kernel_.input.launch.assume)
    fail_by_data(instruction, unknown, "an address",
                 fmt::format("`addresses {}=random:BYTES`", kernel_.at(instruction).line));
  const auto& name = kernel_.array_bases[instruction].name;
  const auto option = fmt::format("`addresses {}=random:BYTES`", name);
  const auto* found = find_assumption(Assumption::Kind::Address, name);
  if (found == nullptr)
    found = &assume(Assumption::Kind::Address, name, instruction, default_address(kernel_, instruction),
                    question_about(instruction, unknown, "an address", option));
  AddressPattern pattern;
  parse_pattern(found->value, pattern);
  return pattern;
}

/// An address that the user describes. What is known of it, as that neighbours are neighbours, stays: a load whose
/// value is not known has left one that looks random.
/// @param found  the address with what stands for values that nobody knows
std::uint64_t WarpRun::assumed_address(std::uint32_t instruction, const AddressPattern& pattern, std::size_t lane,
                                       std::uint64_t found) const {
  const auto& access = *kernel_.at(instruction).access;
  const auto base = kernel_.array_bases[instruction].address;
  const auto width = static_cast<std::uint64_t>(access.bytes);
  const auto elements = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(pattern.bytes) / width);
  if (pattern.coalesced) {
    const auto& launch = kernel_.input.launch;
    std::uint64_t threads = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      threads *= static_cast<std::uint64_t>(launch.block[axis] * launch.grid[axis]);
    const auto iteration = frames_.empty() ? 0 : static_cast<std::uint64_t>(frames_.back().iterations - 1);
    return base + (thread_of_launch(lane) + iteration * threads) % elements * width;
  }
  return base + (found - base) / width % elements * width;
}

/// Its number, of those of the launch.
std::uint64_t WarpRun::thread_of_launch(std::size_t lane) const {
  const auto& [block, grid] = std::tie(kernel_.input.launch.block, kernel_.input.launch.grid);
  const auto group = (group_[2] * grid[1] + group_[1]) * grid[0] + group_[0];
  return static_cast<std::uint64_t>(group * block[0] * block[1] * block[2] +
                                    warp_ * static_cast<std::int64_t>(lanes_)) +
         lane;
}

/// What stands for a value that nobody knows: the same for the same place in memory, so that lanes that read the same
/// go on to the same. An atomic gives neighbouring threads neighbouring numbers.
std::uint64_t WarpRun::stand_in(const Access& access, std::uint64_t address, const Type& type, std::size_t lane) const {
  if (access.kind == Access::Kind::Atomic) return truncated(thread_of_launch(lane), std::min(type.bits, 31));
  const auto random = scattered(address);
  if (type.kind != Type::Kind::Float) return truncated(random, std::min(type.bits, 31));
  const auto number = static_cast<double>(random >> 11) * 0x1p-53;
  return type.bits == 64   ? std::bit_cast<std::uint64_t>(number)
         : type.bits == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                           : 0;
}

}  // namespace warpipe::isa
