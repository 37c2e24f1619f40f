#include "warpipe/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "group.hpp"
#include "warpipe/machine/load_recorder.hpp"

namespace warpipe::machine {
namespace {

using Clock = std::chrono::steady_clock;

/// Instructions of a group before the next group's turn: of a new group, and of a group sharing its thread with many.
constexpr std::uint64_t kFirstTurn = 1 << 22, kTurn = 1 << 16;
/// A group is not disturbed if it ends within so many turns.
constexpr int kTurnsAlone = 64;
/// So long may all groups wait for a write before it counts as a deadlock.
constexpr auto kPatience = std::chrono::seconds(10);
constexpr std::int64_t kMostThreads = 1024;

[[noreturn]] void refuse_launch(const std::string& what) { throw Fault(Fault::Kind::Launch, what); }

AlignedBytes shared_numbers(const Code& code, const Launch& launch) {
  using From = SharedNumber::From;
  AlignedBytes bytes(code.shared_numbers.size() * kMostLanes * 8);
  for (std::size_t i = 0; i < code.shared_numbers.size(); ++i) {
    const auto& shared = code.shared_numbers[i];
    std::uint64_t number = shared.value;
    switch (shared.from) {
      case From::Argument:
        number = 0;
        std::memcpy(&number, launch.arguments.data() + shared.value, shared.bytes);
        break;
      case From::GroupSize:
        number = static_cast<std::uint64_t>(launch.block[shared.value]);
        break;
      case From::GridSize:
        number = static_cast<std::uint64_t>(launch.grid[shared.value]);
        break;
      case From::DynamicSharedBytes:
        number = static_cast<std::uint64_t>(launch.dynamic_shared_bytes);
        break;
      case From::UnitCount:
        number = static_cast<std::uint64_t>(launch.units);
        break;
      case From::GridWorkspace:
        number = launch.workspace >> (32 * shared.value) & UINT32_MAX;
        break;
      default:
        break;
    }
    auto* const place = bytes.data() + i * kMostLanes * 8;
    if (shared.wide)
      std::fill_n(reinterpret_cast<std::uint64_t*>(place), kMostLanes, number);
    else
      std::fill_n(reinterpret_cast<std::uint32_t*>(place), kMostLanes, static_cast<std::uint32_t>(number));
  }
  return bytes;
}

std::vector<unsigned char> recorded_accesses(const Code& code, const LoadRecorder* recorder) {
  std::vector<unsigned char> recorded(code.accesses.size(), 0);
  if (recorder == nullptr) return recorded;
  for (const auto& access : code.accesses) recorded[access.number] = recorder->wants(access.instruction) ? 1 : 0;
  return recorded;
}

void check(const Code& code, const Launch& launch) {
  for (const auto& sizes : {launch.grid, launch.block})
    for (const auto size : sizes)
      if (size < 1) refuse_launch(fmt::format("a grid and a block have sizes from 1 on, found {}", size));
  const auto threads = launch.block[0] * launch.block[1] * launch.block[2];
  if (threads > kMostThreads)
    refuse_launch(fmt::format("a group has at most {} threads, found {}", kMostThreads, threads));
  if (launch.arguments.size() < code.argument_bytes)
    refuse_launch(fmt::format("{} has {} bytes of arguments, found {}", code.program.name, code.argument_bytes,
                              launch.arguments.size()));
}

/// A launch in execution, on several threads of the host.
class Run {
 public:
  Run(const Code& code, const Launch& launch, Memory& memory, const Effort& effort, LoadRecorder* recorder)
      : effort_(effort),
        execution_{code,
                   launch,
                   lane_functions(),
                   memory.ranges(),
                   memory.textures(),
                   shared_numbers(code, launch),
                   (code.shared_bytes + 15) / 16 * 16 + static_cast<std::uint64_t>(launch.dynamic_shared_bytes),
                   memory,
                   recorder,
                   recorded_accesses(code, recorder),
                   false},
        begun_(Clock::now()) {
    outcome_.of_groups.assign(static_cast<std::size_t>(launch.grid[0] * launch.grid[1] * launch.grid[2]), 0);
    left_ = static_cast<std::int64_t>(effort.groups.empty() ? outcome_.of_groups.size() : effort.groups.size());
  }

  Outcome run() {
    auto threads = effort_.threads == 0 ? std::max(1U, std::thread::hardware_concurrency()) : effort_.threads;
    threads = static_cast<unsigned>(std::min<std::int64_t>(threads, left_));
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
    work();
    for (auto& other : others) other.join();
    if (fault_) throw Fault(*fault_);
    if (other_) std::rethrow_exception(other_);
    outcome_.complete = ended_ == left_;
    outcome_.instructions = instructions_;
    outcome_.lane_instructions = lane_instructions_;
    return std::move(outcome_);
  }

 private:
  /// The running groups of a thread: begun, not yet ended.
  struct Turns {
    explicit Turns(const Execution& execution) : worker{execution, {}, {}} {
      worker.reached.resize(execution.code.accesses.size());
    }
    Worker worker;
    std::vector<std::unique_ptr<Group>> begun, free;
    bool waits = false;  ///< a group waits for other groups
    int turns = 0;       ///< since the last group began
  };

  void work() {
    try {
      Turns turns(execution_);
      while (!execution_.stops) {
        if (turns.begun.empty() || turns.waits || turns.turns > kTurnsAlone) {
          // Begins as many groups as are waiting already, to have all groups of a launch begun soon.
          const auto most = std::max<std::size_t>(1, turns.begun.size());
          for (std::size_t i = 0; i < most && begin(turns); ++i) {
          }
          if (turns.begun.empty() && next_ >= left_) break;
        }
        go_round(turns);
      }
      const std::lock_guard lock(mutex_);
      if (outcome_.behind.empty()) outcome_.behind = turns.worker.behind;
    } catch (const Fault& fault) {
      const std::lock_guard lock(mutex_);
      if (!fault_) fault_.emplace(fault);
      execution_.stops = true;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!other_) other_ = std::current_exception();
      execution_.stops = true;
    }
  }

  /// Starts the next group of the launch.
  /// @return false where there is none
  bool begin(Turns& turns) {
    const auto index = next_++;
    if (index >= left_ || execution_.stops) return false;
    const auto number = effort_.groups.empty() ? index : effort_.groups[static_cast<std::size_t>(index)];
    std::unique_ptr<Group> group;
    if (turns.free.empty()) {
      group = std::make_unique<Group>(turns.worker, number);
    } else {
      group = std::move(turns.free.back());
      turns.free.pop_back();
      group->start(number);
    }
    turns.turns = 0;
    if (give_turn(turns, *group, kFirstTurn))
      turns.free.push_back(std::move(group));
    else
      turns.begun.push_back(std::move(group));
    return true;
  }

  /// @return whether the group has ended
  bool give_turn(Turns& turns, Group& group, std::uint64_t instructions) {
    const auto before = group.instructions(), lanes_before = group.lane_instructions();
    const auto stop = group.go_on(instructions);
    instructions_ += group.instructions() - before;
    lane_instructions_ += group.lane_instructions() - lanes_before;
    if (stop == Stop::Waits) turns.waits = true;
    if (stop != Stop::Waits) ++progress_;
    if ((effort_.most_instructions > 0 && instructions_ > static_cast<std::uint64_t>(effort_.most_instructions)) ||
        (effort_.seconds > 0 && std::chrono::duration<double>(Clock::now() - begun_).count() > effort_.seconds))
      execution_.stops = true;
    if (stop != Stop::Ended) return false;
    outcome_.of_groups[static_cast<std::size_t>(group.number)] = group.instructions();
    if (group.recording != nullptr) execution_.recorder->end(*group.recording, group.instructions());
    ++ended_;
    return true;
  }

  void go_round(Turns& turns) {
    turns.waits = false;
    ++turns.turns;
    const auto before = progress_.load();
    for (auto& group : turns.begun) {
      if (execution_.stops) return;
      if (!give_turn(turns, *group, kTurn)) continue;
      turns.free.push_back(std::move(group));
    }
    std::erase(turns.begun, nullptr);
    if (progress_ != before || turns.begun.empty() || next_ < left_) {
      stuck_since_ = Clock::now().time_since_epoch().count();
      return;
    }
    std::this_thread::yield();
    const auto since = Clock::time_point(Clock::duration(stuck_since_.load()));
    if (turns.waits && Clock::now() - since > kPatience) report_stuck(*turns.begun.front());
  }

  static void report_stuck(const Group& group) {
    for (const auto& warp : group.warps)
      if (can_go_on(warp))
        for (std::uint32_t block = 0; block < warp.waiting.size(); ++block)
          if (warp.waiting[block] != 0)
            fail(warp, warp.worker->execution.code.blocks[block].first, Fault::Kind::Deadlock,
                 "a loop waits for memory that no thread writes",
                 static_cast<std::size_t>(std::countr_zero(warp.waiting[block])));
  }

  const Effort& effort_;
  Execution execution_;
  Clock::time_point begun_;
  Outcome outcome_;
  std::int64_t left_ = 0;
  std::atomic<std::int64_t> next_ = 0, ended_ = 0;
  std::atomic<std::uint64_t> instructions_ = 0, lane_instructions_ = 0, progress_ = 0;
  std::atomic<Clock::rep> stuck_since_ = Clock::now().time_since_epoch().count();
  std::mutex mutex_;
  std::optional<Fault> fault_;
  std::exception_ptr other_;
};

}  // namespace

struct Machine::Prepared {
  Code code;
};

Machine::Machine(const isa::Program& program, const Variables& variables)
    : prepared_(std::make_unique<Prepared>(Prepared{prepare(program, variables)})) {}
Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

std::int64_t Machine::shared_bytes() const { return static_cast<std::int64_t>(prepared_->code.shared_bytes); }
std::int64_t Machine::argument_bytes() const { return static_cast<std::int64_t>(prepared_->code.argument_bytes); }

Outcome Machine::run(const Launch& launch, Memory& memory, const Effort& effort, LoadRecorder* recorder) const {
  check(prepared_->code, launch);
  if (prepared_->code.has_heap)
    memory.make_heap(static_cast<std::uint64_t>(std::max<std::int64_t>(0, launch.heap_bytes)));
  return Run(prepared_->code, launch, memory, effort, recorder).run();
}

}  // namespace warpipe::machine
