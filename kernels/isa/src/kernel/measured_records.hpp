#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "survey/survey.hpp"

namespace warpipe::isa {

/// What the slice measured of instructions in iterations that a kernel puts together.
class MeasuredRecords {
 public:
  /// @param execution  outlives this, and what it measured does not change
  MeasuredRecords(const ControlFlow& flow, const Survey& survey) : flow_(flow), survey_(survey) {}

  struct Measured {
    AccessStatistics accesses;
    double idle = 0;  ///< executions without an active lane: machine code does that where a guard does not hold
  };

  /// Of an access to memory, in all of some records: in those that are mixed, what was measured of the ones they are
  /// mixed from. Each record counts once. Valid as long as this.
  const Measured& of(std::uint32_t instruction, const std::vector<std::uint32_t>& records);

  /// By record that was mixed: those that it was made from. A new one may be added before it is asked for.
  std::map<std::uint32_t, std::set<std::uint32_t>>& made_from() { return made_from_; }

 private:
  using Records = std::vector<std::uint32_t>;  ///< in order, each once

  void add_sources(std::uint32_t record, std::set<std::uint32_t>& mixed, Records& result) const;
  const Records& sources_of(const std::vector<std::uint32_t>& records);
  Measured measure(std::uint32_t instruction, const Records& records) const;

  const ControlFlow& flow_;
  const Survey& survey_;
  std::map<std::uint32_t, std::set<std::uint32_t>> made_from_;
  std::map<std::vector<std::uint32_t>, const Records*> sources_;  ///< by records that were asked for
  std::set<Records> different_;                                   ///< of these, each once
  std::map<std::pair<const Records*, std::uint32_t>, Measured> measured_;
};

}  // namespace warpipe::isa
