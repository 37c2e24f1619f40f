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

/// Spaces of configurations that somebody tunes a kernel over.

namespace warpipe {

/// A name with the values that it may have.
struct Tunable {
  std::string name;
  std::vector<FormulaValue> values;
};

/// What somebody measured of a configuration.
struct MeasuredTime {
  std::optional<double> seconds = {};  ///< the mean of all runs
  std::size_t runs = 0;
  std::string failure = {};  ///< why it has no time, as the file says it
};

/// A choice of values.
struct Configuration {
  std::vector<std::uint32_t> values;                     ///< of each tunable, which of its values
  std::optional<isa::Dimensions> block = {}, grid = {};  ///< where a file says what was launched
};

/// Times that somebody measured on a device.
struct MeasuredTimes {
  std::string device;  ///< as the file calls it; empty where it does not say
  std::map<std::vector<std::uint32_t>, MeasuredTime> by_values;
};

/// A space of configurations: what varies, what must hold, and what it makes of the compilation and the launch.
/// Formulas know the tunables and the constants.
struct TuningSpace {
  std::string file;    ///< for messages
  std::string form;    ///< "Kernel Tuner's cache"
  std::string source;  ///< beside the file; empty where it names none
  std::string entry;   ///< the kernel; empty: the only one
  std::vector<Tunable> tunables;
  std::vector<Formula> restrictions;
  FormulaNames constants;
  /// Macros of the compilation. Empty: each tunable that the source names is a macro.
  std::map<std::string, Formula> macros;
  std::vector<std::string> flags;    ///< of the compiler, in which {FORMULA} stands for its value
  std::vector<Formula> block, grid;  ///< along up to three axes; empty where nothing is said
  bool grid_is_assumed = false;      ///< the file says what the problem is, not how groups divide it
  std::optional<Formula> dynamic_shared_memory;
  std::map<std::string, Formula> arguments;
  /// All configurations, where the file lists them. Else the restrictions choose among all combinations.
  std::vector<Configuration> listed;
  std::vector<MeasuredTimes> measured;
};

/// Reads a space of one of these forms, told apart by what they hold: warpipe's own (format "warpipe-space"), a T1
/// input of Kernel Tuner, a cache of Kernel Tuner, what KTT writes.
/// @throws InputError with all problems of the file
TuningSpace read_space(const TextFile& file);

/// Adds times that were measured elsewhere: of a cache of Kernel Tuner, of what KTT writes, or of a CSV that has a
/// column for each tunable, one of the time (ms, us, time_ms, time_us or measured_us) and perhaps one called device.
/// @return how many rows are of no configuration of the space
/// @throws InputError with all problems of the file
std::size_t add_measured(const TextFile& file, TuningSpace& space);

/// The times that were measured on a device: those whose device is called like its name or title, or the only ones
/// where it is the only device.
/// @return null where there are none
const MeasuredTimes* times_on(const TuningSpace& space, const std::string& name, const std::string& title,
                              bool is_only);

/// The most configurations of a space.
inline constexpr std::size_t kMostConfigurations = 1'000'000;

/// The configurations that the restrictions leave. Where they are not listed, the last tunable varies fastest, and a
/// restriction is asked as soon as the names that it uses have values.
/// @throws InputError where there are more than kMostConfigurations, or none; ModelError as Formula::evaluate
std::vector<Configuration> configurations_of(const TuningSpace& space);

/// The names that formulas may use.
FormulaNames names_at(const TuningSpace& space, const Configuration& configuration);

/// @return "block_size_x=16, tile=2"
std::string show(const TuningSpace& space, const Configuration& configuration);

/// What is compiled and launched for a configuration.
struct TunedLaunch {
  std::vector<std::string> flags;  ///< of the compiler: macros and others
  std::optional<isa::Dimensions> block, grid;
  std::optional<std::int64_t> dynamic_shared_memory;
  std::map<std::string, std::string> arguments;
};

/// @throws ModelError for a formula that has no value, or one that a launch cannot have
TunedLaunch launch_of(const TuningSpace& space, const Configuration& configuration);

/// Where the space says no macros: each tunable that the source has as a word becomes one of its name, and
/// configurations that differ in others share what is compiled.
/// @param files  of the source, see source_files
void choose_macros(TuningSpace& space, const std::vector<TextFile>& files);

}  // namespace warpipe
