#include "tally.hpp"

namespace warpipe::ptx {
namespace {

class Counter {
 public:
  Counter(const ControlFlow& flow, const Execution& execution) : flow_(flow), execution_(execution) {
    result_.runs.assign(flow.blocks.size(), 0);
    result_.lanes.assign(flow.blocks.size(), 0);
  }

  Tally run(const std::vector<GroupClass>& classes) {
    for (const auto& group : classes)
      for (const auto record : group.warps) records_[record] += group.groups;
    for (const auto& [record, times] : records_) list(flow_.regions, record, times);
    for (const auto& [key, statistics] : execution_.blocks) result_.lanes[key.second] += statistics.lanes;
    for (const auto& [key, statistics] : execution_.accesses) result_.accesses[key.second].add(statistics);
    return std::move(result_);
  }

 private:
  void list(const std::vector<Region>& regions, std::uint32_t record, double times) {
    const auto& items = execution_.pool.record(record).items;
    for (std::size_t place = 0; place < regions.size(); ++place) {
      if (const auto* index = std::get_if<std::uint32_t>(&regions[place].node)) {
        if (items[place] != 0) block(*index, times);
      } else if (items[place] >= 0) {
        loop(std::get<NaturalLoop>(regions[place].node), execution_.pool.trace(items[place]), times);
      }
    }
  }

  void loop(const NaturalLoop& loop, const LoopTrace& trace, double times) {
    std::int64_t passes = 0;
    for (const auto& [pass, count] : trace) {
      list(loop.body, pass, times * static_cast<double>(count));
      passes += count;
    }
    auto& tally = result_.loops[loop.header];
    tally.entries += times;
    tally.passes.add(passes, times);
  }

  void block(std::uint32_t index, double times) { result_.runs[index] += times; }

  const ControlFlow& flow_;
  const Execution& execution_;
  Tally result_;
  std::map<std::uint32_t, double> records_;
};

}  // namespace

Tally tally(const ControlFlow& flow, const Execution& execution, const std::vector<GroupClass>& classes) {
  return Counter(flow, execution).run(classes);
}

}  // namespace warpipe::ptx
