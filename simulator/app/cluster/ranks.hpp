#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "cluster/link.hpp"
#include "cluster/rank_messages.hpp"
#include "cluster/reception.hpp"
#include "warpipe/parallel/hand_out.hpp"

namespace warpipe::app {

/// The processes that share a study. Each has read all inputs of the study, and makes the result of an item alone. The
/// first, the lead, hands out the items, works like the rest, and alone writes results and messages. A program started
/// alone is a lead without other ranks.
class Ranks {
 public:
  /// @param warn  called at the lead with the failures of other ranks
  /// @throws as open_link
  explicit Ranks(std::function<void(const std::string&)> warn);
  /// Waits until all ranks have come here: the lead sends the rest away.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  bool leads() const { return !link_ || link_->rank() == 0; }
  std::size_t size() const { return link_ ? link_->size() : 1; }

  /// A study as all ranks see it.
  struct Study {
    /// The inputs of the results, asked for where there are several ranks: a rank with different inputs takes no part.
    std::function<std::string()> inputs;
    std::size_t threads = 0;  ///< of each rank; 0: all cores, or a single thread with several ranks
    /// Makes the result of an item, a number with the same meaning at all ranks. Called from several threads.
    std::function<std::string(std::uint64_t item)> make;
  };
  /// At the lead: has all ranks make the results of items. May be called several times for a study.
  /// @param indices  of the items
  /// @param item     of an index
  /// @param take     called with each result in order, from any thread, without overlapping calls
  /// @throws exceptions of `make` here; GateError for a GateError of `make` elsewhere; exceptions of `take`. Any other
  ///         failure of a rank is reported, and its items go to other ranks
  void for_each_in_order(const Study& study, IndexRange indices,
                         const std::function<std::uint64_t(std::size_t index)>& item,
                         const std::function<void(std::string result)>& take);
  /// At other ranks: works until the lead sends them away.
  void work(const Study& study);

  /// At another rank: reports that it can take no part.
  void give_up(const std::string& why);

 private:
  bool is_dismissed();
  Items wait_for_items(std::size_t thread);
  void work_as_thread(const Study& study, std::size_t thread);

  std::function<void(const std::string&)> warn_;
  std::unique_ptr<Link> link_;
  std::unique_ptr<Reception> reception_;    ///< at a lead with other ranks, once there is a study
  std::atomic<bool> is_dismissed_ = false;  ///< the lead has sent this rank away
};

}  // namespace warpipe::app
