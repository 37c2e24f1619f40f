#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lanes/interpreter.hpp"
#include "survey/survey.hpp"

namespace warpipe::isa {

/// Samples loops: lets an iteration stand for further iterations where all would take too long.
class Sampler final : public Sampling {
 public:
  /// @param survey     has the executed instructions so far; counts iterations passed over
  /// @param questions  gets trips assumed for a loop that takes far too long
  /// @param most       limit of executed instructions of the slice, earlier instructions included
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
  std::vector<bool> erratic_;  ///< by register: its motion changes from iteration to iteration
};

/// Options for the execution of a warp.
struct WarpOptions {
  std::int64_t most = INT64_MAX;  ///< limit of executed instructions of the slice, earlier instructions included
  Recorder* recorder = nullptr;
  SizeTrial* trial = nullptr;
};

/// Executes a warp with all its companions.
/// @return the record of its way through the program
OrStop<std::uint32_t> run_warp(const Prepared& kernel, Survey& survey, Questions& questions, const Dimensions& group,
                               std::int64_t warp, const WarpOptions& options = {});

/// Executes the first warps of a group.
/// @return their records; a stop also after assumptions that, as answers, would change the execution before them
OrStop<std::vector<std::uint32_t>> run_warps(const Prepared& kernel, Survey& survey, Questions& questions,
                                             const Dimensions& group, std::int64_t warps,
                                             const WarpOptions& options = {});

}  // namespace warpipe::isa
