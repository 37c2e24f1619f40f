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

/// The steps of the import, in their order: the options of the files, their pairs of latency and initiation interval,
/// the ops and pipelines of the device.

namespace warpipe::detail {

/// The value of an option with its place: "gpgpusim.config line 12".
struct ConfigOption {
  std::string value, where;
};

/// The geometry of a cache.
struct ConfigCache {
  std::int64_t bytes = 0, line_bytes = 128, ways = 1;
  std::string reference;  ///< the option, its line
};

/// The options of configuration files. An unreadable value is diagnosed with its line, and counts as missing.
class ConfigOptions {
 public:
  ConfigOptions(const std::vector<ConfigFile>& files, Diagnostics& diagnostics);

  /// @param name  with its leading dash
  const ConfigOption* find(std::string_view name) const;
  std::optional<std::int64_t> whole(std::string_view name, std::int64_t least) const;
  /// Numbers from 0 to 10^9 with a separator between them, at least `least` of them.
  /// @param ending  the end of the value, to be cut off
  std::optional<std::vector<double>> numbers(std::string_view name, char separator, std::size_t least,
                                             std::string_view ending = {}) const;
  /// A cache as TYPE:SETS:BYTES:WAYS; the type is a letter and more may follow behind a comma.
  /// @return nothing, too, for a value of another form
  std::optional<ConfigCache> cache(std::string_view name) const;

 private:
  void read(const ConfigFile& file);
  void fail(std::string_view name, const ConfigOption& option, const std::string& form) const;

  std::map<std::string, ConfigOption, std::less<>> options_;
  Diagnostics& diagnostics_;
};

/// The unit executing an instruction in the simulators; another unit replaces a unit missing in a configuration.
enum class SimulatedUnit { Int, Sp, Dp, Sfu, Tensor, Branch };

/// The number of units of one kind and the name of their pipeline.
struct UnitCount {
  std::string pipeline;
  std::int64_t count = 0;  ///< 0: no unit executes such instructions
};

/// @return the unit, or its substitute: without integer units the single-precision units execute integers, without
///         double-precision units the special-function units execute doubles
UnitCount unit_of(SimulatedUnit unit, const ConfigOptions& options);

/// An op of the common vocabulary and its timing in the files.
struct OpPair {
  std::string_view op;
  SimulatedUnit unit = SimulatedUnit::Int;
  double latency = 0, initiation = 0;
  std::string reference;  ///< the options, their lines
};

/// The pairs of the files, in the order of the vocabulary; one per op.
/// @param notes  takes the latencies without an initiation interval
std::vector<OpPair> op_pairs(const ConfigOptions& options, std::vector<std::string>& notes);

/// Adds the ops with a (latency, initiation interval) pair, and the pipelines of their units.
/// @param device  with its schedulers
/// @param notes   takes the ops left out, each with the reason
void add_arithmetic(const ConfigOptions& options, Device& device, std::vector<std::string>& notes);

/// Adds the accesses to memory with a latency in the options.
/// @param device  with its clock and memory
/// @param notes   takes the options missing for caches
void add_memory(const ConfigOptions& options, Device& device, std::vector<std::string>& notes);

}  // namespace warpipe::detail
