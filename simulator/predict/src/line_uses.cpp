#include "warpipe/predict/line_uses.hpp"

#include <algorithm>
#include <map>

#include "lines_of_launch.hpp"
#include "warpipe/idg/op.hpp"
#include "warpipe/predict/finding.hpp"
#include "warpipe/predict/lower.hpp"

namespace warpipe {
namespace {

/// Adds the uses of the instructions of a line.
class LineSum {
 public:
  void add(const Instruction& instruction, const Use& use, LineUse& line) {
    line.executions = std::max(line.executions, use.executions);
    line.busy.resize(use.busy.size());
    for (std::size_t i = 0; i < use.busy.size(); ++i) line.busy[i] += use.busy[i];
    const auto of = class_of(instruction.op);
    auto& side = access_kind(instruction.op) == AccessKind::Load ? loads_ : stores_;
    if (of == OpClass::GlobalMemory && use.asked > 0 && use.touched > 0)
      side.asked += use.asked, side.touched += use.touched;
    if (of == OpClass::SharedMemory) ways_ += use.ways, shared_ += use.executions;
  }

  void finish(double sector, LineUse& line) const {
    line.loaded_of_sector = loads_.part_of(sector);
    line.stored_of_sector = stores_.part_of(sector);
    if (shared_ > 0) line.ways = ways_ / shared_;
  }

 private:
  struct Side {
    double asked = 0, touched = 0;  ///< bytes
    std::optional<double> part_of(double sector) const {
      return touched > 0 ? std::optional(std::min(sector, sector * asked / touched)) : std::nullopt;
    }
  };

  Side loads_, stores_;
  double ways_ = 0, shared_ = 0;
};

}  // namespace

std::vector<LineUse> line_uses(const LoweredLaunch& launch, const Prediction& prediction) {
  const LinesOfLaunch lines(launch, prediction);
  std::vector<LineUse> uses;
  std::vector<LineSum> sums;
  std::map<std::string, std::size_t> index_of;  // by place
  for (std::size_t i = 0; i < lines.uses.size(); ++i) {
    if (lines.uses[i].executions <= 0) continue;
    const auto place = place_of(lines.instruction(i));
    const auto [found, is_new] = index_of.emplace(place, uses.size());
    const auto index = found->second;
    if (is_new) {
      uses.emplace_back().place = place;
      sums.emplace_back();
    }
    uses[index].instructions.push_back(i);
    sums[index].add(lines.instruction(i), lines.uses[i], uses[index]);
  }
  const double sector = launch.device.memory ? static_cast<double>(launch.device.memory->transaction_bytes) : 0;
  for (std::size_t i = 0; i < uses.size(); ++i) sums[i].finish(sector, uses[i]);
  return uses;
}

}  // namespace warpipe
