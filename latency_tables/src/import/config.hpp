#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/latency_tables/simulator_config.hpp"

/// The steps of the import, in their order: the options of the files, the pairs of latency and initiation interval that
/// they give, the ops and pipelines of the device.

namespace warpipe::detail {

/// The value of an option and where it stands: "gpgpusim.config line 12".
struct ConfigOption {
  std::string value, where;
};

/// The geometry of a cache.
struct ConfigCache {
  std::int64_t bytes = 0, line_bytes = 128, ways = 1;
  std::string reference;  ///< the option, its line
};

/// The options of configuration files. A value that cannot be read is diagnosed with its line, and counts as missing.
class ConfigOptions {
 public:
  ConfigOptions(const std::vector<ConfigFile>& files, Diagnostics& diagnostics);

  /// @param name  with its leading dash
  const ConfigOption* find(std::string_view name) const;
  std::optional<std::int64_t> whole(std::string_view name, std::int64_t least) const;
  /// Numbers of 0 to 10^9 with a separator between them, at least so many.
  /// @param ending  stands behind them in the value, and is taken off
  std::optional<std::vector<double>> numbers(std::string_view name, char separator, std::size_t least,
                                             std::string_view ending = {}) const;
  /// A cache as TYPE:SETS:BYTES:WAYS, where the type is a letter and more may follow behind a comma.
  /// @return nothing, too, where the value is of another form
  std::optional<ConfigCache> cache(std::string_view name) const;

 private:
  void read(const ConfigFile& file);
  void fail(std::string_view name, const ConfigOption& option, const std::string& form) const;

  std::map<std::string, ConfigOption, std::less<>> options_;
  Diagnostics& diagnostics_;
};

/// The unit that executes an instruction in the simulators; a unit that a configuration lacks is replaced by another.
enum class SimulatedUnit { Int, Sp, Dp, Sfu, Tensor, Branch };

/// The number of units of one kind and the name of their pipeline.
struct UnitCount {
  std::string pipeline;
  std::int64_t count = 0;  ///< 0: nothing executes such instructions
};

/// @return the unit, or the one that stands in for it: without integer units the single-precision ones execute
///         integers, without double-precision units the special-function ones doubles
UnitCount unit_of(SimulatedUnit unit, const ConfigOptions& options);

/// An op of the common vocabulary and its timing in the files.
struct OpPair {
  std::string_view op;
  SimulatedUnit unit = SimulatedUnit::Int;
  double latency = 0, initiation = 0;
  std::string reference;  ///< the options, their lines
};

/// The pairs of the files, in the order of the vocabulary; one per op.
/// @param notes  takes the latencies that have no initiation interval
std::vector<OpPair> op_pairs(const ConfigOptions& options, std::vector<std::string>& notes);

/// Adds the ops that have a (latency, initiation interval) pair, with the pipelines of the units that execute them.
/// @param device  with its schedulers
/// @param notes   takes the ops that are left out, each with the reason
void add_arithmetic(const ConfigOptions& options, Device& device, std::vector<std::string>& notes);

/// Adds the accesses to memory that the options give a latency to.
/// @param device  with its clock and memory
/// @param notes   takes what is missing for caches
void add_memory(const ConfigOptions& options, Device& device, std::vector<std::string>& notes);

}  // namespace warpipe::detail
