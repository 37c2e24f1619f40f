#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lanes/across_lanes.hpp"
#include "lanes/companions.hpp"
#include "lanes/execution.hpp"
#include "lanes/lane_stride.hpp"
#include "lanes/lane_vectors.hpp"
#include "lanes/load_index.hpp"
#include "lanes/prepared.hpp"
#include "lanes/warp_memory.hpp"

namespace warpipe::isa {

/// Calls `visit` with the number of each lane of a mask, ascending.
template <class Visit>
void for_each_lane(LaneMask mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// The lanes for which `holds` is true, of so many.
template <class Holds>
LaneMask lanes_where(std::size_t lanes, const Holds& holds) {
  LaneMask mask = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) mask |= LaneMask{holds(lane)} << lane;
  return mask;
}

/// The registers of a warp. While an iteration of a loop is executed for many, `motions` hold the change of values from
/// iteration to iteration; else values rest. Of a uniform register lane 0 stands for all, and `unknown` has bits of its
/// value.
struct LaneRegisters {
  explicit LaneRegisters(const Prepared& kernel);
  std::vector<std::uint64_t> values;
  std::vector<LaneMask> moving;            ///< lanes with a motion; all further lanes rest
  std::vector<Motion> motions;             ///< empty until a register moves
  std::vector<LaneMask> same;              ///< lanes with the same value and motion
  std::vector<LaneMask> unknown;           ///< lanes with an unknown value
  std::vector<std::uint32_t> origin;       ///< the instruction that made the value unknown
  std::vector<LaneMask> written, carried;  ///< in this iteration; read before that
};

/// Executes the slice for one warp of one group.
///
/// A warp goes through the regions of the program once, with a mask of lanes per block: diverged lanes go their ways
/// one after the other and meet again. Each iteration of a loop leaves a record of its blocks and accesses; an
/// iteration may be executed for many, with a stride beside each value (`warp_loops.cpp`).
class Interpreter {
 public:
  /// @param execution  gets records and counts
  Interpreter(const Prepared& kernel, Execution& execution, const Dimensions& group, std::int64_t warp,
              const Companions& companions);

  /// @return the record of the way through the program
  OrStop<std::uint32_t> run();

  // Read by companions.
  const Prepared& kernel() const { return kernel_; }
  const Execution& execution() const { return execution_; }
  const Dimensions& group() const { return group_; }
  std::int64_t warp() const { return warp_; }
  std::int64_t executed() const { return execution_.executed - executed_before_; }  ///< by this warp
  const std::vector<LoopFrame>& frames() const { return frames_; }                  ///< the outermost first
  bool takes_long() const { return executed() > most_of_warp_; }
  LaneMask arrived(std::uint32_t block) const { return arrivals_[block]; }
  /// The innermost loop left by a jump on either of its sides; null for a jump within its loop.
  const LoopFrame* frame_left_by(std::uint32_t instruction) const;
  bool is_uniform(std::uint32_t reg) const { return kernel_.per_lane[reg] == 0; }
  bool is_uniform(const Input& input) const {
    return input.kind == Input::Kind::Register && is_uniform(input.registers.first) && !input.bit_of_lane;
  }
  std::size_t lanes_of(std::uint32_t reg) const { return is_uniform(reg) ? 1 : lanes_; }
  std::size_t place(std::uint32_t reg, std::size_t lane) const {
    return kernel_.first_value[reg] + lane * kernel_.per_lane[reg];
  }
  const LaneRegisters& registers() const { return registers_; }
  std::uint64_t value(const Input& input, std::size_t lane) const;
  /// Filters a mask for lanes with a known input.
  LaneMask known(const Input& input, LaneMask mask) const;
  /// The instruction that made an unknown input unknown.
  std::uint32_t origin_of(const Input& input) const;
  /// The addresses of some lanes; the numbers of all other lanes are arbitrary.
  void find_addresses(const Access& access, LaneMask mask, LaneNumbers& addresses) const;

  // Motion of registers from iteration to iteration, for skipping iterations.
  LoopFrame& innermost() { return frames_.back(); }
  Horizon& horizon() { return horizon_; }
  Motion motion(const Input& input, std::size_t lane);
  /// Moves some lanes of a register; none of them counts as equal to another any more.
  void set_sampled_motion(std::uint32_t reg, LaneMask moving, const std::uint64_t* strides);
  /// Ends the motion of registers written by a loop.
  void rest(const LoopInfo& info);
  /// Moves the moving registers by so many iterations.
  void advance(const LoopInfo& info, std::int64_t further);

 private:
  /// The events of an iteration, gathered before its record is known.
  struct Iteration {
    TraceRecord record;
    struct Event {
      const Step* step;
      LaneMask mask;
      std::size_t addresses;  ///< index of its lanes' addresses in `numbers`; strides follow, where they move
      Horizon holds = {};     ///< beyond it, lines are still reached by the strides, but other lines
    };
    std::vector<Event> events;
    std::vector<std::uint64_t> numbers;
    std::vector<std::pair<std::uint32_t, LaneMask>> blocks;  ///< with their active lanes
    bool is_closed = false;                                  ///< its motions are known for all iterations it stands for
    bool is_sample = false;                                  ///< it stands for further iterations, taken to be like it

    void begin(std::uint32_t header);
  };
  /// The way at a jump out of a loop after so many trips.
  struct TripJump {
    bool jumps = false, leaves = false;  ///< lanes jump; they leave the loop, by jumping or not
  };
  /// Bits of lanes on their way into a uniform register.
  struct LaneBits {
    LaneMask value = 0, unknown = 0;
    std::uint32_t origin = 0;
  };

  /// The value in a companion's answer; nothing where the answer stops the warp.
  template <class Value>
  std::optional<Value> taken(OrStop<Value> answer) {
    if (auto* value = std::get_if<Value>(&answer)) return std::move(*value);
    stop_ = std::get<Stop>(std::move(answer));
    return std::nullopt;
  }

  // Loops.
  void list(const std::vector<Region>& regions, Iteration& iteration);
  bool block_issues(std::uint32_t block, const Iteration& iteration, LaneMask mask) const;
  std::int64_t loop(const NaturalLoop& loop);
  void snapshot(const LoopInfo& info);
  std::int64_t close_iteration(const NaturalLoop& loop, LaneMask entered);
  void begin_closing(const LoopInfo& info);
  void begin_moving(std::uint32_t reg);
  bool is_steady(std::uint32_t reg);
  std::int64_t iterations_to_skip(const LoopInfo& info);
  void pass_over(std::size_t changed, std::uint32_t phase, std::int64_t iterations);
  void finish(Iteration& iteration, std::int64_t times, LoopTrace& trace);
  std::uint32_t keep(Iteration& iteration, std::int64_t times);
  bool shares_pairs(const Access& access) const;
  std::uint64_t word_pitch(const Access& access, const AddressEvent& event) const;

  // Instructions.
  void block(std::uint32_t index, LaneMask mask, Iteration& iteration);
  void step(const Step& step, LaneMask mask, Iteration& iteration);
  void compute(const Step& step, const Assignment& assignment, LaneMask mask);
  void compute_lanes(const Step& step, const Assignment& assignment, std::size_t lane, LaneMask mask);
  bool compute_at_once(const Assignment& assignment, LaneMask mask);
  void move_lanes(const Assignment& assignment, LaneMask mask, std::span<const std::uint64_t* const> vectors,
                  std::array<Motion, kMostLanes>& moved);
  LaneMask known_lowest(const Assignment& assignment, LaneMask mask) const;
  void compute_lowest(const Step& step, const Assignment& assignment, LaneMask mask, std::uint32_t origin);
  void compute_made_up(const Step& step, const Assignment& assignment, LaneMask mask, std::uint32_t origin);
  void pack(const Type& type);
  void compute_across(const Step& step, const Assignment& assignment, LaneMask mask);
  void write_across(const Assignment& assignment, const LaneInputs& read, LaneMask lanes, LaneMask together,
                    LaneMask certain, std::uint32_t origin);
  bool compute_bits(const Step& step, const Assignment& assignment);
  void write_lane_bits(const Assignment& assignment);
  LaneMask decided(const Assignment& assignment, LaneMask mask) const;
  bool charge(std::uint32_t instruction);

  // Memory.
  void load(const Step& step, const Assignment& assignment, LaneMask mask);
  void write_loaded(const RegisterRange& output, LaneMask mask, LaneNumbers& numbers);
  bool may_be_known(const Access& access) const;
  bool loaded(const Access& access, std::size_t lane, std::uint64_t address, std::uint64_t& value) const;
  std::optional<std::uint64_t> recorded(const Access& access, RecordedLoad::By by, LaneMask mask, std::size_t lane,
                                        std::uint64_t address);
  void meet_others(const Instruction& instruction);
  void store(const Step& step, LaneMask mask, LaneMask sure);
  bool store_element(const Step& step, LaneMask mask, LaneMask sure, int element, const LaneNumbers& addresses);
  void access(const Step& step, LaneMask mask, Iteration& iteration);
  void share_among_lanes(LaneMask mask, std::uint64_t bytes, std::span<std::uint64_t> addresses,
                         std::span<std::uint64_t> strides) const;
  const Input& unknown_part(const Access& access, LaneMask mask) const;
  bool meets_grid(const Access& access, LaneMask mask, const LaneNumbers& addresses) const;
  void note_barrier(const Step& step, LaneMask mask);
  std::int64_t signed_value(const Input& input, std::size_t lane) const;
  LaneMask known_address(const Access& access, LaneMask mask) const;
  Motion address_motion(const Access& access, std::size_t lane);
  void check_last(const Step& step, const AddressEvent& event, std::int64_t times);
  bool fits_unsaid_shared(std::uint64_t address, std::uint64_t end);
  void check_shared(const Step& step, LaneMask mask, std::span<const std::uint64_t> addresses);

  // Control.
  LaneMask active_lanes(LaneMask arrived);
  void settle_mask(std::uint32_t instruction);
  void leave(std::uint32_t index, LaneMask mask);
  LaneMask jumping(std::uint32_t instruction, std::uint32_t block, LaneMask mask);
  LaneMask jumping_by_data(std::uint32_t instruction, std::uint32_t block, LaneMask mask, const Input& guard);
  LaneMask drawn(std::uint32_t instruction, LaneMask mask, double share);
  LaneMask jumping_by_share(std::uint32_t instruction, LaneMask mask, const Input& guard, double share);
  std::optional<bool> jump_from_avoided(std::uint32_t instruction);
  std::optional<TripJump> jump_by_trips(std::uint32_t instruction, std::uint32_t block) const;
  TripJump jump_in_trip(const LoopFrame& frame, std::uint32_t instruction, std::uint32_t block,
                        std::int64_t trips) const;
  void jump_by_index(std::uint32_t instruction, LaneMask mask);
  void arrive(std::uint32_t instruction, LaneMask mask);

  // Numbers in place of unknown numbers.
  std::uint64_t assumed_address(std::uint32_t instruction, const AddressPattern& pattern, std::size_t lane,
                                std::uint64_t found) const;
  std::uint64_t thread_of_launch(std::size_t lane) const;
  std::uint64_t made_up(const Access& access, std::uint64_t address, const Type& type, std::size_t lane) const;
  void load_made_up(const Step& step, const RegisterRange& output, LaneMask mask, const LaneNumbers& addresses,
                    std::size_t element);
  static std::uint64_t scattered(std::uint64_t number);

  // For trials of sizes: companions_.trial.
  void note_comparison(const Step& step, const Assignment& assignment, LaneMask mask);
  void note_addresses(const Step& step, LaneMask mask);
  bool goes_round_again() const;
  void go_both_ways(std::uint32_t instruction, std::uint32_t block, LaneMask mask);
  std::int64_t compared_value(const LaneOperation& operation, const Input& input, std::size_t lane) const;

  // Registers and other inputs.
  int bits_of(std::uint32_t reg) const { return kernel_.input.program.registers[reg].bits; }
  std::uint64_t special(const Special& special, std::size_t lane) const;
  std::uint64_t thread_index(std::size_t lane, std::size_t axis) const;
  std::uint64_t register_value(const Input& input, std::size_t lane) const;
  std::uint64_t unknown_bits(const RegisterRange& range) const;
  Motion motion(std::uint32_t reg, std::size_t lane) const;
  void set_motion(std::uint32_t reg, LaneMask mask, const Motion& motion);
  bool is_same(const Input& input, LaneMask mask) const;
  bool rests(const Input& input, LaneMask mask) const;
  const std::uint64_t* by_lane(const Input& input, LaneMask mask, LaneNumbers& room) const;
  void write_lanes(const RegisterRange& range, LaneMask mask, LaneNumbers& numbers);
  void touch(const Input& input, LaneMask mask);
  void touch(const RegisterRange& range, LaneMask mask);
  void write(const RegisterRange& range, LaneMask mask, std::uint64_t value, const Motion& motion = {});
  void write(std::uint32_t reg, LaneMask mask, std::uint64_t value, const Motion& motion);
  void forget(const RegisterRange& range, LaneMask mask, std::uint32_t origin);
  void lose(const RegisterRange& range, LaneMask mask, std::uint32_t origin);
  void set_bits(const RegisterRange& range, std::uint64_t value, std::uint64_t unknown, std::uint32_t origin);
  LaneMask true_lanes(const Input& guard, LaneMask mask) const;

  const Prepared& kernel_;
  Execution& execution_;
  Companions companions_;
  std::optional<Stop> stop_;  ///< the reason for the end of execution
  Dimensions group_;
  std::int64_t warp_;
  std::size_t lanes_;
  LaneMask all_lanes_;
  LaneRegisters registers_;
  WarpMemory memory_;
  std::optional<LoadIndex> recorded_;   ///< the loads of the warp's recorded execution
  std::vector<std::uint32_t> changed_;  ///< histories of loaded addresses, in order, where loops are sampled
  std::int64_t executed_before_;        ///< by other warps
  std::int64_t most_, most_of_warp_;    ///< see Sampling
  std::vector<LaneMask> arrivals_;      ///< by block
  std::vector<LoopFrame> frames_;
  std::map<std::uint32_t, std::int64_t> waits_;  ///< by loop: iterations until the next attempt to close some in form
  bool makes_up_ = false;  ///< for addresses, made-up numbers stand for unknown values: not for control alone
  bool guesses_ = false;   ///< the computed numbers are made up
  bool closing_ = false;   ///< this iteration is executed for many
  bool closable_ = true;   ///< nothing in the iteration speaks against closing yet
  Horizon horizon_;
  std::vector<std::uint64_t> snapshot_, starting_strides_;
  std::vector<std::uint64_t> inputs_;
  std::vector<Motion> motions_;
  std::vector<LaneBits> lane_bits_;  ///< by output of the current assignment
  std::uint64_t visits_ = 0;         ///< of branches that depend on data
};

}  // namespace warpipe::isa
