#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "warp_sets.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/schedule.hpp"

namespace warpipe::ptx {

/// Writes what the warps of a group did as a kernel: stage 7 of the import.
class KernelBuilder {
 public:
  KernelBuilder(const Routine& routine, const ControlFlow& flow, const Lowered& lowered, const Schedule& schedule,
                Execution& execution)
      : routine_(routine),
        flow_(flow),
        lowered_(lowered),
        schedule_(schedule),
        execution_(execution),
        copies_(routine.instructions.size()) {}

  /// @param warps  the record of each warp's pass
  /// @return a kernel with its body and instructions, nothing else
  Kernel build(const std::vector<std::uint32_t>& warps);

  /// What was averaged.
  const std::set<std::string>& notes() const { return notes_; }

 private:
  /// A warp in a pass through a list of regions.
  struct View {
    std::int64_t warp;
    std::uint32_t record;
  };
  using Views = std::vector<View>;

  /// Passes of a loop in which each warp does the same thing; no record: that warp has left.
  struct Interval {
    std::map<std::int64_t, std::uint32_t> records;  ///< by warp
    std::int64_t passes = 0;
  };

  static Warps warps_of(const Views& views);
  void note_loops(const std::vector<Region>& regions, std::uint32_t header);
  std::vector<Item> list(const std::vector<Region>& regions, const Views& views);
  void block(std::uint32_t index, const Views& views, std::vector<Item>& items);
  void instruction(std::uint32_t index, const Views& views, std::vector<Item>& items);
  void factors(warpipe::Instruction& made, std::uint32_t index, const Views& views) const;
  void loop(const NaturalLoop& loop, std::size_t place, const Views& views, std::vector<Item>& items);
  bool loop_with_table(const NaturalLoop& loop, const std::map<std::int64_t, LoopTrace>& traces,
                       std::vector<Item>& items);
  void repeat(const NaturalLoop& loop, Expression trips, const Views& views, std::vector<Item>& items);
  std::vector<Interval> intervals(const std::map<std::int64_t, LoopTrace>& traces) const;
  std::vector<Interval> by_kind(const std::vector<Interval>& intervals) const;
  std::vector<Interval> averaged(const NaturalLoop& loop, const std::map<std::int64_t, LoopTrace>& traces);
  std::uint32_t average(const std::vector<std::pair<std::uint32_t, double>>& records);
  std::size_t size_of(const std::vector<Region>& regions) const;
  void under(const Warps& some, const Warps& all, std::vector<Item> body, std::vector<Item>& items) const;
  void sources(std::uint32_t record, std::set<std::uint32_t>& result) const;
  void find_dependences();
  std::string text_of(std::uint32_t index) const;
  std::string unique(std::string name, std::map<std::string, int>& used) const;

  const Routine& routine_;
  const ControlFlow& flow_;
  const Lowered& lowered_;
  const Schedule& schedule_;
  Execution& execution_;
  Kernel kernel_;
  std::vector<std::vector<std::size_t>>
      copies_;  ///< by instruction of the routine: those of the kernel that yield its result
  std::vector<std::pair<std::size_t, std::uint32_t>>
      firsts_;  ///< instructions of the kernel that wait for the producers of one of the routine
  std::map<std::size_t, std::set<std::size_t>> further_;  ///< waits behind branches and within an expansion
  std::set<std::size_t> branches_;                        ///< that the next instruction waits for
  std::map<std::uint32_t, std::vector<std::uint32_t>> averaged_from_;
  std::set<std::pair<std::uint32_t, std::size_t>> loop_items_;  ///< of a record: which are traces of loops
  std::map<std::string, int> ids_, loops_;
  std::set<std::string> notes_;
};

/// Reads an expression of `warp`.
Expression expression_of(const std::string& text);

}  // namespace warpipe::ptx
