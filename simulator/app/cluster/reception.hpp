#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cluster/link.hpp"
#include "cluster/rank_messages.hpp"
#include "warpipe/sweep/desk.hpp"

namespace warpipe::app {

constexpr int kToLead = 1, kDismissed = 2, kAnswers = 16;  ///< tags; an answer has that of its thread above the last

/// Brings the reports of the other ranks to the desk of a study, and its ranges to them.
class Reception {
 public:
  /// @param study  the fingerprint of what this rank has read
  /// @param keep   called with each result that arrives, at once
  Reception(Link& link, Desk& desk, std::uint64_t study,
            std::function<void(std::size_t index, std::string result)> keep,
            std::function<void(const std::string&)> warn);

  /// Serves until no thread of any other rank works for the study.
  void serve();

 private:
  struct Asker {
    std::size_t rank = 0, thread = 0;
    Desk::Worker worker() const { return rank << 32 | thread; }
  };

  void hear(const Link::Message& message);
  static std::string name_of(const Asker& asker, const ToLead& said);
  void hear_hello(const Asker& asker, const ToLead& hello);
  void hear_report(const Asker& asker, ToLead report);
  void hear_failure(const Asker& asker, const ToLead& failure);
  void answer_waiting();
  /// @return whether there was an answer
  bool answer(const Asker& asker);

  Link& link_;
  Desk& desk_;
  std::uint64_t study_;
  std::function<void(std::size_t, std::string)> keep_;
  std::function<void(const std::string&)> warn_;
  std::set<std::size_t> part_takers_;  ///< ranks that have read the same
  std::vector<Asker> waiting_;
  std::size_t changes_ = 0;  ///< of the desk, when the waiting ones were looked at
  std::size_t at_work_;      ///< other ranks
};

}  // namespace warpipe::app
