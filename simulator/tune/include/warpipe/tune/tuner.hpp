#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "warpipe/inputs/compiler.hpp"
#include "warpipe/inputs/import_request.hpp"
#include "warpipe/inputs/machine_code.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/launch.hpp"
#include "warpipe/tune/space.hpp"
#include "warpipe/views/tuning_view.hpp"

namespace warpipe {

/// The options common to all configurations.
struct TunerOptions {
  CompilerOptions compiler;
  MachineCodeOptions machine_code;
  ImportRequest request;  ///< values of a configuration's launch go before
  LaunchOptions launch;
  BeforeReading before = {};
};

/// The configurations of a space on some devices: compiled, bounded and simulated when asked, from several threads. An
/// answer on a configuration depends only on the space, the source and the devices.
///
///     source, macros -> compiler (each distinct source once) -> PTX, machine code (kept in files)
///                    -> import: bound (each configuration) -> caches, simulation (those that are asked for)
class Tuner {
 public:
  /// @param source  of the kernel
  /// @throws UsageError, InputError, ModelError as configurations_of
  Tuner(TuningSpace space, std::string source, std::vector<Device> devices, TunerOptions options);
  ~Tuner();
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;

  const TuningSpace& space() const;
  /// Of the source, as source_files; none where it is not compiled.
  const std::vector<TextFile>& files() const;
  const std::vector<Device>& devices() const;
  const std::vector<Configuration>& configurations() const;
  /// Keeps `count` configurations, drawn at random without replacement.
  void draw(std::size_t count, std::uint64_t seed);

  /// A configuration on a device.
  struct Item {
    std::size_t configuration = 0, device = 0;
  };
  /// All of them in parts whose configurations share a source and are bounded together. The first parts are of
  /// different sources, so that several are compiled at a time.
  std::vector<std::vector<Item>> parts() const;
  /// Distinct sets of flags: the number of sources to compile, for each kind of device.
  std::size_t sources() const;

  /// The bound of a configuration with any result of its caches, or the reason why a device does not run it. Compiles
  /// its source where that has not been done yet.
  TunedPoint bound(const Item& item) const;
  /// Reports the problem of a configuration without a bound, in full.
  /// @throws UsageError, InputError, ModelError
  void explain(const Item& item) const;
  /// Predicts it. Where its bound is known, the result may lack the sizes of the launch.
  /// @param worst       a time in seconds: where the bound with caches is above it, only the bound is returned
  /// @param with_range  return the range of the time, too
  /// @param warnings    takes the warnings of the prediction, with doubts of one unit; may be null
  TunedPoint simulate(const Item& item, double worst, bool with_range,
                      std::vector<std::string>* warnings = nullptr) const;

  /// The cost so far of this process, in seconds of CPU, without compilers.
  struct Cost {
    std::size_t bounded = 0, simulated = 0;
    double bounding = 0, simulating = 0;
  };
  Cost cost() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpipe
