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

/// What a parameter of the entry holds.
struct Argument {
  std::optional<std::uint64_t> bits;         ///< nothing: not given; an error only where control or an address needs it
  bool is_tried = false;                     ///< `bits` are but tried: nothing is known by them (SizeTrial)
  bool pointer = false;                      ///< `bits` is the address of an array of its own
  std::optional<std::uint64_t> passed = {};  ///< of a pointer: what the program passes
  const ArrayValues* values = nullptr;
  /// Of a structure that is read at computed places, by the bytes where they begin: numbers, pointers that are
  /// parameters of their own, too, and what pointers lead to.
  std::map<std::int64_t, double> fields = {};
  std::map<std::int64_t, std::uint64_t> pointers = {};
  std::map<std::int64_t, const ArrayValues*> arrays = {};
  std::string_view block = {};  ///< what the program passes from where it begins; `fields` go before
  std::set<std::int64_t> pointers_in_block = {};
};

/// The pointer so many bytes from where a structure begins, as the program passes it; nothing where that has none.
std::optional<std::uint64_t> pointer_in(const Argument& structure, std::int64_t at);

/// Whether a launch is one that hardware has: blocks of 1 to 1024 threads, at most 2^40 of them.
/// @throws UsageError
void require_launch(const Launch& launch, std::int64_t lanes);

/// Finds the value of each parameter of a program. A 64-bit parameter that is not given and is used as an address
/// points to an array of its own: no two arrays share a 128-byte line, each begins at a multiple of 2^40.
/// @param names  of the parameters in the source, in order; those of the program always work, too. May be shorter
/// @throws UsageError for an argument that no parameter has (lists them), or a value that does not fit its type
std::vector<Argument> bind_arguments(const Program& program, const ReachingDefinitions& definitions,
                                     const Launch& launch, const std::vector<std::string>& names);

/// The values that the launch gives to a memory region by its name, in the program or in the source; null where none.
const ArrayValues* values_of_region(const Program& program, const Launch& launch, std::size_t region);

/// The name by which a user gives the values of a memory region.
const std::string& region_label(const MemoryRegion& region);

/// The name by which a user gives a parameter: the one in the source where it is known, else the program's own.
std::string parameter_label(const Program& program, std::size_t index, const std::vector<std::string>& names);

/// Whether a user names a place in a structure that the code does not read: compilers leave out what nothing needs.
bool is_unread_field(const Program& program, const std::vector<std::string>& names, const std::string& given);

/// The parameter that a user gives by its name in the source or in the program, its position (of a field, that of its
/// structure), or after a `+` where it begins; nothing where none is called so.
std::optional<std::size_t> parameter_named(const Program& program, const std::vector<std::string>& names,
                                           const std::string& given);

/// Whether a parameter is more than a single number: a structure or an array, whose fields cannot be given.
bool is_structure(const Parameter& parameter);

/// "parameter 2 (n, .u32 saxpy_param_0)", for messages.
std::string describe_parameter(const Program& program, std::size_t index, const std::vector<std::string>& names);

}  // namespace warpipe::isa
