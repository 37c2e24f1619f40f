#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "warpipe/code/module.hpp"
#include "warpipe/inputs/text_file.hpp"
#include "warpipe/latency_tables/device.hpp"

namespace warpipe {

/// The stated values of a launch: missing values follow from the kernel, if they can.
struct GivenLaunch {
  std::string entry;                                     ///< as of code::Module::find_entry
  std::optional<isa::Dimensions> block, grid;            ///< threads of a group, groups
  std::optional<std::int64_t> dynamic_shared_memory;     ///< bytes
  std::map<std::string, std::string> arguments;          ///< by name in the source or the file, position, or "+BYTES"
  std::map<std::string, isa::ArrayValues> arrays;        ///< by name: their values
  isa::ParameterBlock parameters;                        ///< where `arguments` has no value
  std::map<std::string, std::int64_t> trips;             ///< by label
  std::map<std::string, double> taken;                   ///< by label: the share of the lanes, 0 to 1
  std::map<std::string, isa::AddressPattern> addresses;  ///< by array or line
  friend auto operator<=>(const GivenLaunch&, const GivenLaunch&) = default;
};

/// The options of an import besides the launch.
struct ImportRequest {
  GivenLaunch launch;
  bool assume = false;                           ///< all missing values are assumed, and reported
  std::optional<std::int64_t> registers;         ///< of a thread; nothing: estimated
  std::optional<std::int64_t> max_instructions;  ///< as isa::Launch::max_instructions
  isa::LoweringOptions lowering;
};

/// The sizes on which counts of accesses depend; nothing for a device without `memory`.
std::optional<AccessSizes> access_sizes(const Device& device);

/// The numbers of a device for an import.
isa::Target import_target(const Device& device);

/// The options of an import: the request, and the values known from the entry and from its source, if the source is
/// there.
/// @param file       the text of the module
/// @param target     of the device
/// @param before     called with the path of the source with the names of parameters
/// @throws InputError as code::Module::find_entry
isa::ImportOptions import_options(const ImportRequest& request, const TextFile& file, const code::Module& module,
                                  const isa::Target& target, const BeforeReading& before = {});

}  // namespace warpipe
