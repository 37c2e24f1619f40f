// Forms of whole kernels against each thread of each group, executed by itself.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "decode.hpp"
#include "drawn_kernel.hpp"
#include "routine.hpp"
#include "symbolic/group_forms.hpp"
#include "symbolic/program_forms.hpp"
#include "warpipe/isa/dataflow.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

using isa::Instruction;

constexpr std::uint64_t kBase = std::uint64_t{1} << 40;
constexpr int kMostSteps = 20'000;  // of a thread

/// The execution of a thread.
struct Way {
  std::map<std::uint32_t, std::vector<std::pair<std::vector<std::int64_t>, std::uint64_t>>>
      accesses;                                                                                    ///< trips, address
  std::map<std::uint32_t, std::vector<std::pair<std::vector<std::int64_t>, std::int64_t>>> loops;  ///< trips around
  std::vector<std::uint32_t> steps;  ///< instructions on it; accesses whether made or not
  bool ended = true;
};

/// A kernel with its known forms, and a machine that executes a thread.
class Whole {
 public:
  explicit Whole(const DrawnKernel& kernel)
      : kernel_(kernel),
        program_(isa::Program(ptx::decode(ptx::inline_calls(ptx::read_ptx(kernel.text, "k.ptx"), "k"), 32))),
        flow_(isa::analyse_control_flow(program_)),
        definitions_(program_, flow_) {
    isa::LaunchNumbers numbers;
    numbers.block = {kernel.block_x, kernel.block_y, 1};
    numbers.grid = {kernel.grid_x, kernel.grid_y, 1};
    numbers.parameters = {kBase, static_cast<std::uint64_t>(kernel.n)};
    forms = isa::find_forms(program_, flow_, isa::find_slice(program_, definitions_), numbers);
    for (const auto& region : flow_.regions) note_loops(region, {});
  }

  const isa::Program& program() const { return program_; }

  Way follow(const isa::Dimensions& thread, const isa::Dimensions& group) {
    thread_ = thread;
    group_ = group;
    values_.assign(program_.registers.size(), 0);
    Way way;
    std::map<std::uint32_t, std::int64_t> trips;  // by header's block
    std::uint32_t at = 0, from = isa::kNoBlock;
    for (int step = 0; at < program_.instructions.size(); ++step) {
      if (step == kMostSteps) {
        way.ended = false;
        return way;
      }
      const auto block = flow_.block_of[at];
      if (flow_.blocks[block].first == at && members_.contains(block)) {
        const bool again = from != isa::kNoBlock && members_[block].contains(from);
        trips[block] = again ? trips[block] + 1 : 0;
        auto& counts = way.loops[block];
        const auto outside = numbers_of(around_[block], trips);
        if (again)
          ++counts.back().second;
        else
          counts.emplace_back(outside, 1);
      }
      from = block;
      const auto& instruction = program_.instructions[at];
      const bool taken = !instruction.guard || value(*instruction.guard) != 0;
      if (taken || instruction.access) way.steps.push_back(at);
      if (taken && instruction.access) {
        const auto& access = *instruction.access;
        const auto address = value(access.base) + static_cast<std::uint64_t>(access.offset);
        auto inner = around_[block];
        if (members_.contains(block)) inner.push_back(block);
        way.accesses[at].emplace_back(numbers_of(inner, trips), address);
      }
      if (taken && !instruction.access)
        for (const auto& assignment : instruction.assignments) compute(assignment);
      if (taken && instruction.flow == Instruction::Flow::Exit) break;
      at = taken && instruction.flow == Instruction::Flow::Jump ? instruction.targets.at(0) : at + 1;
    }
    return way;
  }

  const DrawnKernel& kernel() const { return kernel_; }
  const std::string& line(std::uint32_t instruction) const { return program_.instructions[instruction].text; }

  isa::ProgramForms forms;

 private:
  void note_loops(const isa::Region& region, const std::vector<std::uint32_t>& around) {
    if (const auto* block = std::get_if<std::uint32_t>(&region.node)) {
      if (!around_.contains(*block)) around_[*block] = around;
      for (const auto loop : around) members_[loop].insert(*block);
      return;
    }
    const auto& loop = std::get<isa::NaturalLoop>(region.node);
    around_[loop.header] = around;
    auto inner = around;
    inner.push_back(loop.header);
    for (const auto& part : loop.body) note_loops(part, inner);
  }

  static std::vector<std::int64_t> numbers_of(const std::vector<std::uint32_t>& loops,
                                              std::map<std::uint32_t, std::int64_t>& trips) {
    std::vector<std::int64_t> result;
    for (const auto loop : loops) result.push_back(trips[loop]);
    return result;
  }

  std::uint64_t value(const isa::Input& input) const {
    using From = isa::Input::Kind;
    using Name = isa::Special::Name;
    const isa::Dimensions block{kernel_.block_x, kernel_.block_y, 1}, grid{kernel_.grid_x, kernel_.grid_y, 1};
    switch (input.kind) {
      case From::Register: {
        const auto number = values_[input.registers.first];
        return input.negated ? (number == 0 ? 1 : 0) : number;
      }
      case From::Special: {
        const auto axis = input.special.axis;
        const auto name = input.special.name;
        return static_cast<std::uint64_t>(name == Name::ThreadIndex  ? thread_[axis]
                                          : name == Name::GroupIndex ? group_[axis]
                                          : name == Name::GroupSize  ? block[axis]
                                                                     : grid[axis]);
      }
      case From::Parameter:
        return input.index == 0 ? kBase : static_cast<std::uint64_t>(kernel_.n);
      default:
        return input.bits;
    }
  }

  void compute(const isa::Assignment& assignment) {
    std::vector<std::uint64_t> inputs;
    for (const auto& input : assignment.inputs) inputs.push_back(value(input));
    const auto result = isa::evaluate(assignment.operation, inputs);
    for (std::size_t i = 0; i < assignment.outputs.size(); ++i) {
      const auto& range = assignment.outputs[i].registers;
      if (range.count == 0) continue;
      const auto number = i == 0 ? *result : isa::second_result(assignment.operation, inputs, *result);
      values_[range.first] = isa::truncated(number, program_.registers[range.first].bits);
    }
  }

  DrawnKernel kernel_;
  isa::Program program_;
  isa::ControlFlow flow_;
  isa::ReachingDefinitions definitions_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> around_;  ///< by block: headers of the loops around it
  std::map<std::uint32_t, std::set<std::uint32_t>> members_;    ///< by header: the loop's blocks
  std::vector<std::uint64_t> values_;
  isa::Dimensions thread_{}, group_{};
};

/// How much was a formula.
struct Found {
  int kernels = 0, accesses = 0, known_accesses = 0, loops = 0, known_loops = 0, kinds = 0, known_kinds = 0,
      exact_kinds = 0;
  bool is_strict = std::getenv("WARPIPE_FORMS_STRICT") != nullptr;
};

/// By the kind's number.
std::map<std::uint32_t, std::int64_t> groups_of_kinds(const std::vector<isa::GroupBox>& boxes) {
  std::map<std::uint32_t, std::int64_t> groups;
  for (const auto& [sides, kind] : boxes) groups[kind] += sides[0].places * sides[1].places * sides[2].places;
  return groups;
}

class Comparison {
 public:
  Comparison(Whole& whole, Found& found) : whole_(whole), found_(found), forms_(whole.forms.forms) {}

  void run() {
    const auto& kernel = whole_.kernel();
    std::map<std::vector<std::vector<std::uint32_t>>, std::size_t> ways;
    std::vector<std::size_t> way_of;  // by the group's index
    for (std::int64_t y = 0; y < kernel.grid_y; ++y)
      for (std::int64_t x = 0; x < kernel.grid_x; ++x) {
        std::vector<std::vector<std::uint32_t>> steps;
        for (std::int64_t thread_y = 0; thread_y < kernel.block_y; ++thread_y)
          for (std::int64_t thread_x = 0; thread_x < kernel.block_x; ++thread_x) {
            const auto way = whole_.follow({thread_x, thread_y, 0}, {x, y, 0});
            if (!way.ended) return;
            compare(way, {thread_x, thread_y, 0}, {x, y, 0});
            if (testing::Test::HasFailure()) return;
            steps.push_back(way.steps);
          }
        way_of.push_back(ways.emplace(std::move(steps), ways.size()).first->second);
      }
    ++found_.kernels;
    for (const auto& access : whole_.forms.accesses) {
      ++found_.accesses;
      if (forms_.is_known(access.address)) ++found_.known_accesses;
    }
    for (const auto& loop : whole_.forms.loops) {
      if (forms_.number(loop.entered) == 0) continue;
      ++found_.loops;
      if (forms_.is_known(loop.trips)) ++found_.known_loops;
    }
    ++found_.kinds;
    const auto alike = isa::alike_groups(whole_.program(), whole_.forms, {kernel.block_x, kernel.block_y, 1},
                                         {kernel.grid_x, kernel.grid_y, 1});
    if (!alike) return;
    ++found_.known_kinds;
    std::map<std::uint32_t, std::set<std::size_t>> ways_of_kinds;
    std::size_t groups = 0;
    for (const auto& [sides, kind] : *alike)
      for (std::int64_t y = 0; y < sides[1].places; ++y)
        for (std::int64_t x = 0; x < sides[0].places; ++x, ++groups)
          ways_of_kinds[kind].insert(
              way_of.at(static_cast<std::size_t>(sides[1].place(y) * kernel.grid_x + sides[0].place(x))));
    EXPECT_EQ(groups, way_of.size());
    for (const auto& [kind, different] : ways_of_kinds)
      EXPECT_EQ(different.size(), 1U) << "groups of kind " << kind << " go different ways";
    // Conditions within loops are compared as they are written: they may tell groups apart that go the same ways.
    if (ways_of_kinds.size() == ways.size()) ++found_.exact_kinds;
    if (found_.is_strict) {
      EXPECT_EQ(ways_of_kinds.size(), ways.size()) << "kinds";
    }
  }

 private:
  std::int64_t evaluate(isa::Form form, const std::vector<std::uint32_t>& loops,
                        const std::vector<std::int64_t>& trips) const {
    return forms_.evaluate(form, [&](isa::Variable variable) -> std::int64_t {
      if (variable.place == isa::Place::Thread) return thread_[variable.number];
      if (variable.place == isa::Place::Group) return group_[variable.number];
      const auto at = std::ranges::find(loops, variable.number);
      EXPECT_NE(at, loops.end()) << "a trip of a loop elsewhere: " << forms_.text(form);
      return at == loops.end() ? 0 : trips[static_cast<std::size_t>(at - loops.begin())];
    });
  }

  void compare(const Way& way, const isa::Dimensions& thread, const isa::Dimensions& group) {
    thread_ = thread;
    group_ = group;
    std::map<std::uint32_t, const isa::AccessForm*> by_instruction;
    for (const auto& access : whole_.forms.accesses) by_instruction[access.instruction] = &access;
    const auto where = fmt::format("thread {},{} group {},{}", thread[0], thread[1], group[0], group[1]);
    for (const auto& [instruction, executions] : way.accesses) {
      ASSERT_TRUE(by_instruction.contains(instruction)) << whole_.line(instruction) << ' ' << where;
      const auto& access = *by_instruction[instruction];
      for (const auto& [trips, address] : executions) {
        if (forms_.is_known(access.address)) {
          ASSERT_EQ(evaluate(access.address, access.loops, trips), static_cast<std::int64_t>(address))
              << whole_.line(instruction) << ' ' << where << ' ' << forms_.text(access.address);
        }
        if (forms_.is_known(access.made)) {
          ASSERT_EQ(evaluate(access.made, access.loops, trips), 1)
              << whole_.line(instruction) << ' ' << where << ' ' << forms_.text(access.made);
        }
      }
    }
    for (const auto& [instruction, access] : by_instruction) {
      const auto executions = count(*access);
      const auto made = way.accesses.find(instruction);
      if (executions) {
        ASSERT_EQ(*executions, made == way.accesses.end() ? 0 : made->second.size())
            << whole_.line(instruction) << ' ' << where << ' ' << forms_.text(access->made);
      }
    }
    for (const auto& loop : whole_.forms.loops) {
      const auto entries = way.loops.find(loop.header);
      if (!forms_.is_known(loop.trips) || entries == way.loops.end()) continue;
      for (const auto& [around, trips] : entries->second)
        ASSERT_EQ(evaluate(loop.trips, loop.around, around), trips) << where << ' ' << forms_.text(loop.trips);
    }
  }

  /// Executions by the form; nothing where conditions are not known.
  std::optional<std::size_t> count(const isa::AccessForm& access) const {
    if (!forms_.is_known(access.made)) return std::nullopt;
    for (const auto loop : access.loops)
      if (!forms_.is_known(whole_.forms.loops[loop].trips)) return std::nullopt;
    return count(access, {});
  }
  std::size_t count(const isa::AccessForm& access, std::vector<std::int64_t> trips) const {
    if (trips.size() == access.loops.size())
      return static_cast<std::size_t>(evaluate(access.made, access.loops, trips));
    const auto& loop = whole_.forms.loops[access.loops[trips.size()]];
    if (evaluate(loop.entered, loop.around, trips) == 0) return 0;
    const auto end = evaluate(loop.trips, loop.around, trips);
    std::size_t sum = 0;
    trips.push_back(0);
    for (; trips.back() < end; ++trips.back()) sum += count(access, trips);
    return sum;
  }

  Whole& whole_;
  Found& found_;
  const isa::Forms& forms_;
  isa::Dimensions thread_{}, group_{};
};

TEST(ProgramForms, AreWhatEachThreadOfRandomKernelsDoes) {
  const auto* const all = std::getenv("WARPIPE_FORMS_CASES");
  const auto* const first = std::getenv("WARPIPE_FORMS_FIRST");
  const auto cases = all != nullptr ? std::stoull(all) : 200;
  const auto begin = first != nullptr ? std::stoull(first) : 1;
  Found found;
  for (std::uint64_t seed = begin; seed < begin + cases; ++seed) {
    Whole whole(drawn_kernel(seed));
    Comparison(whole, found).run();
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << whole.kernel().text;
  }
  fmt::print("{} kernels: {} of {} accesses, {} of {} loops, kinds of {} by formula, {} of these as followed\n",
             found.kernels, found.known_accesses, found.accesses, found.known_loops, found.loops, found.known_kinds,
             found.exact_kinds);
  EXPECT_GT(found.known_accesses, found.accesses * 9 / 10);
}

/// A kernel of the text between its registers and its end: the thread's number in the launch is %r0, p is %d0.
DrawnKernel kernel_of(const std::string& body, std::int64_t block_x) {
  return {
      ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {\n"
      ".reg .pred %p<20>; .reg .b32 %r<40>; .reg .b64 %d<20>;\n"
      "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; ld.param.u64 %d0, [p];\n"
      "mad.lo.s32 %r0, %r2, %r3, %r1;\n" +
          body + "ret;\n}\n",
      block_x,
      1,
      3,
      1,
      0};
}

/// Stores 4 bytes to p + 4 x a register.
std::string store_at(const std::string& index) {
  return fmt::format("mul.wide.s32 %d1, {}, 4; add.s64 %d2, %d0, %d1; st.global.u32 [%d2], %r0;\n", index);
}

/// Holds all forms of a kernel against the execution of its threads.
/// @return whether all its stores and loops are known
bool is_known(const DrawnKernel& kernel) {
  Whole whole(kernel);
  Found found;
  Comparison(whole, found).run();
  EXPECT_FALSE(testing::Test::HasFailure()) << kernel.text;
  const auto& forms = whole.forms.forms;
  return std::ranges::all_of(whole.forms.accesses,
                             [&](const isa::AccessForm& access) {
                               const bool stores = whole.line(access.instruction).starts_with("st");
                               return !stores || (forms.is_known(access.address) && forms.is_known(access.made));
                             }) &&
         std::ranges::all_of(whole.forms.loops, [&](const auto& loop) { return forms.is_known(loop.trips); });
}

// for (;;) { p[i]; if (i >= n) break; i += s; p[i]; if (i >= n) break; ... }, to a single place or to several.
TEST(ProgramForms, KnowALoopThatIsLeftInSeveralPlaces) {
  std::mt19937 random(5);
  int known = 0;
  for (int round = 0; round < 60; ++round) {
    const auto ways = 2 + random() % 4, step = 1 + random() % 90;
    const bool apart = random() % 2 == 0;
    std::string text = "mov.u32 %r4, %r0;\nL0:\n";
    for (unsigned way = 0; way < ways; ++way) {
      text += store_at("%r4");
      text += fmt::format("add.s32 %r4, %r4, {0}; setp.ge.s32 %p{1}, %r4, {2};\n", step, way, 1 + round * 17);
      text += way + 1 < ways ? fmt::format("@%p{} bra L{};\n", way, apart ? way + 1 : 1)
                             : fmt::format("@!%p{} bra L0;\n", way);
    }
    for (auto way = ways - 1; way > 0; --way) text += fmt::format("L{}:\n", way) + store_at("%r4");
    known += is_known(kernel_of(text, 40)) ? 1 : 0;
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  EXPECT_GT(known, 30);  // more than half; each exit by itself gives less
}

// A ring of stages whose parity turns with each round, several steps in a trip.
TEST(ProgramForms, KnowARingThatComesRoundWithinATrip) {
  for (int stages = 1; stages <= 5; ++stages)
    for (int rounds = 1; rounds <= 2; ++rounds)
      for (const int trips : {1, 3, 5}) {
        std::string text = "mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0;\nL0:\n";
        for (int step = 0; step < stages * rounds; ++step)
          text += "mad.lo.s32 %r8, %r5, 64, %r4;\n" + store_at("%r8") +
                  fmt::format(
                      "add.s32 %r7, %r4, 1; setp.ne.s32 %p0, %r7, {};\n"
                      "selp.b32 %r4, %r7, 0, %p0; selp.b32 %r9, 0, 1, %p0; xor.b32 %r5, %r5, %r9;\n",
                      stages);
        text += fmt::format("add.s32 %r6, %r6, 1; setp.lt.s32 %p1, %r6, {}; @%p1 bra L0;\n", trips);
        ASSERT_TRUE(is_known(kernel_of(text, 40)))
            << stages << " stages, " << rounds << " rounds, " << trips << " trips";
      }
}

// A place that is brought back into its ring by what it is beyond the end: up, down, by any step, several times in a
// trip.
TEST(ProgramForms, KnowARingThatIsLeftByAnyStep) {
  for (const int size : {5, 64, 96, 1000})
    for (const int step : {1, 3, 32, size - 1, size})
      for (const int moves : {1, 2, 4})
        for (const bool up : {true, false}) {
          if (step > size) continue;
          std::string text = "and.b32 %r4, %r1, 3; mov.u32 %r6, 0;\nL0:\n";
          const auto ahead = fmt::format("add.s32 %r4, %r4, {}; setp.ge.s32 %p0, %r4, {}; @%p0 sub.s32 %r4, %r4, {};\n",
                                         step, size, size);
          const auto back = fmt::format(
              "sub.s32 %r4, %r4, {}; setp.lt.s32 %p0, %r4, 0; selp.b32 %r7, {}, 0, %p0; add.s32 %r4, %r4, %r7;\n", step,
              size);
          for (int move = 0; move < moves; ++move) text += store_at("%r4") + (up ? ahead : back);
          text += "add.s32 %r6, %r6, 1; setp.lt.s32 %p1, %r6, 7; @%p1 bra L0;\n";
          ASSERT_TRUE(is_known(kernel_of(text, 40)))
              << size << " places, steps of " << step << ", " << moves << " in a trip, " << (up ? "up" : "down");
        }
}

// Whatever ways loaded numbers choose, behind them all threads go on; not where some end or go round before.
TEST(ProgramForms, KnowThatAllGoOnWhereWaysMeet) {
  const std::string ways =
      "ld.global.u32 %r10, [%d0]; ld.global.u32 %r11, [%d0+4]; ld.global.u32 %r12, [%d0+8];\n"
      "setp.gt.u32 %p2, %r10, 9; setp.gt.u32 %p3, %r11, %r12; setp.gt.u32 %p4, %r12, %r10;\n"
      "@%p2 bra L1; @%p3 bra L2; xor.b32 %r13, %r10, %r11; setp.gt.u32 %p5, %r13, %r12; @%p5 bra L3;\n"
      "L1: add.s32 %r13, %r13, 1; setp.gt.u32 %p6, %r13, %r11; @%p6 bra L3; @%p4 bra L4;\n"
      "L2: add.s32 %r13, %r13, 5; @%p3 bra L4;\nL3: add.s32 %r13, %r13, 7;\nL4:\n";
  const std::string loop = "mov.u32 %r4, %r0;\nL0:\n", end =
                                                           "add.s32 %r4, %r4, 64; setp.lt.s32 %p0, %r4, 300;\n"
                                                           "@%p0 bra L0;\n";
  EXPECT_TRUE(is_known(kernel_of(loop + ways + store_at("%r4") + end, 40)));
  EXPECT_TRUE(is_known(kernel_of(loop + store_at("%r4") + ways + end, 40)));
  const auto made_of_last = [](const std::string& text) {
    const Whole whole(kernel_of(text, 40));
    return whole.forms.forms.is_known(whole.forms.accesses.back().made);
  };
  EXPECT_TRUE(made_of_last(ways + store_at("%r0")));
  EXPECT_FALSE(made_of_last("@%p9 bra L5; " + ways + "ret; L5:\n" + store_at("%r0")));
  for (const auto* const leaves : {"@%p6 ret;\n", "@%p6 bra L5;\n"}) {
    auto some = ways;
    some.insert(some.find("@%p6"), leaves);
    EXPECT_FALSE(made_of_last(some + store_at("%r0") + "L5:\n")) << leaves;
  }
  auto again = loop + ways;  // some go round
  again.insert(again.find("@%p6"), "@%p6 bra L0;\n");
  EXPECT_FALSE(made_of_last(again + store_at("%r0") + end));
}

// Bit by bit, of the thread and the group, both from 0 on.
TEST(ProgramForms, KnowTheLogicOfTwoNumbers) {
  for (const auto* name : {"and", "or", "xor"})
    EXPECT_TRUE(is_known(kernel_of(std::string(name) + ".b32 %r4, %r1, %r2;\n" + store_at("%r4"), 40))) << name;
}

TEST(ProgramForms, KnowThatALoadedByteIsNegativeOnlyWithASign) {
  const auto stores = [](const std::string& type) {
    const Whole whole(kernel_of(
        "ld.global." + type + " %r10, [%d0]; setp.lt.s32 %p0, %r10, 0; @%p0 bra L0;\n" + store_at("%r0") + "L0:\n",
        40));
    return whole.forms.forms.number(whole.forms.accesses.back().made);
  };
  EXPECT_EQ(stores("u8"), 1);  // at most 255: all threads
  EXPECT_EQ(stores("u16"), 1);
  for (const auto* type : {"s8", "s16", "u32"}) EXPECT_FALSE(stores(type)) << type;
}

/// Threads of 32 a group store where their number in the launch is below 5,000,000,007.
DrawnKernel guarded(std::int64_t groups) {
  return {
      ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {\n"
      ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<8>;\n"
      "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; ld.param.u64 %d0, [p];\n"
      "cvt.u64.u32 %d1, %r0; mad.wide.u32 %d2, %r1, %r2, %d1; setp.ge.s64 %p0, %d2, 5000000007;\n"
      "@%p0 bra L0; shl.b64 %d3, %d2, 2; add.s64 %d4, %d0, %d3; st.global.u32 [%d4], %r0;\nL0: ret;\n}\n",
      32,
      1,
      groups,
      1,
      0};
}

// 5,000,000,007 = 32 x 156,250,000 + 7: a group has a tail of seven threads, groups behind it do nothing.
TEST(ProgramForms, CountKindsOfManyGroupsAsFastAsOfFew) {
  constexpr std::int64_t kMany = 2'147'483'647, kWhole = 156'250'000;
  Whole many(guarded(kMany)), few(guarded(1024));
  const auto of_few = isa::alike_groups(few.program(), few.forms, {32, 1, 1}, {1024, 1, 1});
  const auto of_many = isa::alike_groups(many.program(), many.forms, {32, 1, 1}, {kMany, 1, 1});
  ASSERT_TRUE(of_few && of_many);
  EXPECT_THAT(groups_of_kinds(*of_few), testing::ElementsAre(testing::Pair(0, 1024)));
  EXPECT_THAT(groups_of_kinds(*of_many), testing::ElementsAre(testing::Pair(0, kWhole), testing::Pair(1, 1),
                                                              testing::Pair(2, kMany - kWhole - 1)));
  ASSERT_EQ(of_many->size(), 3);
  EXPECT_EQ(of_many->at(1).sides[0].first, kWhole);
  EXPECT_LT(many.forms.forms.size(), 1000);  // 31 halvings, a few forms each
}

}  // namespace
}  // namespace warpipe::test
