#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "session.hpp"
#include "warpipe/inputs/text_file.hpp"

namespace warpipe::programs {

/// A clock of this machine, seconds.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What a launch is predicted to take.
struct LaunchTime {
  bool is_predicted = false;
  double seconds = 0;
  std::string limiter;
  std::size_t assumptions = 0;  ///< numbers that the import assumed, since neither launch nor memory say them
  std::string first_assumption;
  std::string problem;  ///< why it is not predicted
};

/// How a launch got its time.
enum class TimeFrom {
  Prediction,  ///< of this launch
  Same,        ///< of one before, with the same arguments and the same data where its control reads some
  Others,      ///< between those of the same kernel that are predicted, by instructions that were executed
  None
};

/// Predicts launches with their arguments and with what memory holds before them.
class Predictor {
 public:
  explicit Predictor(Session& session) : session_(session) {}

  /// @return the time; nothing where the effort for predictions is spent, and it is to be asked for by its work
  std::optional<std::pair<LaunchTime, TimeFrom>> time_of(const LaunchCall& call);
  /// Of a launch that is not predicted itself.
  /// @param instructions  that were executed of it; 0: none
  LaunchTime time_by_work(const LaunchCall& call, std::uint64_t instructions);
  /// Says how many instructions were executed of a launch that time_of told the time of.
  void note_work(const LaunchCall& call, std::uint64_t instructions, const LaunchTime& time, TimeFrom from);

 private:
  struct Code {
    TextFile file;
    std::optional<code::Module> module;
    std::string problem;
  };
  /// An array that an import looked at, by the bytes of the parameters before its pointer, and a sum of what it held.
  struct Looked {
    std::int64_t pointer = -1;  ///< -1: the variable of that name
    std::string variable;
    std::uint64_t sum = 0;
  };
  struct Known {
    std::vector<Looked> looked;
    LaunchTime time;
  };
  /// Launches with the same arguments.
  struct Alike {
    std::vector<Known> known;
    /// How many predictions in a row came to the same time and the same instructions, though data differed.
    std::size_t steady = 0;
    std::uint64_t instructions = 0;  ///< of the latest
  };
  using Sums = std::map<std::pair<std::int64_t, std::string>, std::uint64_t>;

  Code& code_of(Image& image);
  LaunchTime predict(const LaunchCall& call, std::vector<Looked>& looked);
  std::uint64_t sum_of(const LaunchCall& call, const Looked& looked, Sums& sums) const;

  Session& session_;
  std::map<const Image*, Code> codes_;
  std::map<std::string, Alike> alike_;              ///< by arguments
  Alike* current_ = nullptr;                        ///< those of the launch that was asked for last
  std::map<const Kernel*, std::size_t> predicted_;  ///< launches of each kernel
  /// By kernel: seconds by the instructions that were executed.
  std::map<const Kernel*, std::map<std::uint64_t, LaunchTime>> by_work_;
  std::map<const Kernel*, LaunchTime> latest_;
  double seconds_spent_ = 0;
};

}  // namespace warpipe::programs
