#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/address_writer.hpp"
#include "kernel/fetched_code.hpp"
#include "kernel/group_signals.hpp"
#include "kernel/measured_records.hpp"
#include "kernel/slot_values.hpp"
#include "kernel/written_copies.hpp"
#include "survey/survey.hpp"
#include "warpipe/isa/issue_plan.hpp"

namespace warpipe::isa {

/// Writes the records of the warps of all kinds of groups as a kernel.
class KernelBuilder {
 public:
  /// @param code       outlives this, as all else
  /// @param addresses  of the same program and kinds
  KernelBuilder(const ControlFlow& flow, const IssuePlan& plan, Survey& survey, const FetchedCode& code,
                const AddressInput& addresses)
      : input_(addresses),
        program_(addresses.program),
        flow_(flow),
        plan_(plan),
        survey_(survey),
        code_(code),
        kinds_(addresses.kinds),
        values_(kinds_.size(), kinds_.front().warps.size()),
        addresses_(addresses, values_),
        copies_(program_.instructions.size()),
        measured_(flow, survey) {}

  /// @return a kernel with its body, its instructions and the values of its kinds, nothing else
  Kernel build();

  /// Notes on averages.
  const std::set<std::string>& notes() const { return notes_; }

  /// The uses of barrier objects, with their instructions in the kernel.
  const std::vector<WrittenBarrierUse>& barrier_uses() const { return barrier_uses_; }

  std::map<std::uint32_t, AddressForm> whole_forms() const { return addresses_.whole_forms(); }

  /// Addresses in the kernel, by instruction of the program.
  const std::map<std::uint32_t, AddressReport>& addresses() const { return addresses_.reports(); }

 private:
  /// A way through a list of regions, and the warps on this way.
  struct View {
    std::uint32_t record;
    Slots slots;
  };
  using Views = std::vector<View>;
  using Traces = std::map<std::int64_t, std::int64_t>;  ///< of the warps of a group through a loop

  /// Iterations of a loop with the same way for each warp of a group; no record: the warp has left.
  struct Interval {
    std::map<std::int64_t, std::uint32_t> records;  ///< by warp
    std::int64_t iterations = 0;
  };
  /// A part of a loop written out: each warp's iterations are alike.
  struct Part {
    Views views;
    std::vector<LoopPart::Iterations> iterations;  ///< by slot
    bool in_order = true;                          ///< they are the iterations of the program
  };

  static Slots slots_of(const Views& views);
  std::vector<Item> list(const std::vector<Region>& regions, const Views& views);
  Views reaching_views(std::uint32_t index, const Views& views) const;
  /// Whether the region at a place of its list exists and no view goes through it.
  bool passes_over(const std::vector<Region>& regions, std::size_t place, const Views& views) const;
  void block(std::uint32_t index, bool jumps, const Views& views, std::vector<Item>& items);
  void instruction(std::uint32_t index, bool jumps, const Views& views, std::vector<Item>& items);
  void note_access(const warpipe::Instruction& made, std::size_t number, std::uint32_t index, const Views& views);
  void leave_out_counts();
  void factors(warpipe::Instruction& made, std::uint32_t index, const Views& views);
  Loop rounds_of(std::uint32_t index, const Views& views, std::vector<Item> body);
  void constant_words(warpipe::Instruction& made, std::uint32_t index, const Views& views);
  Expression passes_of_retry(const std::string& op, std::uint32_t index, const Views& views);
  void passes(warpipe::Instruction& made, std::uint32_t index, const Views& views);
  std::int64_t ways_of_atomic(std::uint32_t index);
  bool is_at_one_word(std::uint32_t index) const;
  Expression mean_of_kinds(std::uint32_t index, const Views& views, Spread AccessStatistics::*what, const char* about);
  const MeasuredRecords::Measured& measured(std::uint32_t index, const Views& views);
  void loop(const NaturalLoop& loop, std::size_t place, const Views& views, std::vector<Item>& items);
  std::optional<Part> alike(const Views& views, std::size_t place) const;
  std::vector<Part> written_out(const NaturalLoop& loop, const Views& views, std::size_t place);
  void write(const NaturalLoop& loop, const Part& part, const Slots& all, std::vector<Item>& items);
  void repeat(const NaturalLoop& loop, Expression trips, const Part& part, std::vector<Item>& items);
  std::vector<Interval> intervals_of(const NaturalLoop& loop, const Traces& traces, bool& in_order);
  std::vector<Interval> intervals(const std::map<std::int64_t, LoopTrace>& traces) const;
  std::vector<Interval> by_kind(const std::vector<Interval>& intervals) const;
  std::vector<Interval> averaged(const NaturalLoop& loop, const std::map<std::int64_t, LoopTrace>& traces,
                                 std::size_t most);
  std::size_t size_of(const std::vector<Region>& regions) const;
  void under(const Slots& some, const Slots& all, const std::string& what, std::vector<Item> body,
             std::vector<Item>& items);
  void wait_for_branches(std::size_t waiting, const Slots& slots);
  void find_dependences();
  bool is_guarded(std::uint32_t index) const;
  void wait_for(std::size_t waiting, std::size_t producer, std::uint32_t back = 1);
  std::string text_of(std::uint32_t index) const;
  std::string unique(std::string name, std::map<std::string, int>& used) const;

  const AddressInput& input_;
  const Program& program_;
  const ControlFlow& flow_;
  const IssuePlan& plan_;
  Survey& survey_;
  const FetchedCode& code_;
  const std::vector<GroupKind>& kinds_;
  SlotValues values_;
  AddressWriter addresses_;
  std::vector<AccessCopy> accesses_;
  std::vector<std::shared_ptr<LoopPart>> around_;  ///< the loops being written
  std::size_t written_out_ = 1;                    ///< copies of a body by the loops around it
  Kernel kernel_;
  WrittenCopies copies_;
  /// By instruction of the kernel: its producers, and how many executions back each of them is.
  std::map<std::size_t, std::map<std::size_t, std::uint32_t>> waits_;
  std::vector<WrittenBarrierUse> barrier_uses_;
  std::map<std::size_t, Slots> branches_;  ///< by number: warps without an issue since the branch
  MeasuredRecords measured_;
  std::map<std::string, int> ids_, loops_;
  double rest_of_turns_ = 0;  ///< of atomics at their busiest place, left by rounding so far
  std::set<std::string> notes_;
};

/// Whether instructions hold counts that depend on the sizes of a device's memory.
bool gives_counts(const Kernel& kernel);

/// The part of a text allowed in a name of a kernel: "L__BB0_2" of "$L__BB0_2".
std::string as_name(std::string_view text);

/// Reads an expression of `warp`.
Expression expression_of(const std::string& text);

}  // namespace warpipe::isa
