#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "survey/survey.hpp"

namespace warpipe::isa {

/// Measurements of instructions by the slice, in the iterations that a kernel puts together.
class MeasuredRecords {
 public:
  /// @param survey  outlives this, with unchanged measurements
  MeasuredRecords(const ControlFlow& flow, const Survey& survey) : flow_(flow), survey_(survey) {}

  struct Measured {
    AccessStatistics accesses;
    double idle = 0;  ///< executions without an active lane: in machine code, where a guard does not hold
  };

  /// Measurements of an access to memory, over some records: for mixed records, over their sources. Each record counts
  /// once. Valid as long as this.
  const Measured& of(std::uint32_t instruction, const std::vector<std::uint32_t>& records);

  /// By mixed record: its sources. A new record may be added before its first measurement is read.
  std::map<std::uint32_t, std::set<std::uint32_t>>& made_from() { return made_from_; }

 private:
  using Records = std::vector<std::uint32_t>;  ///< in order, each once

  void add_sources(std::uint32_t record, std::set<std::uint32_t>& mixed, Records& result) const;
  const Records& sources_of(const std::vector<std::uint32_t>& records);
  Measured measure(std::uint32_t instruction, const Records& records) const;

  const ControlFlow& flow_;
  const Survey& survey_;
  std::map<std::uint32_t, std::set<std::uint32_t>> made_from_;
  std::map<std::vector<std::uint32_t>, const Records*> sources_;  ///< by records in question
  std::set<Records> different_;                                   ///< lists of sources, each once
  std::map<std::pair<const Records*, std::uint32_t>, Measured> measured_;
};

}  // namespace warpipe::isa
