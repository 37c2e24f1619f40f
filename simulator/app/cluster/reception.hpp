#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cluster/link.hpp"
#include "cluster/rank_messages.hpp"
#include "warpipe/parallel/desk.hpp"

namespace warpipe::app {

constexpr int kToLead = 1, kDismissed = 2, kAnswers = 16;  ///< tags; the items for a thread have kAnswers + thread

/// Brings the reports of other ranks to the desk of the present work, and its ranges to them.
class Reception {
 public:
  /// @param inputs  the fingerprint of this rank's inputs
  /// @param warn    called with the failures of other ranks
  Reception(Link& link, std::uint64_t inputs, std::function<void(const std::string&)> warn);

  /// The desk with its items and results.
  struct Counter {
    Desk& desk;
    std::function<std::uint64_t(std::size_t index)> item;
    std::function<void(std::size_t index, std::string result)> keep;  ///< called with each result that arrives
  };
  /// Serves until the desk's work is over. Free ranks then wait for the next work.
  void serve(const Counter& counter);

 private:
  struct Asker {
    std::size_t rank = 0, thread = 0;
    Desk::Worker worker() const { return rank << 32 | thread; }
  };

  void note(const Counter& counter, const Link::Message& message);
  void note_hello(const Asker& asker, const ToLead& hello);
  void note_report(const Counter& counter, const Asker& asker, ToLead report);
  void note_failure(Desk& desk, const Asker& asker, const ToLead& failure);
  void answer_waiting(const Counter& counter);
  /// @return whether the desk had a range for it
  bool answer(const Counter& counter, const Asker& asker);

  Link& link_;
  std::uint64_t inputs_;
  std::function<void(const std::string&)> warn_;
  std::set<std::size_t> others_;  ///< ranks with different inputs
  std::vector<Asker> waiting_;
};

}  // namespace warpipe::app
