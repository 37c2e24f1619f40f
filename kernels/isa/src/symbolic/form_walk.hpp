#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "symbolic/lane_forms.hpp"
#include "symbolic/program_forms.hpp"

namespace warpipe::isa {

/// The state of find_forms: goes through the regions of a program with a form in each register.
class FormWalk {
 public:
  FormWalk(const Program& program, const ControlFlow& flow, const Slice& slice, const LaunchNumbers& numbers,
           ProgramForms& result);
  void run();

 private:
  /// The content of a register: a number, or in a uniform register a bit of each lane.
  struct Held {
    Form form;
    bool of_lanes = false;
    friend bool operator==(const Held&, const Held&) = default;
  };
  using State = std::vector<Held>;  ///< by followed register
  /// Threads that come to a place, and the content of their registers.
  struct Arrival {
    Form when;
    State state;
  };
  using Arrivals = std::vector<Arrival>;
  static constexpr std::uint32_t kEnd = UINT32_MAX;  ///< the target of ending threads

  struct Loop {
    std::uint32_t header = 0;
    std::uint32_t outer = kEnd;          ///< the loop around it
    std::vector<std::uint32_t> written;  ///< registers, as State has them
  };
  /// Threads leaving a loop.
  struct Exit {
    std::uint32_t block = 0;      ///< outside
    std::uint32_t branch = kEnd;  ///< their last branch; kEnd for threads that left an inner loop
    Arrival arrival;
  };
  /// A loop under way.
  struct Frame {
    std::uint32_t loop = 0;
    Arrivals again;  ///< at its header
    std::vector<Exit> left;
  };
  /// The result of a trip, from the state at its start.
  struct Trip {
    Arrival end;  ///< of threads with a further trip
    std::vector<Exit> left;
  };
  /// Assumptions about a loop: of its written registers, by their order there.
  struct Guess {
    std::vector<std::optional<Held>> held;  ///< nothing: the register moves in no known way
    std::vector<Reasons> reasons;
    std::optional<Form> last;  ///< the number of the last trip
    Form trip;                 ///< the variable of all the forms
  };

  void number_loops(const std::vector<Region>& regions, std::uint32_t outer);
  std::uint32_t place_of(std::uint32_t reg);
  bool is_inside(std::uint32_t block, std::uint32_t loop) const;

  void list(const std::vector<Region>& regions);
  void block(std::uint32_t index);
  void go(std::uint32_t block, Form when, State state);
  std::uint32_t parting_of(std::uint32_t block, std::uint32_t loop);
  std::optional<Arrival> coming_to(std::uint32_t block, std::uint32_t loop);
  void branch(std::uint32_t index, const Arrival& at);
  Arrival merged(Arrivals arrivals);

  void loop(const NaturalLoop& loop);
  Trip follow(const NaturalLoop& loop, std::uint32_t number, State state);
  Guess guessed(const NaturalLoop& loop, std::uint32_t number, const State& start);
  void solve(const Loop& loop, const State& start, const Arrival& end, Guess& guess);
  std::optional<Form> last_trip(const Trip& trip, Form variable, const std::optional<Forms::Replace>& replace);
  State beginning(const Loop& loop, const State& start, const Guess& guess);
  bool prove(const Loop& loop, const Arrival& made, Guess& guess);
  Reasons reasons_of(const Trip& trip) const;
  void leave(const Loop& loop, const Arrival& start, const Trip& trip, const Guess& guess);

  void execute(std::uint32_t index, Arrival& at);
  void assign(std::uint32_t index, const Assignment& assignment, std::size_t number, Form made, State& state);
  bool assign_lanes(const Assignment& assignment, Form made, State& state);
  Held across_lanes(const LaneOperation& operation, std::span<const LaneForms::Operand> inputs, std::uint32_t place,
                    bool second);
  void write(const Output& output, Held value, Type type, bool is_converted, Form made, State& state);
  void access(std::uint32_t index, Form made, const State& state);
  Form truth_of(const Input& input, const State& state);
  LaneForms::Operand read(const Input& input, const State& state);
  std::optional<Form> lanes_of(const Input& input, const State& state) const;
  Form special(const Special& special);
  std::optional<Form> at_lane(Form form, std::int64_t lane);
  bool is_uniform(Form form);
  bool records() const { return guesses_ == 0; }

  const Program& program_;
  const ControlFlow& flow_;
  const Slice& slice_;
  const LaunchNumbers& numbers_;
  ProgramForms& result_;
  Forms& forms_;
  std::vector<std::uint32_t> place_of_;             ///< by register: in a State
  std::vector<std::uint32_t> register_;             ///< by place
  std::map<std::uint32_t, std::uint32_t> loop_at_;  ///< by header
  std::vector<std::uint32_t> loop_of_block_;        ///< the innermost
  std::vector<Loop> loops_;
  std::map<std::uint32_t, Arrivals> coming_;         ///< by block
  std::vector<Form> when_;                           ///< by block: the arriving threads, of the last pass
  std::map<std::uint32_t, std::uint32_t> partings_;  ///< by block: parting_of it
  std::uint32_t branch_ = kEnd;                      ///< the branch whose ways are followed now
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> around_;  ///< followed loops with trips
  Form context_;                       ///< truths of all threads in the enclosing loops
  int guesses_ = 0;
  Form thread_index_;  ///< along all axes
  std::map<std::uint32_t, AccessForm> accesses_;
  std::map<std::uint32_t, BranchForm> branches_;
};

}  // namespace warpipe::isa
