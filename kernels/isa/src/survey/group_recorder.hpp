#pragma once

#include <cstdint>
#include <vector>

#include "lanes/interpreter.hpp"
#include "survey/survey.hpp"

namespace warpipe::isa {

/// Records the warps of a group for a survey: their addresses in its log, the costs in its statistics.
class GroupRecorder final : public Recorder {
 public:
  /// @param survey  has a log
  /// @param groups  that the executed group stands for; 0: only its addresses are kept
  GroupRecorder(Survey& survey, double groups) : survey_(survey), groups_(groups) {}

  void iterations(std::uint32_t record, std::int64_t times) override;
  void access(const Interpreter& warp, std::uint32_t record, const Step& step, AddressEvent& event,
              Repetitions repeated) override;
  void block(std::uint32_t record, std::uint32_t block, LaneMask mask, std::int64_t times) override;

 private:
  void touch_sectors(const Access& access, const AddressEvent& event, std::uint32_t array, Repetitions repeated);

  Survey& survey_;
  double groups_;
  std::vector<std::int64_t> passes_;  ///< of the loops around an access
};

}  // namespace warpipe::isa
