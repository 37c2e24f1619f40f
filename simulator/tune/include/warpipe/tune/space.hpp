#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/inputs/text_file.hpp"
#include "warpipe/isa/launch.hpp"
#include "warpipe/tune/formula.hpp"

/// Spaces of configurations over which a kernel is tuned.

namespace warpipe {

/// A name with its possible values.
struct Tunable {
  std::string name;
  std::vector<FormulaValue> values;
};

/// The measured time of a configuration.
struct MeasuredTime {
  std::optional<double> seconds = {};  ///< the mean of all runs
  std::size_t runs = 0;
  std::string failure = {};  ///< the reason of a missing time, as the file gives it
};

/// A choice of values.
struct Configuration {
  std::vector<std::uint32_t> values;                     ///< for each tunable, the index of its value
  std::optional<isa::Dimensions> block = {}, grid = {};  ///< of the launch, where a file states them
};

/// Times measured on a device.
struct MeasuredTimes {
  std::string device;  ///< as the file calls it; empty where the file names none
  std::map<std::vector<std::uint32_t>, MeasuredTime> by_values;
};

/// A space of configurations: the tunables, the restrictions, and the formulas of the compilation and the launch.
/// Formulas know the tunables and the constants.
struct TuningSpace {
  std::string file;    ///< for messages
  std::string form;    ///< "Kernel Tuner's cache"
  std::string source;  ///< beside the file; empty where it names none
  std::string entry;   ///< the kernel; empty: the only kernel
  std::vector<Tunable> tunables;
  std::vector<Formula> restrictions;
  FormulaNames constants;
  /// Macros of the compilation. Empty: each tunable named in the source is a macro.
  std::map<std::string, Formula> macros;
  std::vector<std::string> flags;    ///< of the compiler, in which {FORMULA} stands for its value
  std::vector<Formula> block, grid;  ///< along up to three axes; empty where not stated
  bool grid_is_assumed = false;      ///< the file states the problem, not its division into groups
  std::optional<Formula> dynamic_shared_memory;
  std::map<std::string, Formula> arguments;
  /// All configurations, where the file lists them. Else the restrictions choose among all combinations.
  std::vector<Configuration> listed;
  std::vector<MeasuredTimes> measured;
};

/// Reads a space of one of these forms, told apart by their content: warpipe's own (format "warpipe-space"), a T1 input
/// of Kernel Tuner, a cache of Kernel Tuner, output of KTT.
/// @throws InputError with all problems of the file
TuningSpace read_space(const TextFile& file);

/// Adds times measured elsewhere: from a cache of Kernel Tuner, from output of KTT, or from a CSV with a column for
/// each tunable, a column for the time (ms, us, time_ms, time_us or measured_us) and perhaps a column called device.
/// @return the number of rows without a configuration in the space
/// @throws InputError with all problems of the file
std::size_t add_measured(const TextFile& file, TuningSpace& space);

/// The times measured on a device: times whose device is called like its name or title, or the only times where it is
/// the only device.
/// @return null where there are none
const MeasuredTimes* times_on(const TuningSpace& space, const std::string& name, const std::string& title,
                              bool is_only);

/// The most configurations of a space.
inline constexpr std::size_t kMostConfigurations = 1'000'000;

/// The configurations that the restrictions leave. Where they are not listed, the last tunable varies fastest, and a
/// restriction is checked as soon as the names in it have values.
/// @throws InputError where there are more than kMostConfigurations, or none; ModelError as Formula::evaluate
std::vector<Configuration> configurations_of(const TuningSpace& space);

/// The names that formulas may use.
FormulaNames names_at(const TuningSpace& space, const Configuration& configuration);

/// @return "block_size_x=16, tile=2"
std::string show(const TuningSpace& space, const Configuration& configuration);

/// The compilation and the launch of a configuration.
struct TunedLaunch {
  std::vector<std::string> flags;  ///< of the compiler: macros and others
  std::optional<isa::Dimensions> block, grid;
  std::optional<std::int64_t> dynamic_shared_memory;
  std::map<std::string, std::string> arguments;
};

/// @throws ModelError for a formula without a value, or with a value that a launch cannot have
TunedLaunch launch_of(const TuningSpace& space, const Configuration& configuration);

/// Where the space has no macros: each tunable that the source has as a word becomes a macro of its name, and
/// configurations with equal macros share their compiled code.
/// @param files  of the source, see source_files
void choose_macros(TuningSpace& space, const std::vector<TextFile>& files);

}  // namespace warpipe
