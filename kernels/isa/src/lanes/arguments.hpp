#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/isa/dataflow.hpp"
#include "warpipe/isa/launch.hpp"

namespace warpipe::isa {

/// The value of an entry's parameter.
struct Argument {
  std::optional<std::uint64_t> bits;         ///< nothing: not given; an error only where control or an address needs it
  bool is_tried = false;                     ///< `bits` are on trial: nothing is known by them (SizeTrial)
  bool pointer = false;                      ///< `bits` is the address of an array of its own
  std::optional<std::uint64_t> passed = {};  ///< of a pointer: the address passed by the program
  const ArrayValues* values = nullptr;
  /// Of a structure read at computed places, by the first byte: numbers, pointers that are parameters of their own,
  /// too, and the arrays behind pointers.
  std::map<std::int64_t, double> fields = {};
  std::map<std::int64_t, std::uint64_t> pointers = {};
  std::map<std::int64_t, const ArrayValues*> arrays = {};
  std::string_view block = {};  ///< bytes passed by the program from its start; `fields` take precedence
  std::set<std::int64_t> pointers_in_block = {};
};

/// The pointer at a byte of a structure, as passed by the program; nothing where the structure has none there.
std::optional<std::uint64_t> pointer_in(const Argument& structure, std::int64_t at);

/// Checks a launch against the limits of hardware and of the program's language: blocks of 1 to 1024 threads, at most
/// 2^40 of them.
/// @throws UsageError
void require_launch(const Launch& launch, const Program& program);

/// Finds the value of each parameter of a program. A 64-bit parameter without a value, used as an address, points to an
/// array of its own: no two arrays share a 128-byte line, each begins at a multiple of 2^40.
/// @param names  of the parameters in the source, in order; names in the program always work, too. May be shorter
/// @throws UsageError for an argument without a parameter (lists the parameters), or a value that does not fit its type
std::vector<Argument> bind_arguments(const Program& program, const ReachingDefinitions& definitions,
                                     const Launch& launch, const std::vector<std::string>& names);

/// The launch's values of a memory region by its name, in the program or in the source; null without any.
const ArrayValues* values_of_region(const Program& program, const Launch& launch, std::size_t region);

/// The name by which a user gives the values of a memory region.
const std::string& region_label(const MemoryRegion& region);

/// The user's name for a parameter: the name in the source where known, else the program's own.
std::string parameter_label(const Program& program, std::size_t index, const std::vector<std::string>& names);

/// Whether a user names a place in a structure not read by the code: compilers leave out unneeded reads.
bool is_unread_field(const Program& program, const std::vector<std::string>& names, const std::string& given);

/// The fields without a number, each loaded at once with a field behind it that has one: they count as 0.
std::vector<std::string> lower_halves_not_given(const Program& program, const Launch& launch,
                                                const std::vector<std::string>& names);

/// The parameter for a user's name: its name in the source or in the program, its position (of a field, its
/// structure's), or its first byte after a `+`; nothing for an unknown name.
std::optional<std::size_t> parameter_named(const Program& program, const std::vector<std::string>& names,
                                           const std::string& given);

/// Whether a parameter is more than a single number: a structure or an array, with fields that cannot be given.
bool is_structure(const Parameter& parameter);

/// "parameter 2 (n, .u32 saxpy_param_0)", for messages.
std::string describe_parameter(const Program& program, std::size_t index, const std::vector<std::string>& names);

}  // namespace warpipe::isa
