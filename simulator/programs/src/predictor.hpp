#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session.hpp"
#include "warpipe/inputs/text_file.hpp"
#include "warpipe/isa/recorded_loads.hpp"

namespace warpipe::programs {

/// A clock of this machine, seconds.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The predicted time of a launch.
struct LaunchTime {
  bool is_predicted = false;
  double seconds = 0;
  std::string limiter;
  std::size_t assumptions = 0;  ///< numbers that the import assumed, since neither launch nor memory give them
  std::string first_assumption;
  std::size_t recorded_groups = 0;  ///< whose loads control and addresses follow, as they were executed
  std::string problem;              ///< the reason for a missing prediction
};

/// The source of a launch's time.
enum class TimeFrom {
  Prediction,  ///< of this launch
  Same,        ///< of an earlier launch, with the same arguments and the same data where its control reads some
  Others,      ///< between predicted launches of the same kernel, by executed instructions
  None
};

/// An array that decides the course of a launch, by the byte offset of its pointer in the parameters, and a sum of its
/// bytes before the launch.
struct LookedAt {
  std::int64_t pointer = -1;  ///< -1: the variable below
  std::string variable;
  std::uint64_t sum = 0;
};

/// Predicts launches with their arguments and the contents of memory.
class Predictor {
 public:
  explicit Predictor(Session& session) : session_(session) {}

  /// Before a launch: the time of an earlier launch with the same arguments, where the same data decide; nothing where
  /// there was none.
  std::optional<LaunchTime> known(const LaunchCall& call);
  /// Whether there is effort left to predict it; else its time is to be asked for by its work.
  bool may_predict(const LaunchCall& call) const;
  /// Before a launch that is executed before it is predicted: all its arrays.
  std::vector<LookedAt> look_at(const LaunchCall& call) const;
  /// Predicts a launch, and keeps its time.
  /// @param recorded  the values loaded during its execution; null: the present contents of memory decide
  /// @param before    look_at, where `recorded` is given
  LaunchTime predict(const LaunchCall& call, std::shared_ptr<const isa::RecordedLoads> recorded = {},
                     const std::vector<LookedAt>& before = {});
  /// Of a launch without a prediction of its own.
  /// @param instructions  executed for it; 0: none
  LaunchTime time_by_work(const LaunchCall& call, std::uint64_t instructions);
  /// Notes the number of executed instructions of a launch with a known time.
  void note_work(const LaunchCall& call, std::uint64_t instructions, const LaunchTime& time, TimeFrom from);

 private:
  struct Code {
    TextFile file;
    std::optional<code::Module> module;
    std::string problem;
  };
  struct Known {
    std::vector<LookedAt> looked_at;
    LaunchTime time;
  };
  /// Launches with the same arguments.
  struct Alike {
    std::vector<Known> known;
    /// The number of successive predictions with the same time and the same instructions, though data differed.
    std::size_t steady = 0;
    std::uint64_t instructions = 0;  ///< of the latest prediction
    double seconds = 0;              ///< likewise
  };
  using Sums = std::map<std::pair<std::int64_t, std::string>, std::uint64_t>;

  Code& code_of(Image& image);
  LaunchTime import_and_predict(const LaunchCall& call, std::shared_ptr<const isa::RecordedLoads> recorded,
                                std::vector<LookedAt>& looked_at);
  std::uint64_t sum_of(const LaunchCall& call, const LookedAt& looked, Sums& sums) const;
  bool were_reached(const LaunchCall& call, const isa::RecordedLoads& recorded, const std::vector<LookedAt>& before,
                    std::vector<LookedAt>& reached) const;

  Session& session_;
  std::map<const Image*, Code> codes_;
  std::map<std::string, Alike> alike_;              ///< by arguments
  Alike* current_ = nullptr;                        ///< of the launch asked for last
  std::map<const Kernel*, std::size_t> predicted_;  ///< launches of each kernel
  /// By kernel: seconds by the number of executed instructions.
  std::map<const Kernel*, std::map<std::uint64_t, LaunchTime>> by_work_;
  std::map<const Kernel*, LaunchTime> latest_;
  double seconds_spent_ = 0;
};

}  // namespace warpipe::programs
