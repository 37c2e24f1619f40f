#include "lanes/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

#include "flow/parameter_flow.hpp"
#include "lanes/memory_layout.hpp"
#include "lanes/structures.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/unit_advice.hpp"
#include "warpipe/isa/address_parameters.hpp"
#include "warpipe/isa/parameter_block.hpp"
#include "warpipe/isa/symbols.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kMostThreads = 1024;  // of a group
constexpr std::int64_t kMostGroups = std::int64_t{1} << 40;

/// Advice in place of a given structure.
std::string advice_on_fields(const Program& program, const std::vector<std::string>& names, std::size_t structure) {
  const auto start = parameter_label(program, structure, names) + "+";
  std::string fields;
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (const auto label = parameter_label(program, i, names); program.parameters[i].field && label.starts_with(start))
      fields += (fields.empty() ? "" : ", ") + label;
  if (!fields.empty()) return fmt::format("give its fields, by the bytes where they begin: {}", fields);
  return "leave it out, and answer the branches that need it by `taken LABEL=SHARE` or `trips LABEL=N`";
}

[[noreturn]] void refuse(const std::string& option, const std::string& rule, const std::string& found,
                         const std::string& advice) {
  throw UsageError(Diagnostic{option, rule, found, advice});
}

double parse_number(const std::string& option, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number))
    refuse(option, "the value of an argument is a number", fmt::format("found \"{}\"", text), advice_on_unit(text));
  return number;
}

std::uint64_t parse_value(const std::string& option, const std::string& text, Type type) {
  const auto number = parse_number(option, text);
  const bool looks_like_one = text.find('.') != std::string::npos || std::floor(number) != number;
  const bool is_float = type.kind == Type::Kind::Bits && type.bits >= 32 && looks_like_one;
  if (type.kind == Type::Kind::Float || is_float) {
    if (type.bits == 32) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
    return std::bit_cast<std::uint64_t>(number);
  }
  const double most = std::ldexp(1, type.bits), least = -std::ldexp(1, type.bits - 1);
  if (std::floor(number) != number || number >= most || number < least || std::abs(number) > std::ldexp(1, 53))
    refuse(option, fmt::format("the argument is a whole number of {} bits", type.bits), fmt::format("found {}", text),
           "");
  const auto whole = static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
  return type.bits == 64 ? whole : whole & ((std::uint64_t{1} << type.bits) - 1);
}

/// The structure of a field "shape+8"; nothing for any other parameter.
std::optional<std::size_t> structure_of(const Program& program, const Parameter& field) {
  if (!field.field) return std::nullopt;
  const auto found =
      std::ranges::find(program.parameters, field.name.substr(0, field.name.rfind('+')), &Parameter::name);
  if (found == program.parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - program.parameters.begin());
}

/// "0+8": a field by the position of its structure; empty for any other parameter.
std::string position_of_field(const Program& program, std::size_t index) {
  const auto& name = program.parameters[index].name;
  const auto structure = structure_of(program, program.parameters[index]);
  return structure ? std::to_string(*structure) + name.substr(name.rfind('+')) : "";
}

/// "words" of "words+0": in machine code a structure of one number is a number, in PTX it has a field.
std::string without_first_byte(const Parameter& parameter, const std::string& given) {
  const bool is_number = !parameter.field && !is_structure(parameter);
  return is_number && given.size() > 2 && given.ends_with("+0") ? given.substr(0, given.size() - 2) : given;
}

constexpr Type kHalf{Type::Kind::Bits, 32};

bool is_parameter(const Program& program, const std::vector<std::string>& names, const std::string& written,
                  std::size_t index) {
  const auto& parameter = program.parameters[index];
  const auto given = without_first_byte(parameter, written);
  return parameter.name == given || parameter_label(program, index, names) == given || std::to_string(index) == given ||
         position_of_field(program, index) == given ||
         (parameter.offset && fmt::format("+{}", *parameter.offset) == given);
}

bool names_region(const Program& program, const std::string& given) {
  return std::ranges::any_of(program.regions, [&](const MemoryRegion& region) {
    return region.name == given || region_label(region) == given;
  });
}

/// The user's name for a parameter: its name in the source or kept by a compiler, else its position and type in place
/// of a compiler's name made from the kernel's name.
std::string name_for_users(const Program& program, std::size_t index, const std::vector<std::string>& names) {
  const auto& parameter = program.parameters[index];
  const auto label = parameter_label(program, index, names);
  if (!label.starts_with(program.name)) return label;
  const auto type = parameter.declaration.substr(0, parameter.declaration.find(' '));
  return fmt::format("{} ({}, whose name is not known)", index, type);
}

std::size_t find_parameter(const Program& program, const std::vector<std::string>& names, const std::string& option,
                           const std::string& given) {
  if (const auto found = parameter_named(program, names, given)) return *found;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) known.push_back(parameter_label(program, i, names));
  std::string list;
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    list += (i == 0 ? "it has " : ", ") + name_for_users(program, i, names);
  const auto nearest = nearest_name(given, known);
  refuse(option, fmt::format("\"{}\" has no such parameter", bare_name(program.name)), list,
         nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
}

/// The 64-bit parameter with a number of its own in its upper half: machine code loads neighbouring fields "shape+0"
/// and "shape+4" at once.
std::optional<std::size_t> parameter_of_upper_half(const Program& program, const std::vector<std::string>& names,
                                                   const std::string& given) {
  const auto plus = given.rfind('+');
  if (plus == std::string::npos || parameter_named(program, names, given)) return std::nullopt;
  std::size_t byte = 0;
  if (std::from_chars(given.data() + plus + 1, given.data() + given.size(), byte).ec != std::errc{} || byte < 4)
    return std::nullopt;
  const auto lower = parameter_named(program, names, fmt::format("{}+{}", given.substr(0, plus), byte - 4));
  if (!lower || program.parameters[*lower].type.bits != 64 || is_structure(program.parameters[*lower]))
    return std::nullopt;
  return lower;
}

/// Numbers given for upper halves, by parameter.
std::map<std::size_t, std::uint64_t> upper_halves(const Program& program, const Launch& launch,
                                                  const std::vector<std::string>& names) {
  std::map<std::size_t, std::uint64_t> halves;
  for (const auto& [name, text] : launch.arguments)
    if (const auto index = parameter_of_upper_half(program, names, name))
      halves[*index] = parse_value(fmt::format("`arguments {}`", name), text, kHalf);
  return halves;
}

bool is_given(const Program& program, const Launch& launch, const std::vector<std::string>& names, std::size_t index) {
  return std::ranges::any_of(launch.arguments,
                             [&](const auto& one) { return is_parameter(program, names, one.first, index); });
}

/// Reads the arguments of a launch as the bits of parameters.
class ArgumentReader {
 public:
  ArgumentReader(const Program& program, const Launch& launch, const std::vector<std::string>& names)
      : program_(program), launch_(launch), names_(names), halves_(upper_halves(program, launch, names)) {}

  struct Number {
    std::size_t parameter = 0;
    std::uint64_t bits = 0;
  };

  /// @return the parameter with its bits, both halves at once; nothing for a field not read by the code, and for an
  ///         upper half whose lower half is given, too
  std::optional<Number> read(const std::string& option, const std::string& name, const std::string& text) const {
    if (is_unread_field(program_, names_, name)) return std::nullopt;
    if (const auto index = parameter_of_upper_half(program_, names_, name)) {
      if (is_given(program_, launch_, names_, *index)) return std::nullopt;
      return Number{*index, halves_.at(*index) << 32};
    }
    const auto index = find_parameter(program_, names_, option, name);
    const auto& parameter = program_.parameters[index];
    if (is_structure(parameter))
      refuse(option, "an argument is a single number",
             fmt::format("found {}, a structure", describe_parameter(program_, index, names_)),
             advice_on_fields(program_, names_, index));
    const auto upper = halves_.find(index);
    if (upper == halves_.end()) return Number{index, parse_value(option, text, parameter.type)};
    return Number{index, parse_value(option, text, kHalf) | upper->second << 32};
  }

 private:
  const Program& program_;
  const Launch& launch_;
  const std::vector<std::string>& names_;
  std::map<std::size_t, std::uint64_t> halves_;
};

}  // namespace

bool is_unread_field(const Program& program, const std::vector<std::string>& names, const std::string& given) {
  return !parameter_named(program, names, given) && find_field(program, names, given) &&
         !find_place(program, names, given) && !parameter_of_upper_half(program, names, given);
}

std::vector<std::string> lower_halves_not_given(const Program& program, const Launch& launch,
                                                const std::vector<std::string>& names) {
  std::vector<std::string> lacking;
  for (const auto& half : upper_halves(program, launch, names)) {
    const auto index = half.first;
    const auto label = parameter_label(program, index, names);
    if (!is_given(program, launch, names, index))
      lacking.push_back(program.parameters[index].field ? label : label + "+0");
  }
  return lacking;
}

void require_launch(const Launch& launch, const Program& program) {
  const auto shown = [](const Dimensions& sizes) { return fmt::format("found {}", fmt::join(sizes, "x")); };
  std::int64_t threads = 1, groups = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto most = [&](std::int64_t number, const char* what) {
      return fmt::format("1 to {} {} along {}", number == INT32_MAX ? "2^31 - 1" : std::to_string(number), what,
                         "xyz"[axis]);
    };
    if (launch.block[axis] < 1 || launch.block[axis] > program.limits.block[axis])
      refuse("`block`", "a block must have " + most(program.limits.block[axis], "threads"), shown(launch.block), "");
    if (launch.grid[axis] > program.limits.grid[axis])
      refuse("`grid`", "a grid must have " + most(program.limits.grid[axis], "groups"), shown(launch.grid), "");
    if (launch.grid[axis] < 1 || launch.grid[axis] > kMostGroups / groups)
      refuse("`grid`", "a grid must have 1 to 2^40 groups", shown(launch.grid), "");
    threads *= launch.block[axis];
    groups *= launch.grid[axis];
  }
  if (threads > kMostThreads)
    refuse("`block`", "a block can have at most 1024 threads", fmt::format("found {}", threads), "");
  if (program.lanes < 1 || program.lanes > 64)
    refuse("device", "a warp of an imported kernel can have at most 64 lanes", fmt::format("found {}", program.lanes),
           "");
  if (launch.dynamic_shared_memory < 0 || launch.dynamic_shared_memory > (1 << 30))
    refuse("`dynamic_shared_memory`", "it must lie between 0 and 2^30 bytes",
           fmt::format("found {}", launch.dynamic_shared_memory), "");
}

std::optional<std::size_t> parameter_named(const Program& program, const std::vector<std::string>& names,
                                           const std::string& given) {
  for (std::size_t i = 0; i < program.parameters.size(); ++i)
    if (is_parameter(program, names, given, i)) return i;
  return std::nullopt;
}

bool is_structure(const Parameter& parameter) { return parameter.elements != 1 || parameter.type.bits > 64; }

std::string parameter_label(const Program& program, std::size_t index, const std::vector<std::string>& names) {
  if (index < names.size() && !names[index].empty()) return names[index];
  const auto& parameter = program.parameters[index];
  const auto structure = structure_of(program, parameter);
  return structure ? parameter_label(program, *structure, names) + parameter.name.substr(parameter.name.rfind('+'))
                   : parameter.name;
}

std::string describe_parameter(const Program& program, std::size_t index, const std::vector<std::string>& names) {
  const auto& parameter = program.parameters[index];
  const auto label = parameter_label(program, index, names);
  const auto name = label != parameter.name ? label + ", " : std::string();
  if (parameter.field) return fmt::format("the field {} ({})", label, parameter.declaration);
  return fmt::format("parameter {} ({}{})", index, name, parameter.declaration);
}

const std::string& region_label(const MemoryRegion& region) {
  return region.label.empty() ? region.name : region.label;
}

const ArrayValues* values_of_region(const Program& program, const Launch& launch, std::size_t region) {
  const auto& read = program.regions[region];
  for (const auto& name : {read.name, region_label(read)})
    if (const auto found = launch.arrays.find(name); found != launch.arrays.end()) return &found->second;
  return nullptr;
}

namespace {

/// Bytes from the start of the parameters; for a field, the field's own bytes.
std::optional<std::size_t> place_in_block(const Program& program, std::size_t index) {
  const auto& parameter = program.parameters[index];
  if (parameter.offset) return static_cast<std::size_t>(*parameter.offset);
  const auto structure = structure_of(program, parameter);
  if (!structure || !program.parameters[*structure].offset) return std::nullopt;
  std::size_t inside = 0;
  const auto digits = std::string_view(parameter.name).substr(parameter.name.rfind('+') + 1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), inside).ec != std::errc{}) return std::nullopt;
  return static_cast<std::size_t>(*program.parameters[*structure].offset) + inside;
}

/// The number at a byte of the block; nothing behind the block's end.
std::optional<std::uint64_t> passed_bits(const ParameterBlock& block, std::size_t at, Type type) {
  const auto bytes = static_cast<std::size_t>(std::max(1, type.bits / 8));
  if (bytes > sizeof(std::uint64_t) || at + bytes > block.bytes.size()) return std::nullopt;
  std::uint64_t bits = 0;
  std::memcpy(&bits, block.bytes.data() + at, bytes);
  return bits;
}

/// Parameters without a given name take the value passed by the program; passed pointers lead to arrays of their own.
void bind_passed(const Program& program, const ParameterBlock& block, std::vector<Argument>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& parameter = program.parameters[i];
    const auto place = place_in_block(program, i);
    if (!place || *place > block.bytes.size()) continue;
    auto& argument = arguments[i];
    if (is_structure(parameter)) {
      argument.block = std::string_view(block.bytes).substr(*place);
      for (const auto& [at, bytes] : block.pointers)
        argument.pointers_in_block.insert(at - static_cast<std::int64_t>(*place));
    } else if (argument.bits) {
      continue;
    } else if (block.pointers.contains(static_cast<std::int64_t>(*place)) && parameter.type.bits == 64) {
      argument.pointer = true;
      argument.passed = passed_bits(block, *place, parameter.type);
      argument.bits = static_cast<std::uint64_t>(i + 1) << kArrayShift;
    } else {
      argument.bits = passed_bits(block, *place, parameter.type);
    }
  }
}

}  // namespace

std::optional<std::uint64_t> pointer_in(const Argument& structure, std::int64_t at) {
  std::uint64_t pointer = 0;
  if (at < 0 || !structure.pointers_in_block.contains(at)) return std::nullopt;
  if (static_cast<std::size_t>(at) + sizeof pointer > structure.block.size()) return std::nullopt;
  std::memcpy(&pointer, structure.block.data() + at, sizeof pointer);
  return pointer;
}

std::string parameter_bytes(const Program& program, const Launch& launch, const std::vector<std::string>& names) {
  auto bytes = launch.parameters.bytes;
  for (const auto& parameter : program.parameters)
    if (parameter.offset)
      bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(*parameter.offset + bytes_of(parameter))));
  const ArgumentReader reader(program, launch, names);
  for (const auto& [name, text] : launch.arguments) {
    const auto number = reader.read(fmt::format("`arguments {}`", name), name, text);
    const auto place = number ? place_in_block(program, number->parameter) : std::nullopt;
    if (!place) continue;
    const auto bits = program.parameters[number->parameter].type.bits;
    std::memcpy(bytes.data() + *place, &number->bits, static_cast<std::size_t>(std::max(1, bits / 8)));
  }
  return bytes;
}

std::map<std::int64_t, std::string> pointers_in(const Program& program, const Launch& launch,
                                                const std::vector<std::string>& names) {
  std::map<std::int64_t, std::string> pointers;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const auto& parameter = program.parameters[i];
    const auto place = place_in_block(program, i);
    if (!place || is_structure(parameter) || parameter.type.bits != 64 || parameter.type.kind == Type::Kind::Float)
      continue;
    if (is_given(program, launch, names, i)) continue;
    auto& array = pointers[static_cast<std::int64_t>(*place)];
    for (const auto& [name, values] : launch.arrays)
      if (is_parameter(program, names, name, i)) array = name;
  }
  return pointers;
}

std::vector<Argument> bind_arguments(const Program& program, const ReachingDefinitions& definitions,
                                     const Launch& launch, const std::vector<std::string>& names) {
  std::vector<Argument> result(program.parameters.size());
  const ArgumentReader reader(program, launch, names);
  for (const auto& [name, text] : launch.arguments) {
    const auto option = fmt::format("`arguments {}`", name);
    if (const auto place = find_place(program, names, name)) {
      result[place->parameter].fields[place->offset] = parse_number(option, text);
      if (!parameter_named(program, names, name)) continue;
    }
    const auto number = reader.read(option, name, text);
    if (!number) continue;
    if (result[number->parameter].bits) refuse(option, "the same argument is given twice", "", "");
    result[number->parameter].bits = number->bits;
  }
  bind_passed(program, launch.parameters, result);
  const auto addresses = parameters_in_addresses(program, definitions);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto& parameter = program.parameters[i];
    const bool wide = parameter.type.bits == 64 && parameter.elements == 1 && parameter.type.kind != Type::Kind::Float;
    if (result[i].bits || !wide || !(parameter.is_pointer || addresses[i])) continue;
    result[i].pointer = true;
    result[i].bits = static_cast<std::uint64_t>(i + 1) << kArrayShift;
  }
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const auto place = find_place(program, names, program.parameters[i].name); place && result[i].pointer)
      result[place->parameter].pointers[place->offset] = *result[i].bits;
  for (const auto& [name, values] : launch.arrays) {
    const auto option = fmt::format("`arrays {}`", name);
    const auto place = find_place(program, names, name);
    if (place) result[place->parameter].arrays[place->offset] = &values;
    if (place && !parameter_named(program, names, name)) continue;
    if (!parameter_named(program, names, name) && names_region(program, name)) continue;  // read by MemoryLayout
    const auto index = find_parameter(program, names, option, name);
    auto& argument = result[index];
    const bool structure = is_structure(program.parameters[index]);
    if (!argument.pointer)
      refuse(
          option, "only a pointer can be given the values of an array",
          fmt::format("found {}, a {}", describe_parameter(program, index, names), structure ? "structure" : "number"),
          structure ? advice_on_fields(program, names, index) : "use `arguments`");
    argument.values = &values;
  }
  return result;
}

}  // namespace warpipe::isa
