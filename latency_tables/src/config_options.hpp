#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/simulator_config.hpp"

namespace warpipe::detail {

/// The value of an option and where it stands: "gpgpusim.config line 12".
struct ConfigOption {
  std::string value, where;
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

 private:
  void read(const ConfigFile& file);
  void fail(std::string_view name, const ConfigOption& option, const std::string& form) const;

  std::map<std::string, ConfigOption, std::less<>> options_;
  Diagnostics& diagnostics_;
};

}  // namespace warpipe::detail
