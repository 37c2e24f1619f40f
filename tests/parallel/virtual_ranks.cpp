#include "virtual_ranks.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace warpipe::test {
namespace {

/// A message of a rank on its way: its finished work, and its request for more.
struct Message {
  double arrives = 0;
  std::size_t rank = 0;
  std::size_t done = 0;  ///< points of its range; 0: the first message
  double worked = 0;
  bool operator>(const Message& other) const { return std::pair(arrives, rank) > std::pair(other.arrives, other.rank); }
};

class Run {
 public:
  Run(const VirtualRanks& ranks, const std::vector<double>& points, const HandOutLimits& limits)
      : ranks_(ranks), points_(points), hand_out_({0, points.size()}, limits) {}

  VirtualRun result() {
    for (std::size_t rank = 0; rank < ranks_.count; ++rank) messages_.push({ranks_.latency, rank, 0, 0});
    while (!hand_out_.is_over()) receive();
    const double sum = std::accumulate(points_.begin(), points_.end(), 0.0);
    run_.efficiency = sum / (static_cast<double>(ranks_.count) * run_.seconds);
    return run_;
  }

 private:
  void receive() {
    const Message message = messages_.top();
    messages_.pop();
    now_ = std::max(now_, message.arrives) + ranks_.service;
    if (message.done > 0) {
      ++run_.messages;
      done_ += hand_out_.done(message.rank, message.done, message.worked).value().size();
      run_.most_kept = std::max(run_.most_kept, done_ - hand_out_.finished());
      run_.seconds = now_;
    }
    waiting_.push_back(message.rank);
    std::erase_if(waiting_, [&](std::size_t rank) { return answer(rank); });
  }

  bool answer(std::size_t rank) {
    const auto range = hand_out_.ask(rank);
    if (!range) return false;
    Message report{now_ + 2 * ranks_.latency, rank, 0, 0};
    do {
      report.worked += points_[range->first + report.done++];
    } while (report.done < range->size() && is_worth_going_on(report.worked, hand_out_.seconds_of_range()));
    report.arrives += report.worked;
    messages_.push(report);
    return true;
  }

  VirtualRanks ranks_;
  const std::vector<double>& points_;
  HandOut hand_out_;
  std::priority_queue<Message, std::vector<Message>, std::greater<>> messages_;
  std::vector<std::size_t> waiting_;  ///< for a range
  double now_ = 0;                    ///< of the handing-out rank
  std::size_t done_ = 0;
  VirtualRun run_;
};

}  // namespace

VirtualRun run_on(const VirtualRanks& ranks, const std::vector<double>& points, const HandOutLimits& limits) {
  return Run(ranks, points, limits).result();
}

}  // namespace warpipe::test
