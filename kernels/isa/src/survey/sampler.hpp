#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lanes/interpreter.hpp"
#include "survey/survey.hpp"

namespace warpipe::isa {

/// Lets iterations of loops stand for others where all of them would take too long.
class Sampler final : public Sampling {
 public:
  /// @param survey     what was executed before; gets what is passed over
  /// @param questions  gets trips that are assumed where a loop takes far too long
  /// @param most       instructions of the slice that may be executed, those before included
  Sampler(const ExecutionInput& input, Survey& survey, Questions& questions, std::int64_t most);

  std::optional<Stop> beyond(const Interpreter& warp, std::uint32_t instruction) override;
  std::optional<Stop> begin(const Interpreter& warp, LoopFrame& frame) override;
  std::int64_t sample(Interpreter& warp, const NaturalLoop& loop) override;
  Stop endless(const Interpreter& warp, const LoopFrame& frame) override;

 private:
  const LoopFrame* longest_frame(const Interpreter& warp) const;
  std::int64_t most_at_once(const Interpreter& warp, const std::optional<std::int64_t>& trips,
                            std::int64_t iterations) const;
  void set_motions(Interpreter& warp, LoopFrame& frame, LaneMask looping);
  bool limit_by_exits(Interpreter& warp, const LoopInfo& info, LaneMask looping) const;
  bool limit_by(Interpreter& warp, const LoopInfo& info, std::uint32_t instruction, const Input& input,
                std::size_t lane, int depth) const;
  bool limit_by_writer(Interpreter& warp, const LoopInfo& info, std::uint32_t writer, std::uint32_t reg,
                       std::size_t lane, int depth) const;
  bool limit_by_comparison(Interpreter& warp, const Assignment& assignment, std::uint32_t reg, std::size_t lane) const;

  const ExecutionInput& input_;
  Survey& survey_;
  Questions& questions_;
  std::int64_t most_executed_;
  std::vector<bool> erratic_;  ///< by register: it moves otherwise from each iteration to the next
};

/// How a warp is executed.
struct WarpOptions {
  std::int64_t most = INT64_MAX;  ///< instructions of the slice, those that were executed before included
  Recorder* recorder = nullptr;
  SizeTrial* trial = nullptr;
};

/// Executes a warp with all that goes along with it.
/// @return the record of its way through the program
OrStop<std::uint32_t> run_warp(const Prepared& kernel, Survey& survey, Questions& questions, const Dimensions& group,
                               std::int64_t warp, const WarpOptions& options = {});

/// Executes the first warps of a group.
/// @return their records; a stop also where something had to be assumed with which as an answer all has to begin anew
OrStop<std::vector<std::uint32_t>> run_warps(const Prepared& kernel, Survey& survey, Questions& questions,
                                             const Dimensions& group, std::int64_t warps,
                                             const WarpOptions& options = {});

}  // namespace warpipe::isa
