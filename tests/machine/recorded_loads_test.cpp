// Launches executed by a machine: an import given their recorded loads goes their ways. Expected numbers are found by
// hand, or by a few lines of C++, for each kernel of recorded_loads.cu.
#include "warpipe/isa/recorded_loads.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>

#include "loaded.hpp"
#include "support/folders.hpp"
#include "warpipe/isa/assumption.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/machine/load_recorder.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/import.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::test {
namespace {

using ::testing::IsEmpty;
using Numbers = std::vector<unsigned>;

const ptx::Module& kernels() {
  static const ptx::Module kModule = [] {
    std::ifstream file(in_sources("tests/machine/recorded_loads.ptx"));
    std::ostringstream text;
    text << file.rdbuf();
    return ptx::read_ptx(text.str(), "recorded_loads.ptx");
  }();
  return kModule;
}

/// A launch of a kernel here, in memory of its own.
class Launched {
 public:
  Launched(std::string kernel, std::int64_t groups, std::int64_t threads)
      : kernel_(std::move(kernel)), groups_(groups), threads_(threads) {}

  template <class T>
  T* array(const std::vector<T>& numbers) {
    auto* const place = reinterpret_cast<T*>(memory_.allocate(numbers.size() * sizeof(T)));
    std::memcpy(place, numbers.data(), numbers.size() * sizeof(T));
    return place;
  }

  /// Executes it on a single thread, its groups in turn.
  template <class... T>
  Launched& run(const T&... all) {
    arguments_ = arguments(all...);
    machine::Launch launch;
    launch.grid = {groups_, 1, 1};
    launch.block = {threads_, 1, 1};
    launch.arguments = arguments_;
    const auto program = ptx::executable_program(kernels(), kernel_);
    machine::Variables variables(memory_);
    variables.add(ptx::variables(kernels()));
    machine::LoadRecorder recorder(isa::deciding_loads(program), most_);
    machine::Effort effort;
    effort.threads = 1;
    const auto outcome = machine::Machine(program, variables).run(launch, memory_, effort, &recorder);
    recorded_ = std::make_shared<isa::RecordedLoads>(recorder.take(outcome, program, variables, memory_));
    return *this;
  }
  /// Bytes kept of its loads.
  Launched& keeping(std::size_t most) {
    most_ = most;
    return *this;
  }

  ptx::Import import(bool recorded = true) const {
    ptx::ImportOptions options;
    options.entry = kernel_;
    options.launch.grid = {groups_, 1, 1};
    options.launch.block = {threads_, 1, 1};
    auto& block = options.launch.parameters;
    block.bytes.assign(reinterpret_cast<const char*>(arguments_.data()), arguments_.size());
    for (std::size_t at = 0; at + 8 <= block.bytes.size(); at += 8) {
      std::uint64_t pointer = 0;
      std::memcpy(&pointer, block.bytes.data() + at, sizeof pointer);
      const auto range = memory_.find(pointer);
      if (!range) continue;
      const std::string_view bytes(reinterpret_cast<const char*>(pointer), range->end - pointer);  // NOLINT
      block.pointers[static_cast<std::int64_t>(at)] = static_cast<std::int64_t>(bytes.size());
      if (!recorded) options.launch.arrays["+" + std::to_string(at)].bytes = isa::ArrayBytes{bytes};
    }
    if (recorded) options.launch.recorded = recorded_;
    return ptx::import_ptx(kernels(), options);
  }
  const isa::RecordedLoads& recorded() const { return *recorded_; }

 private:
  std::string kernel_;
  std::int64_t groups_, threads_;
  std::size_t most_ = std::size_t{1} << 28;
  machine::Memory memory_;
  std::vector<std::byte> arguments_;
  std::shared_ptr<isa::RecordedLoads> recorded_;
};

/// The accesses on a line of recorded_loads.cu, in order.
std::vector<isa::AccessReport> accesses_at(const ptx::Import& import, int line) {
  std::vector<isa::AccessReport> found;
  for (const auto& access : import.report.accesses)
    if (access.source == "recorded_loads.cu:" + std::to_string(line)) found.push_back(access);
  return found;
}

std::size_t sectors_of(const std::vector<std::uint64_t>& addresses) {
  std::set<std::uint64_t> sectors;
  for (const auto address : addresses) sectors.insert(address / 32);
  return sectors.size();
}

TEST(RecordedLoads, GiveTripsThatComeThroughSharedMemory) {
  constexpr unsigned kGroups = 5;
  Launched launched("from_shared", kGroups, 64);
  auto* const out = launched.array(Numbers(64 * kGroups));
  auto* const odd = launched.array(Numbers(64 * kGroups));
  const auto made = launched.run(out, odd).import();
  // Lane t makes the number of trips given by thread 63 - t; a warp as many as its longest lane.
  std::int64_t iterations = 0;
  double stores = 0, sectors = 0;
  for (unsigned group = 0; group < kGroups; ++group)
    for (unsigned warp = 0; warp < 2; ++warp) {
      unsigned most = 0;
      std::vector<std::uint64_t> reached;
      for (unsigned t = 32 * warp; t < 32 * warp + 32; ++t) {
        const auto trips = (7 * (63 - t) + group) % 13;
        most = std::max(most, trips);
        if (trips % 2 == 1) reached.push_back(4 * std::uint64_t{64 * group + t});
      }
      iterations += most;
      stores += reached.empty() ? 0 : 1;
      sectors += static_cast<double>(sectors_of(reached));
    }
  ASSERT_EQ(made.report.entered_loops.size(), 1U);
  EXPECT_EQ(made.report.entered_loops.front().iterations.sum, static_cast<double>(iterations));
  EXPECT_EQ(made.report.entered_loops.front().entries, 2 * kGroups);
  const auto store = accesses_at(made, 20);
  ASSERT_EQ(store.size(), 1U);
  EXPECT_EQ(store.front().statistics.executions, stores);
  EXPECT_EQ(store.front().statistics.segments.sum, sectors);
  EXPECT_THAT(made.report.assumptions, IsEmpty());
  EXPECT_THROW(launched.import(false), isa::UnknownData) << "no array tells it";
}

TEST(RecordedLoads, GiveWhatStoodBeforeAnAtomic) {
  constexpr double kGroups = 40;
  Launched launched("from_atomic", 40, 32);
  auto* const counter = launched.array(Numbers(1));
  const auto made = launched.run(counter, launched.array(Numbers(32 * 40))).import();
  // Group g finds 3 g.
  ASSERT_EQ(made.report.entered_loops.size(), 1U);
  const auto& loop = made.report.entered_loops.front();
  EXPECT_EQ(loop.entries, kGroups - 1);
  EXPECT_EQ(loop.iterations.sum, 3 * kGroups * (kGroups - 1) / 2);
  EXPECT_EQ(loop.iterations.least, 3);
  EXPECT_EQ(loop.iterations.most, 3 * 39);
}

TEST(RecordedLoads, GiveWhatTheKernelItselfHasWritten) {
  Launched launched("from_global", 1, 64);
  auto* const next = launched.array(Numbers(64));
  const auto made = launched.run(next, launched.array(Numbers(64))).import();
  double iterations = 0, sectors = 0;
  for (unsigned warp = 0; warp < 2; ++warp) {
    Numbers at(32);
    std::iota(at.begin(), at.end(), 32 * warp);
    for (std::vector<std::uint64_t> reached;; reached.clear()) {
      for (auto& lane : at)
        if (lane < 60) {
          reached.push_back(4 * std::uint64_t{lane});
          lane += 1 + lane % 3;
        }
      if (reached.empty()) break;
      ++iterations;
      sectors += static_cast<double>(sectors_of(reached));
    }
  }
  ASSERT_EQ(made.report.entered_loops.size(), 1U);
  EXPECT_EQ(made.report.entered_loops.front().iterations.sum, iterations);
  const auto load = accesses_at(made, 38);
  ASSERT_EQ(load.size(), 1U);
  EXPECT_EQ(load.front().statistics.executions, iterations);
  EXPECT_EQ(load.front().statistics.segments.sum, sectors);
}

TEST(RecordedLoads, GiveHowOftenLanesTryACompareAndSwap) {
  for (const int ascending : {0, 1}) {
    Launched launched("greatest", 1, 32);
    const auto made = launched.run(launched.array(std::vector{-1}), ascending).import();
    // Lanes come in turn. Ascending, each is greater than all before it and has to try again; else the first is the
    // greatest.
    ASSERT_EQ(made.report.entered_loops.size(), 1U);
    EXPECT_EQ(made.report.entered_loops.front().iterations.sum, ascending == 1 ? 32 : 2);
    const auto swap = accesses_at(made, 49);
    ASSERT_EQ(swap.size(), 1U);
    EXPECT_EQ(swap.front().statistics.turns.sum, ascending == 1 ? 32 * 33 / 2 : 32);
  }
}

/// Rows of 0 to 12 numbers, in random places of 4096.
struct RowsOfNumbers {
  Numbers begin{0}, index;
  explicit RowsOfNumbers(unsigned rows) {
    for (unsigned row = 0; row < rows; ++row) {
      for (unsigned i = 0; i < row * 5 % 13; ++i) index.push_back((row * 2654435761U + i * 40503U) % 4096);
      begin.push_back(static_cast<unsigned>(index.size()));
    }
  }
};

TEST(RecordedLoads, FollowPointersThroughMemory) {
  const RowsOfNumbers rows(128);
  Launched launched("rows", 2, 64);
  const auto* const values = launched.array(std::vector<float>(8192));
  const std::vector<const float*> columns{values, values + 4096};
  auto* const out = launched.array(std::vector<float>(128));
  const auto made =
      launched.run(launched.array(rows.begin), launched.array(rows.index), launched.array(columns), out).import();
  double sectors = 0;
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned round = 0; round < 12; ++round) {
      std::vector<std::uint64_t> reached;
      for (unsigned row = 32 * warp; row < 32 * warp + 32; ++row)
        if (const auto i = rows.begin[row] + round; i < rows.begin[row + 1])
          reached.push_back(reinterpret_cast<std::uint64_t>(columns[i % 2] + rows.index[i]));
      sectors += static_cast<double>(sectors_of(reached));
    }
  const auto loads = accesses_at(made, 60);
  ASSERT_FALSE(loads.empty());
  EXPECT_EQ(loads.back().statistics.segments.sum, sectors);
  // Memory reached only by pointers in memory is known by its begin.
  EXPECT_NE(loads.back().address.kind, isa::AddressReport::Kind::NotFound);
}

TEST(RecordedLoads, ChangeNothingWhereArraysTellAll) {
  const RowsOfNumbers rows(256);
  Launched launched("row_sums", 4, 64);
  auto* const values = launched.array(std::vector<float>(4096));
  auto* const out = launched.array(std::vector<float>(256));
  launched.run(launched.array(rows.begin), launched.array(rows.index), values, out);
  auto recorded = launched.import();
  const auto told = launched.import(false);
  EXPECT_EQ(recorded.report.executions, told.report.executions);
  EXPECT_EQ(recorded.report.issued, told.report.issued);
  ASSERT_EQ(recorded.report.accesses.size(), told.report.accesses.size());
  for (std::size_t i = 0; i < told.report.accesses.size(); ++i) {
    const auto &one = recorded.report.accesses[i], &other = told.report.accesses[i];
    EXPECT_EQ(one.statistics.executions, other.statistics.executions);
    EXPECT_EQ(one.statistics.segments.sum, other.statistics.segments.sum);
    EXPECT_EQ(one.address.texts, other.address.texts);
  }
  recorded.kernel.origin = told.kernel.origin;  // origin: how the kernel was made
  EXPECT_TRUE(write_kernel_json(recorded.kernel) == write_kernel_json(told.kernel));
}

TEST(RecordedLoads, AreKeptOfGroupsThatWorkMost) {
  machine::LoadRecorder recorder({true}, 4096);
  std::size_t begun = 0;
  for (std::int64_t group = 0; group < 1000; ++group) {
    auto* const recording = recorder.begin(group, 1);
    if (recording == nullptr) continue;
    ++begun;
    const std::uint64_t address = 0, value = 0;
    recorder.add(*recording, 0, 1, 0, 4, isa::RecordedLoad::By::Load, &address, &value);
    recorder.end(*recording, group == 7 ? 1000 : 10);
  }
  machine::Memory memory;
  const machine::Variables variables(memory);
  const auto kept = recorder.take({}, {}, variables, memory);
  EXPECT_LT(begun, 900U);
  EXPECT_LT(kept.groups.size(), begun);
  EXPECT_NE(kept.find(7), nullptr);
}

TEST(RecordedLoads, OfSomeGroupsStandForTheWorkOfAll) {
  constexpr double kGroups = 3000;
  Launched launched("from_atomic", 3000, 32);
  auto* const counter = launched.array(Numbers(1));
  launched.keeping(12 << 10).run(counter, launched.array(Numbers(32 * 3000)));
  EXPECT_LT(launched.recorded().groups.size(), 600U);
  EXPECT_GT(launched.recorded().groups.size(), 30U);
  EXPECT_GE(launched.recorded().groups.back().number, 2900) << "of those that work most some are kept";
  const auto made = launched.import();
  ASSERT_EQ(made.report.entered_loops.size(), 1U);
  const auto exact = 3 * kGroups * (kGroups - 1) / 2;
  EXPECT_NEAR(made.report.entered_loops.front().iterations.sum, exact, 0.02 * exact);
}

}  // namespace
}  // namespace warpipe::test
