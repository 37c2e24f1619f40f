#include "warpipe/isa/make_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "kernel/kernel_builder.hpp"
#include "kernel/kind_clusters.hpp"
#include "kernel/report_on.hpp"
#include "lanes/arguments.hpp"
#include "program/effort.hpp"
#include "survey/survey.hpp"
#include "unknown/questioner.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/isa/recorded_loads.hpp"
#include "warpipe/isa/target.hpp"

namespace warpipe::isa {
namespace {

std::vector<std::int64_t> issued_by_block(const ReadProgram& read) {
  std::vector<std::int64_t> issued(read.flow.blocks.size(), 0);
  for (std::size_t i = 0; i < read.program.instructions.size(); ++i)
    if (!read.plan.left_out[i])
      issued[read.flow.block_of[i]] += static_cast<std::int64_t>(read.program.instructions[i].ops.size());
  return issued;
}

/// Adds new assumptions.
/// @return whether the launch has to state any of them, so that the import begins anew
bool add_new(const std::vector<Assumption>& found, const Launch& launch, std::vector<Assumption>& all) {
  bool any = false;
  for (const auto& one : found) {
    const auto same = [&](const Assumption& other) { return other.kind == one.kind && other.name == one.name; };
    if (std::ranges::any_of(all, same)) continue;
    all.push_back(one);
    any = any || changes_the_rest(one, launch);
  }
  return any;
}

/// Fails with an error that may be due to assumptions.
[[noreturn]] void fail_assuming(const InputError& error, const std::vector<Assumption>& assumptions) {
  auto problems = error.diagnostics();
  std::string list;
  for (const auto& one : assumptions)
    if (const auto text = answer_text(one, one.value); !text.empty()) list += (list.empty() ? "" : ", ") + text;
  problems.push_back({"`assume`", "that may be due to what was assumed", list, "give what is not as it is in fact"});
  throw UnknownData(std::move(problems), assumptions);
}

Expression whole(std::int64_t number) { return Expression(static_cast<double>(number)); }

/// Sizes along the axes, up to the last size above 1.
std::vector<Expression> sizes(const Dimensions& along) {
  std::vector<Expression> sizes;
  for (const auto size : along) sizes.push_back(whole(size));
  while (sizes.size() > 1 && sizes.back() == whole(1)) sizes.pop_back();
  return sizes;
}

/// Makes a kernel.
class Maker {
 public:
  Maker(const ReadProgram& read, const Launch& launch, ImportReport report)
      : read_(read), launch_(launch), issued_(issued_by_block(read)), result_{{}, std::move(report)} {}

  /// @param assumed  gets the assumptions
  /// @return         nothing where the import has to begin anew with them
  OrStop<std::optional<Import>> run(const std::vector<Argument>& arguments, const std::vector<std::string>& names,
                                    bool may_take_long, std::vector<Assumption>& assumed) {
    const auto slice = find_slice(read_.program, read_.definitions);
    Questioner questions(launch_);
    auto surveyed = survey_groups({read_.program, read_.flow, read_.definitions, slice, read_.plan.branch_of, launch_,
                                   arguments, names, issued_, read_.program.lanes, may_take_long, read_.sizes},
                                  questions);
    if (auto* stop = std::get_if<Stop>(&surveyed)) return std::move(*stop);
    auto survey = std::get<Survey>(std::move(surveyed));
    assumed = questions.answers();
    if (add_new(assumed, launch_, result_.report.assumptions)) return std::optional<Import>();
    if (const auto& beyond = survey.beyond_shared) {
      if (result_.report.assumptions.empty()) throw InputError(*beyond);
      result_.report.beyond_shared = true;
      result_.report.notes.push_back(
          fmt::format("with what is assumed, {}, {}: {}", beyond->problem, beyond->found, beyond->where));
    }
    if (survey.unsaid_shared_memory > 0 && !read_.program.most_shared_bytes)
      assume_shared_memory(survey.unsaid_shared_memory);
    const auto all = tally(read_.flow, survey);
    report_on({read_.program, read_.flow, slice, read_.plan, survey, issued_}, all, result_.report);
    code_ = fetched_code(read_.program, read_.flow, issued_, all);
    result_.report.code = code_.report;
    add_notes(survey);
    build(survey);
    if (result_.kernel.instructions.empty()) fail_without_work();
    describe(survey, all);
    std::set<std::string> notes;
    add_signals(read_.program, barrier_uses_, survey.barriers,
                static_cast<std::int64_t>(survey.kinds.front().warps.size()), result_.kernel, notes);
    std::ranges::copy(notes, std::back_inserter(result_.report.notes));
    return std::optional(std::move(result_));
  }

 private:
  void assume_shared_memory(std::int64_t bytes) {
    Assumption one{
        Assumption::Kind::SharedMemory, "", std::to_string(bytes), "as far as accesses reach", {}, 0, "", {}};
    one.question = {read_.program.file, "nothing says how large an array in shared memory is that has no size",
                    fmt::format("found accesses to {} bytes of it", bytes), "give `dynamic_shared_memory = BYTES`"};
    result_.report.assumptions.push_back(std::move(one));
  }

  [[noreturn]] void fail_without_work() const {
    const bool empty = std::ranges::all_of(issued_, [](std::int64_t count) { return count == 0; });
    throw InputError(Diagnostic{
        read_.program.file, fmt::format("\"{}\" issues nothing", read_.program.name), "",
        empty ? "its body is empty: there is nothing to simulate" : "check the arguments: no group has work"});
  }

  /// Builds the kernel with as many kinds of groups as it may have.
  void build(Survey& survey) {
    const auto warps = survey.kinds.front().warps.size();
    for (auto most = kEffort.kinds_of_groups;;) {
      const auto clusters = cluster_kinds(survey.kinds, most);
      auto kind_of = kinds_of(*survey.log, survey.kinds);
      for (auto& kind : kind_of)
        if (kind) kind = clusters.of[*kind];
      const AddressInput addresses{read_.program,      *survey.log, launch_,     clusters.kinds,
                                   std::move(kind_of), read_.sizes, survey.forms};
      KernelBuilder builder(read_.flow, read_.plan, survey, code_, addresses);
      result_.kernel = builder.build();
      result_.report.sizes = read_.sizes;
      if (gives_counts(result_.kernel)) result_.kernel.counted_for = read_.sizes;
      const auto steps = clusters.kinds.size() * warps * result_.kernel.instructions.size();
      if (steps > kEffort.steps && clusters.kinds.size() > 1) {
        most = std::bit_floor(clusters.kinds.size() - 1);
        continue;
      }
      for (const auto& note : builder.notes()) result_.report.notes.push_back(note);
      barrier_uses_ = builder.barrier_uses();
      for (auto& access : result_.report.accesses)
        if (const auto found = builder.addresses().find(access.instruction); found != builder.addresses().end())
          access.address = found->second;
      forms_ = builder.whole_forms();
      note_addresses();
      if (clusters.kinds.size() < survey.kinds.size() && clusters.within > kEffort.worth_a_note)
        result_.report.notes.push_back(
            fmt::format("{} kinds of groups were put together to {}, by the instructions they issue: within one they "
                        "differ by at most "
                        "{:.1f} %, in sum by {:.2f} %",
                        survey.kinds.size(), clusters.kinds.size(), 100 * clusters.within, 100 * clusters.total));
      if (!result_.kernel.kinds) return;
      result_.kernel.kinds->of_group = renamed(survey.order, clusters.of);
      result_.kernel.kinds->uncertain = survey.groups.uncertain;
      merge_equal_kinds(*result_.kernel.kinds);
      return;
    }
  }

  void note_addresses() {
    std::vector<AddressReport> found;
    for (const auto& access : result_.report.accesses)
      if (access.address.kind != AddressReport::Kind::None) found.push_back(access.address);
    auto& notes = result_.report.notes;
    const auto note = [&](const auto& is_one, const std::string& what) {
      if (const auto count = std::ranges::count_if(found, is_one); count > 0)
        notes.push_back(fmt::format("{} of {} accesses to memory that may be cached {}", count, found.size(), what));
    };
    const auto note_kind = [&](AddressReport::Kind kind, const char* what) {
      note([kind](const AddressReport& address) { return address.kind == kind; }, what);
    };
    note_kind(AddressReport::Kind::Sampled, "follow no rule that was found: samples stand for them");
    note_kind(AddressReport::Kind::NotFound, "are at addresses that are not known");
    std::int64_t not_kept = 0;
    for (const auto& address : found) not_kept += address.not_kept;
    if (not_kept > 0)
      notes.push_back(fmt::format(
          "the addresses of {} executions were not kept, more than {} numbers: no expression was held against them",
          not_kept, kEffort.kept_numbers));
  }

  /// Notes a launch without results: a size of 0, or an argument in a wrong unit, leaves every thread at a guard, and
  /// the time looks like that of a fast kernel. Groups not looked at may write.
  void note_idle_launch(const Survey& survey) {
    const auto writes = [&](const Access& access) {
      const bool leaves_group = access.space == Space::Global || access.space == Space::Generic;
      if (access.kind == Access::Kind::Copy) return access.space == Space::Shared;
      return leaves_group && (access.kind == Access::Kind::Store || access.kind == Access::Kind::Atomic);
    };
    const auto& instructions = read_.program.instructions;
    const auto writers = std::ranges::count_if(
        instructions, [&](const Instruction& one) { return one.access && !one.ops.empty() && writes(*one.access); });
    const bool any_writes = std::ranges::any_of(result_.report.accesses, [&](const AccessReport& access) {
      return writes(*instructions[access.instruction].access) && access.statistics.executions > 0;
    });
    if (writers == 0 || any_writes || survey.groups.sampled || survey.few_groups > 0) return;
    result_.report.notes.push_back(
        fmt::format("no thread of the launch writes a result: none comes to any of the {} stores and atomics of the "
                    "kernel, as where a size is 0; the time is that of threads that leave early",
                    writers));
  }

  /// Names the branches taken not to lead to extraordinary numbers.
  void note_usual_ways(const Survey& survey) {
    constexpr std::size_t kNamed = 3;
    std::vector<std::string> places;
    for (const auto branch : survey.usual_ways) {
      const auto source = source_of(read_.program, branch);
      places.push_back(
          fmt::format("line {}{}", read_.program.instructions[branch].line, source.empty() ? "" : " (" + source + ")"));
    }
    if (places.empty()) return;
    const auto more = places.size() > kNamed ? fmt::format(" and {} more", places.size() - kNamed) : "";
    if (places.size() > kNamed) places.resize(kNamed);
    result_.report.notes.push_back(
        fmt::format("where nothing else is said, no lane goes to the slow path of a division, a root or an angle, for "
                    "infinite, very large and very small numbers, at {}{}: `taken LINE=SHARE` says how many do",
                    fmt::join(places, ", "), more));
  }

  /// Names the barriers of all groups.
  void note_grid_barriers(const Survey& survey) {
    if (survey.grid_barriers.empty()) return;
    std::set<std::string> lines;
    for (const auto place : survey.grid_barriers) lines.insert(std::to_string(read_.program.instructions[place].line));
    result_.report.notes.push_back(
        fmt::format("all groups of the launch meet (line {}): the accesses there are counted, but no group waits for "
                    "the slowest",
                    fmt::join(lines, ", ")));
  }

  void add_notes(const Survey& survey) {
    note_idle_launch(survey);
    auto& notes = result_.report.notes;
    const auto& groups = survey.groups;
    if (survey.sampled_iterations > 0)
      notes.push_back(fmt::format(
          "warps take long to execute: {} passes of loops are taken to be like the one before them, so that "
          "trips that end by data may be off by {:.0f} %; a higher `max_instructions` follows more of them",
          survey.sampled_iterations, 100 * survey.largest_sample));
    if (groups.recorded > 0) {
      notes.push_back(fmt::format("control and addresses follow what {} of {} groups loaded as they were executed",
                                  groups.recorded, groups.groups));
      const auto cut = std::ranges::count(launch_.recorded->groups, false, &RecordedGroup::is_whole);
      if (cut > 0)
        notes.push_back(fmt::format("of {} of these groups the end was not recorded: they load too much", cut));
    }
    if (survey.few_groups > 0)
      notes.push_back(
          fmt::format("a group takes {} instructions of control and addresses to execute: what accesses reach "
                      "is that of {} of {} groups",
                      survey.group_cost, survey.few_groups, groups.groups));
    if (groups.sampled && groups.uncertain > kEffort.worth_a_note)
      notes.push_back(
          fmt::format("groups behave in no order that was found: {} of {} were looked at, each of the others is taken "
                      "to be like one nearby; the instructions of all groups are known to within {:.1f} %, two "
                      "standard deviations",
                      groups.looked_at, groups.groups, 100 * groups.uncertain));
    const auto is_assumed = [&](const std::string& label) {
      return std::ranges::any_of(result_.report.assumptions, [&](const Assumption& one) {
        return one.kind == Assumption::Kind::Taken && one.name == label;
      });
    };
    for (const auto& [label, share] : launch_.taken)
      if (share > 0 && share < 1 && !is_assumed(label))
        notes.push_back(fmt::format("the branch {} is taken by {} of the lanes, drawn evenly", label, share));
    note_usual_ways(survey);
    note_grid_barriers(survey);
    for (const auto& name : survey.unused_taken)
      if (!is_assumed(name))
        notes.push_back(
            fmt::format("`taken {}` changes nothing: what decides there is known, or no lane gets there", name));
    if (survey.unsaid_shared_memory > 0 && read_.program.most_shared_bytes)
      notes.push_back(fmt::format(
          "nothing says how large the shared memory of a group is: {} bytes, as far as accesses reach, are taken; "
          "`dynamic_shared_memory = BYTES` says it",
          survey.shared_memory));
    if (const auto& code = result_.report.code; code.fetched_share > kEffort.worth_a_note)
      notes.push_back(fmt::format(
          "{:.0f} % of the instructions are issued outside of loops of at most {} KiB of machine code, of {} KiB in "
          "all: fetching them takes what `far_code` of the device says, and nothing on a device without it",
          100 * code.fetched_share, kNearCode >> 10, code.bytes >> 10));
    for (const auto& name : result_.report.skipped) notes.push_back("left out: " + name);
    if (const auto share = share_left_out(result_.report); share > 0)
      notes.push_back(
          fmt::format("what is left out is {:.2g} % of the instructions that the launch issues", 100 * share));
  }

  void describe(Survey& survey, const Tally& all) {
    auto& kernel = result_.kernel;
    kernel.name = read_.program.name;
    kernel.file = read_.program.file;
    kernel.launch.group_size = whole(launch_.block[0] * launch_.block[1] * launch_.block[2]);
    kernel.launch.groups = whole(launch_.grid[0] * launch_.grid[1] * launch_.grid[2]);
    kernel.launch.block = sizes(launch_.block);
    kernel.launch.grid = sizes(launch_.grid);
    kernel.resources.registers_per_thread = whole(result_.report.registers);
    kernel.resources.shared_memory_per_group = whole(survey.shared_memory);
    double flops = 0, bytes = 0;
    for (std::uint32_t i = 0; i < read_.program.instructions.size(); ++i) {
      const auto& instruction = read_.program.instructions[i];
      flops += all.lanes[read_.flow.block_of[i]] * instruction.flops;
      const auto reached = all.accesses.find(i);
      if (reached == all.accesses.end()) continue;
      const auto space = instruction.access->space;
      if (space == Space::Global || space == Space::Generic)
        bytes += static_cast<double>(read_.sizes.sector_bytes) * reached->second.segments.sum;
    }
    if (flops > 0) kernel.work.flops = Expression(flops);
    if (bytes > 0) kernel.work.bytes = Expression(bytes);
    auto reach = reach_of_launch(read_.program, survey, all,
                                 AddressReader(*survey.log, launch_.block, launch_.grid, survey.forms.forms), forms_);
    if (bytes > 0) kernel.work.compulsory_bytes = Expression(std::min(bytes, reach.compulsory_bytes));
    result_.report.arrays = std::move(reach.arrays);
  }

  const ReadProgram& read_;
  const Launch& launch_;
  std::vector<std::int64_t> issued_;
  FetchedCode code_;
  Import result_;
  std::vector<WrittenBarrierUse> barrier_uses_;
  std::map<std::uint32_t, AddressForm> forms_;  ///< by instruction with a form of all its addresses
};

bool is_any_size(const Assumption& one) { return one.kind == Assumption::Kind::Argument && one.why == kAnySize; }

/// Takes smaller values for assumed arguments of any size where the kernel would take long.
void take_smaller_sizes(std::vector<Assumption>& assumptions, Launch& launch) {
  for (auto& one : assumptions) {
    if (!is_any_size(one)) continue;
    one.value = std::to_string(kGuesses.small_size);
    one.why = "any size that does not take long";
    one.others = {std::to_string(kGuesses.small_size / 2), std::to_string(2 * kGuesses.small_size)};
    answer(launch, one, one.value);
  }
}

/// Notes arguments for fields that the code does not read, as in a mistyped place, and fields that lack one.
void note_fields(const Program& program, const Launch& launch, const std::vector<std::string>& names,
                 std::vector<std::string>& notes) {
  std::vector<std::string> unread;
  for (const auto& [name, value] : launch.arguments)
    if (is_unread_field(program, names, name)) unread.push_back(name);
  if (!unread.empty())
    notes.push_back(
        fmt::format("the code reads no field at {}: what is given there changes nothing", fmt::join(unread, ", ")));
  if (const auto lacking = lower_halves_not_given(program, launch, names); !lacking.empty())
    notes.push_back(fmt::format("no number is given for {}, loaded at once with the field behind it: it is taken as 0",
                                fmt::join(lacking, ", ")));
}

}  // namespace

AccessSizes sizes_for(const Target& target, std::int64_t lanes) {
  AccessSizes sizes;
  if (lanes > sizes.banks) sizes.banks *= 2;
  return target.sizes.value_or(sizes);
}

Import make_kernel(const ReadProgram& read, Launch launch, const std::vector<std::string>& names, ImportReport report) {
  require_launch(launch, read.program);
  note_fields(read.program, launch, names, report.notes);
  for (int round = 0; round < kEffort.pattern; ++round) {
    std::vector<Assumption> assumed;
    std::optional<Stop> stop;
    try {
      const auto arguments = bind_arguments(read.program, read.definitions, launch, names);
      const bool may_take_long = std::ranges::none_of(report.assumptions, is_any_size);
      auto made = Maker(read, launch, report).run(arguments, names, may_take_long, assumed);
      if (auto* found = std::get_if<Stop>(&made))
        stop = std::move(*found);
      else if (auto& import = std::get<std::optional<Import>>(made))
        return std::move(*import);
    } catch (const InputError& error) {
      add_new(assumed, launch, report.assumptions);
      if (report.assumptions.empty()) throw;
      fail_assuming(error, report.assumptions);
    }
    if (stop && stop->why == Stop::Why::TakesLong) take_smaller_sizes(report.assumptions, launch);
    if (stop && stop->lack) {
      if (!launch.assume || stop->lack->assumptions.empty()) throw std::move(*stop->lack);
      assumed = std::move(stop->lack->assumptions);
    }
    add_new(assumed, launch, report.assumptions);
    // As if the user had given the answers: the kernel is the same as with these options.
    for (const auto& one : assumed) answer(launch, one, one.value);
  }
  throw UnknownData(
      {Diagnostic{read.program.file, "this kernel reads more that nobody said than is assumed one after the other",
                  fmt::format("assumed {} answers", report.assumptions.size()),
                  "give those that are elements of one structure or array, as the command below does"}},
      std::move(report.assumptions));
}

Import import_or_ask(bool may_assume, bool has_questions, const std::function<Import(bool assume)>& import) {
  if (may_assume) return import(true);
  try {
    if (!has_questions) return import(false);
  } catch (const UnknownData&) {  // all other questions follow
  }
  std::vector<Assumption> lacking;
  bool needs_assume = false;
  try {
    auto report = import(true).report;
    lacking = std::move(report.assumptions);
    needs_assume = report.beyond_shared;
  } catch (const UnknownData& failed) {  // about the assumptions; further questions remain
    if (failed.assumptions.empty()) throw;
    lacking = failed.assumptions;
  }
  auto questions = questions_of(std::move(lacking));
  questions.needs_assume = needs_assume;
  throw UnknownData(std::move(questions));
}

}  // namespace warpipe::isa
