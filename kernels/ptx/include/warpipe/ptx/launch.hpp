#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/ptx/routine.hpp"

namespace warpipe::ptx {

using Dimensions = std::array<std::int64_t, 3>;  ///< x, y, z; each >= 1

/// The values of an array in memory, as control or addresses need them.
struct ArrayValues {
  std::vector<double> values;            ///< by element
  std::optional<std::uint64_t> uniform;  ///< instead of values: any index gives a number below this, spread evenly
};

/// How a kernel is started, and what the user knows of its data.
struct PtxLaunch {
  Dimensions block{1, 1, 1}, grid{1, 1, 1};
  std::int64_t warp_size = 32;                   ///< at most 64
  std::int64_t dynamic_shared_memory = 0;        ///< bytes of `extern .shared`
  std::map<std::string, std::string> arguments;  ///< by name or position (from 0)
  std::map<std::string, ArrayValues> arrays;     ///< likewise, of pointers
  std::map<std::string, std::int64_t> trips;     ///< by the label of the loop's header
  std::map<std::string, double> taken;           ///< by the label a branch goes to, or its line; share of the lanes
  bool close_loops = true;  ///< passes that only move numbers by constant steps are not executed one by one
  std::int64_t max_instructions = 20'000'000;  ///< budget of instructions of the slice, each for a warp
};

/// What a parameter of the entry holds.
struct Argument {
  std::optional<std::uint64_t> bits;  ///< nothing: not given; an error only where control or an address needs it
  bool pointer = false;               ///< `bits` is the address of an array of its own
  const ArrayValues* values = nullptr;
};

/// Finds the value of each parameter of an entry. A 64-bit parameter that is not given and is used as an address points
/// to an array of its own: no two arrays share a 128-byte line, each begins at a multiple of 2^40.
/// @param names  of the parameters in the source, in order; those of the PTX always work, too. May be shorter
/// @throws UsageError for an argument that no parameter has (lists them), or a value that does not fit its type
std::vector<Argument> bind_arguments(const Routine& routine, const PtxLaunch& launch,
                                     const std::vector<std::string>& names);

/// The name by which a user gives a parameter: the one in the source where it is known, else the one in the PTX.
std::string parameter_label(const Routine& routine, std::size_t index, const std::vector<std::string>& names);

/// Whether a parameter is more than a single number: a structure or an array, whose fields cannot be given.
bool is_structure(const Variable& parameter);

/// "parameter 2 (n, .u32 saxpy_param_0)", for messages.
std::string describe_parameter(const Routine& routine, std::size_t index, const std::vector<std::string>& names);

/// Reads the names of a kernel's parameters from its source in CUDA C++.
/// @return in order; empty where the text holds no such kernel
std::vector<std::string> parameter_names(std::string_view source, std::string_view entry);

}  // namespace warpipe::ptx
