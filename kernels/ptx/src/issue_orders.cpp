#include "issue_orders.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "opcode_table.hpp"

namespace warpipe::ptx {
namespace {

/// Cycles until a result can be read, about as compilers take them: only the difference of long and short matters.
int latency(const Instruction& instruction) {
  if (reaches_texture(instruction)) return 40;
  if (is_access(instruction)) return instruction.space() == StateSpace::Shared ? 20 : 40;
  return row_of(instruction).has(kLong) ? 20 : 5;
}

bool reads_only(const Instruction& instruction) { return instruction.opcode() == "ld"; }

}  // namespace

IssueOrders::IssueOrders(const Routine& routine, const LiveValues& values, std::uint32_t first, std::uint32_t last,
                         const RegisterSet& behind)
    : routine_(routine), values_(values), behind_(behind) {
  auto live = behind;
  for (auto i = last; i-- > first;) {
    if (values.is_left(i, live)) nodes_.push_back(i);
    values.step_back(i, live);
  }
  std::ranges::reverse(nodes_);
  find_dependences(last);
}

void IssueOrders::find_dependences(std::uint32_t last) {
  before_.resize(nodes_.size());
  producers_.resize(nodes_.size());
  std::map<std::uint32_t, std::uint32_t> writer;
  std::map<std::uint32_t, std::vector<std::uint32_t>> readers;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    for (const auto reg : values_.reads(nodes_[node])) {
      if (const auto found = writer.find(reg); found != writer.end()) producers_[node].insert(found->second);
      readers[reg].push_back(node);
    }
    before_[node] = producers_[node];
    for (const auto reg : values_.writes(nodes_[node])) {
      if (const auto found = writer.find(reg); found != writer.end()) before_[node].insert(found->second);
      for (const auto reader : std::exchange(readers[reg], {}))
        if (reader != node) before_[node].insert(reader);
      writer[reg] = node;
    }
    const bool ends = (nodes_[node] + 1 == last && !routine_.targets[nodes_[node]].empty()) || leaves(at(node));
    if (ends)
      for (std::uint32_t other = 0; other < node; ++other) before_[node].insert(other);
    else
      add_memory(node);
  }
}

void IssueOrders::add_memory(std::uint32_t node) {
  const auto follow = [&](const std::vector<std::uint32_t>& others, bool all) {
    for (const auto other : others)
      if (all || (may_meet(at(node), at(other)) && !at(other).has("nc"))) before_[node].insert(other);
  };
  follow(fences_, true);
  if (orders_memory(at(node))) {
    follow(loads_, true);
    follow(writers_, true);
    loads_.clear();
    writers_.clear();
    fences_ = {node};
  } else if (is_access(at(node))) {
    if (!at(node).has("nc")) follow(writers_, false);
    if (!reads_only(at(node))) follow(loads_, false);
    (reads_only(at(node)) ? loads_ : writers_).push_back(node);
  }
}

/// By how many words more are alive before it than behind it.
std::int64_t IssueOrders::growth(std::uint32_t node, const RegisterSet& live) const {
  const auto i = nodes_[node];
  std::int64_t result = 0;
  if (values_.overwrites(i))
    for (const auto reg : values_.writes(i)) result -= live.has(reg) ? values_.words(reg) : 0;
  for (const auto reg : values_.reads(i)) {
    const bool ends_here =
        values_.overwrites(i) && std::ranges::find(values_.writes(i), reg) != values_.writes(i).end();
    if (!live.has(reg) || ends_here) result += values_.words(reg);
  }
  return result;
}

std::vector<std::uint32_t> IssueOrders::tight() const {
  std::vector<std::uint32_t> followers(nodes_.size(), 0), order;
  for (const auto& producers : before_)
    for (const auto producer : producers) ++followers[producer];
  std::set<std::uint32_t, std::greater<>> ready;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    if (followers[node] == 0) ready.insert(node);
  auto live = behind_;
  while (!ready.empty()) {
    // Of several alike the last of the text.
    const auto next = *std::ranges::min_element(ready, {}, [&](auto node) { return growth(node, live); });
    ready.erase(next);
    values_.step_back(nodes_[next], live);
    order.push_back(nodes_[next]);
    for (const auto producer : before_[next])
      if (--followers[producer] == 0) ready.insert(producer);
  }
  std::ranges::reverse(order);
  return order;
}

int IssueOrders::distance(std::uint32_t producer, std::uint32_t consumer) const {
  return producers_[consumer].contains(producer) ? latency(at(producer)) : 1;
}

std::vector<int> IssueOrders::longest_chains() const {
  std::vector<int> chains;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) chains.push_back(latency(at(node)));
  for (auto node = static_cast<std::uint32_t>(nodes_.size()); node-- > 0;)
    for (const auto producer : before_[node])
      chains[producer] = std::max(chains[producer], chains[node] + distance(producer, node));
  return chains;
}

std::vector<std::uint32_t> IssueOrders::early() const {
  const auto chains = longest_chains();
  std::vector<std::vector<std::uint32_t>> followers(nodes_.size());
  std::vector<std::size_t> waits_for;
  std::vector<int> earliest(nodes_.size(), 0);
  std::set<std::uint32_t> ready;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    waits_for.push_back(before_[node].size());
    if (before_[node].empty()) ready.insert(node);
    for (const auto producer : before_[node]) followers[producer].push_back(node);
  }
  std::vector<std::uint32_t> order;
  for (int cycle = 0; !ready.empty(); ++cycle) {
    const auto soonest = *std::ranges::min_element(ready, {}, [&](auto node) { return earliest[node]; });
    cycle = std::max(cycle, earliest[soonest]);
    const auto next = *std::ranges::max_element(
        ready, {}, [&](auto node) { return earliest[node] <= cycle ? chains[node] : std::numeric_limits<int>::min(); });
    ready.erase(next);
    order.push_back(nodes_[next]);
    for (const auto follower : followers[next]) {
      earliest[follower] = std::max(earliest[follower], cycle + distance(next, follower));
      if (--waits_for[follower] == 0) ready.insert(follower);
    }
  }
  return order;
}

}  // namespace warpipe::ptx
