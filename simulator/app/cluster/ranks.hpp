#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "cluster/link.hpp"
#include "cluster/rank_messages.hpp"

namespace warpipe::app {

/// The processes that share a study. Each has read all that the study needs, and makes a result from an index alone.
/// The first one, the lead, hands out the indices, works like the others, and alone writes results and messages.
/// A program that was started alone is the lead of nobody else.
class Ranks {
 public:
  /// @param warn  called at the lead with what happened to other ranks
  /// @throws as open_link
  explicit Ranks(std::function<void(const std::string&)> warn);
  /// Waits until all ranks have come here: the lead sends the others away.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  bool leads() const { return !link_ || link_->rank() == 0; }
  std::size_t size() const { return link_ ? link_->size() : 1; }

  /// A study as all ranks see it.
  struct Study {
    /// What results depend on. A rank that has read something else takes no part.
    std::string inputs;
    std::size_t threads = 0;  ///< of each rank; 0: all cores, and one of several ranks
    /// Called from several threads.
    std::function<std::string(std::size_t index)> make;
  };
  /// At the lead: has all ranks make the results of the indices.
  /// @param take  called with each in order, one call at a time, from any thread
  /// @throws what `make` throws here; GateError where it does so elsewhere; what `take` throws. A rank that fails in
  ///         another way is reported, and its indices go to others
  void for_each_in_order(const Study& study, std::size_t first, std::size_t end,
                         const std::function<void(std::string result)>& take);
  /// At the other ranks: works until the study is over.
  void work(const Study& study);

  /// At another rank: says that it can take no part.
  void give_up(const std::string& why);

 private:
  bool is_dismissed();
  Answer wait_for_answer(std::size_t thread);
  void work_as_thread(const Study& study, std::size_t thread);

  std::function<void(const std::string&)> warn_;
  std::unique_ptr<Link> link_;
  std::atomic<bool> is_dismissed_ = false;  ///< the lead has sent this rank away
};

}  // namespace warpipe::app
