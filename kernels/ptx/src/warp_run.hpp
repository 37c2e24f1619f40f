#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "access_cost.hpp"
#include "lane_slope.hpp"
#include "prepared.hpp"

namespace warpipe::ptx {

using LaneMask = std::uint64_t;

/// Calls `visit` with the number of each lane of a mask, ascending.
template <class Visit>
void for_each_lane(LaneMask mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// The registers of a warp's lanes. `motions` say how values move from one pass of a loop to the next while a pass is
/// executed for many; else they rest.
struct LaneRegisters {
  LaneRegisters(std::size_t registers, std::size_t lane_count)
      : lanes(lane_count),
        values(registers * lane_count),
        motions(registers * lane_count),
        same(registers),
        unknown(registers),
        origin(registers),
        written(registers),
        carried(registers) {}
  std::size_t lanes;
  std::vector<std::uint64_t> values;
  std::vector<Motion> motions;
  std::vector<LaneMask> same;              ///< lanes that hold the same value and motion
  std::vector<LaneMask> unknown;           ///< lanes whose value nothing is known of
  std::vector<std::uint32_t> origin;       ///< the instruction that this is due to
  std::vector<LaneMask> written, carried;  ///< in this pass; read before that
};

/// Executes the slice for one warp of one group.
class WarpRun {
 public:
  WarpRun(const Prepared& kernel, Execution& execution, const Dimensions& group, std::int64_t warp);

  /// @return the record of the pass through the routine
  std::uint32_t run();

 private:
  /// What a pass gathers before it is known which record it has.
  struct Pass {
    PassRecord record;
    struct Event {
      const LaneStep* step;
      LaneMask mask;
      std::vector<std::uint64_t> addresses, slopes;
      Horizon holds = {};  ///< beyond it, lines are reached as the slopes say, but others
    };
    std::vector<Event> events;
    std::vector<std::pair<std::uint32_t, LaneMask>> blocks;
  };
  /// A loop that is being executed.
  struct Frame {
    const LoopInfo* info;
    std::int64_t passes = 0;  ///< begun, this one included
  };
  /// When a loop next tries to close passes in form.
  struct Attempts {
    std::int64_t next = 3, wait = 1;
  };

  void list(const std::vector<Region>& regions, Pass& pass);
  bool block_issues(std::uint32_t block, const Pass& pass, LaneMask mask) const;
  std::int64_t loop(const NaturalLoop& loop);
  void snapshot(const NaturalLoop& loop);
  std::int64_t close_pass(const NaturalLoop& loop, LaneMask entered);
  void begin_closing(const NaturalLoop& loop);
  bool is_steady(std::uint32_t reg);
  std::int64_t passes_to_skip();
  void finish(Pass& pass, std::int64_t times, LoopTrace& trace);
  std::uint32_t keep(Pass& pass, std::int64_t times, bool moving);

  void block(std::uint32_t index, LaneMask mask, Pass& pass);
  void step(const LaneStep& step, LaneMask mask, Pass& pass);
  void compute(const LaneStep& step, LaneMask mask);
  void compute_lanes(const LaneStep& step, std::size_t lane, LaneMask mask);
  bool is_same(const LaneInput& input, LaneMask mask) const;
  void load(const LaneStep& step, LaneMask mask);
  void load_parameter(const LaneStep& step, LaneMask mask);
  void access(const LaneStep& step, LaneMask mask, Pass& pass);
  void touch_sectors(const LaneStep& step, const AddressEvent& event, std::int64_t times);
  std::uint64_t address_of(const LaneStep& step, std::size_t lane) const;
  void check_last(const Pass::Event& event, std::int64_t times) const;
  void check_shared(const LaneStep& step, LaneMask mask, const std::vector<std::uint64_t>& addresses) const;
  void leave(std::uint32_t index, LaneMask mask);
  LaneMask jumping(std::uint32_t instruction, std::uint32_t block, LaneMask mask);
  LaneMask jumping_by_data(std::uint32_t instruction, std::uint32_t block, LaneMask mask, const LaneInput& guard);
  std::optional<bool> jump_by_trips(std::uint32_t instruction, std::uint32_t block);
  void jump_by_index(std::uint32_t instruction, LaneMask mask);
  void arrive(std::uint32_t instruction, LaneMask mask);
  /// @param what    needs the value of the register: "a branch"
  /// @param option  what else answers it, may be empty: "--taken LOOP=SHARE"
  [[noreturn]] void fail_by_data(std::uint32_t instruction, std::uint32_t reg, const std::string& what,
                                 const std::string& option) const;
  [[noreturn]] void fail_by_parameter(std::uint32_t instruction, std::uint32_t load, const std::string& what,
                                      const std::string& option) const;
  std::vector<std::string> arrays_read_by(const Instruction& load) const;
  std::string missing_arguments() const;
  std::string described(std::uint32_t instruction) const;

  std::uint64_t special(const LaneInput& input, std::size_t lane) const;
  LaneMask known(const LaneInput& input, LaneMask mask, std::uint32_t instruction);
  std::uint64_t value(const LaneInput& input, std::size_t lane) const;
  Motion motion(const LaneInput& input, std::size_t lane) const;
  void touch(const LaneInput& input, LaneMask mask);
  void write(std::uint32_t reg, LaneMask mask, std::uint64_t value, const Motion& motion = {});
  void forget(std::uint32_t reg, LaneMask mask, std::uint32_t origin);
  LaneMask true_lanes(const LaneInput& guard, LaneMask mask);
  void charge(std::uint32_t instruction);

  const Prepared& kernel_;
  Execution& execution_;
  Dimensions group_;
  std::int64_t warp_;
  std::size_t lanes_;
  LaneRegisters registers_;
  std::vector<LaneMask> arrivals_;  ///< by block
  std::vector<Frame> frames_;
  bool closing_ = false;  ///< this pass is executed for many
  bool closable_ = true;  ///< nothing in it speaks against that yet
  Horizon horizon_;
  std::vector<std::uint64_t> snapshot_, starting_slopes_;
  std::vector<std::uint64_t> inputs_;
  std::vector<Motion> motions_;
  std::uint64_t visits_ = 0;  ///< of branches that depend on data
};

}  // namespace warpipe::ptx
