// Coulomb summation as machine code (tests/validation/cuda): in some variants the compiler keeps the sums of a thread
// in registers, in some in its stack.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "support/folders.hpp"
#include "support/kernel_machine.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/sass/entries.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

namespace warpipe::test {
namespace {

constexpr std::size_t kSide = 32, kAtoms = 5;  // of the grid; more atoms than their loops are unrolled by
constexpr float kSpacing = 0.25F;

const sass::Module& coulomb3d() {
  static const auto kModule =
      sass::read_cubin(read_text_file(in_sources("tests/validation/cuda/coulomb3d.cubin")), "coulomb3d.cubin");
  return kModule;
}

std::string variant(int points, int unroll, int soa) {
  return "coulomb3d_z_" + std::to_string(points) + "_unroll_" + std::to_string(unroll) + "_soa_" + std::to_string(soa);
}

std::size_t points_of(const std::string& name) {
  return static_cast<std::size_t>(std::stoi(name.substr(std::string("coulomb3d_z_").size())));
}

/// Groups of 16 x 4 threads on the whole grid.
isa::Launch launch_of(std::size_t points) {
  isa::Launch launch;
  launch.block = {16, 4, 1};
  launch.grid = {kSide / 16, kSide / 4, static_cast<std::int64_t>(kSide / points)};
  return launch;
}

/// x, y, z and the charge of each atom; none lies on a point of the grid.
std::vector<float> atoms() {
  std::vector<float> made;
  for (std::size_t i = 0; i < kAtoms; ++i)
    for (std::size_t j = 0; j < 4; ++j) made.push_back(0.1F + static_cast<float>((7 * i + 3 * j) % 11) * 0.7F);
  return made;
}

/// The grid before the run: another number in each point.
float before(std::size_t place) { return static_cast<float>(place % 13); }

float after(std::size_t place) {
  const auto of = atoms();
  const double x = kSpacing * static_cast<double>(place % kSide),
               z = kSpacing * static_cast<double>(place / kSide / kSide),
               y = kSpacing * static_cast<double>(place / kSide % kSide);
  double sum = before(place);
  for (std::size_t i = 0; i < kAtoms; ++i)
    sum += of[4 * i + 3] / std::hypot(x - of[4 * i], y - of[4 * i + 1], z - of[4 * i + 2]);
  return static_cast<float>(sum);
}

std::uint64_t add(KernelMachine& machine, const std::vector<float>& numbers) {
  return machine.add_array(std::as_bytes(std::span(numbers)));
}

/// A part of the grid: eight groups, or four where a thread has all points in z.
isa::Launch some_groups(std::size_t points) {
  auto launch = launch_of(points);
  launch.grid = {2, 2, points < kSide ? 2 : 1};
  return launch;
}

bool is_reached(std::size_t place, std::size_t points) {
  return place / kSide % kSide < 8 && place / kSide / kSide < 2 * points;
}

/// The largest error of a point of the grid, after a variant has run.
float largest_error(const std::string& name) {
  const auto program = sass::read_program(coulomb3d(), name);
  KernelMachine machine(program);
  const auto of = atoms();
  std::vector<std::uint64_t> arguments{kAtoms, add(machine, of)};
  for (std::size_t j = 0; j < 4; ++j) {
    std::vector<float> one;
    for (std::size_t i = 0; i < kAtoms; ++i) one.push_back(of[4 * i + j]);
    arguments.push_back(add(machine, one));
  }
  std::vector<float> grid(kSide * kSide * kSide);
  for (std::size_t i = 0; i < grid.size(); ++i) grid[i] = before(i);
  const auto spacing = std::bit_cast<std::uint32_t>(kSpacing);
  arguments.insert(arguments.end(), {spacing, kSide, add(machine, grid)});
  const auto points = points_of(name);
  machine.run(some_groups(points), arguments);
  std::memcpy(grid.data(), machine.bytes_at(arguments.back(), 4 * grid.size()).data(), 4 * grid.size());
  float largest = 0;
  for (std::size_t i = 0; i < grid.size(); ++i)
    largest = std::max(largest, std::abs(grid[i] - (is_reached(i, points) ? after(i) : before(i))));
  return largest;
}

TEST(Coulomb3d, LeavesInMemoryWhatACpuDoes) {
  ASSERT_EQ(coulomb3d().kernels.size(), 42);
  for (const auto& kernel : coulomb3d().kernels)
    EXPECT_LT(largest_error(kernel.symbol), 1e-4F) << kernel.symbol;  // of numbers up to 100
}

// Asked to unroll by less than all points, the compiler still does where a thread has few of them, or the factor is 4
// and more; else a sum is found by its index, and registers have none.
TEST(Coulomb3d, KeepsSumsInRegistersOrInTheStack) {
  for (const auto& entry : sass::entries(coulomb3d())) {
    const auto points = points_of(entry.symbol);
    const auto unroll = entry.symbol.substr(entry.symbol.find("unroll_") + 7, 2);
    const bool stack = (points >= 8 && unroll == "1_") || (points >= 16 && unroll == "2_");
    EXPECT_EQ(entry.stack_bytes, stack ? 4 * points : 0) << entry.symbol;
  }
}

struct Counts {
  std::map<std::string, double> issued;  ///< by all warps
  double sectors_of_stack = 0;           ///< loaded and stored
};

Counts counts_of(const std::string& name) {
  isa::ImportOptions options;
  options.entry = name;
  options.launch = launch_of(points_of(name));
  options.launch.arguments = {{"0", std::to_string(kAtoms)}, {"7", std::to_string(kSide)}};
  const auto made = sass::import_cubin(coulomb3d(), options);
  Counts counts{made.report.issued};
  for (const auto& access : made.report.accesses)
    if (access.space == isa::Space::Local) counts.sectors_of_stack += access.statistics.segments.sum;
  return counts;
}

// 32^3 points by 8 for a thread, 32 threads for a warp: 128 warps. Each of them, for each of 5 atoms, loads it, and
// takes 8 roots; at the end it loads, adds to and stores 8 numbers of the grid.
TEST(Coulomb3d, InRegistersReachesGlobalMemoryAlone) {
  const double warps = 128, atoms = 5, points = 8;
  for (const int unroll : {0, 2, 4}) {
    const auto counts = counts_of(variant(8, unroll, 0));
    EXPECT_EQ(counts.issued.at("rsqrt"), warps * atoms * points);
    EXPECT_EQ(counts.issued.at("global.load.128"), warps * atoms);
    EXPECT_EQ(counts.issued.at("global.load"), warps * points);
    EXPECT_EQ(counts.issued.at("global.store"), warps * points);
    EXPECT_EQ(counts.sectors_of_stack, 0);
  }
  const auto of_arrays = counts_of(variant(8, 0, 1));
  EXPECT_EQ(of_arrays.issued.at("global.load"), warps * (4 * atoms + points));
}

// The same, and a sum is loaded and stored for each root. All 8 of them are set to 0 and read at the end, four at once.
// A sum of 32 threads is 128 bytes, 4 sectors.
TEST(Coulomb3d, InTheStackLoadsAndStoresASumForEachRoot) {
  const double warps = 128, atoms = 5, points = 8;
  const auto counts = counts_of(variant(8, 1, 0));
  EXPECT_EQ(counts.issued.at("rsqrt"), warps * atoms * points);
  EXPECT_EQ(counts.issued.at("global.load"), warps * (atoms * points + points));
  EXPECT_EQ(counts.issued.at("global.store"), warps * (atoms * points + points));
  EXPECT_EQ(counts.issued.at("global.load.128"), warps * (atoms + points / 4));
  EXPECT_EQ(counts.issued.at("global.store.128"), warps * points / 4);
  EXPECT_EQ(counts.sectors_of_stack, 4 * warps * (2 * atoms * points + 2 * points));
}

// 32^3 points by 16 are 64 warps. Unrolled by 2, two sums are loaded at once: 64 bits of 32 threads are 8 sectors.
TEST(Coulomb3d, InTheStackLoadsTwoSumsAtOnceWhereTwoPointsAreUnrolled) {
  const double warps = 64, atoms = 5, points = 16;
  const auto counts = counts_of(variant(16, 2, 0));
  EXPECT_EQ(counts.issued.at("rsqrt"), warps * atoms * points);
  EXPECT_EQ(counts.issued.at("global.load.64"), warps * atoms * points / 2);
  EXPECT_EQ(counts.issued.at("global.store.64"), warps * atoms * points / 2);
  EXPECT_EQ(counts.sectors_of_stack, 4 * warps * (2 * atoms * points + 2 * points));
}

}  // namespace
}  // namespace warpipe::test
