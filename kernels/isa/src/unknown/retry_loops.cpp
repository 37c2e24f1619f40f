// Loops that end by a successful atomic operation: their trips follow from the number of lanes that want the word.
#include "unknown/retry_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "lanes/interpreter.hpp"
#include "unknown/atomic_names.hpp"

namespace warpipe::isa {
namespace {

class Search {
 public:
  Search(const ExecutionInput& input, const LoopInfo& loop) : input_(input), loop_(loop) {}

  /// Atomic instructions of the loop behind a register, where an instruction reads it.
  std::set<std::uint32_t> atomics_in(std::uint32_t reader, const RegisterRange& range) const {
    std::set<std::uint32_t> found, seen;
    std::vector<std::uint32_t> waiting = writers_inside(reader, range);
    while (!waiting.empty()) {
      const auto next = waiting.back();
      waiting.pop_back();
      if (!seen.insert(next).second) continue;
      const auto& access = at(next).access;
      if (access && access->kind == Access::Kind::Atomic) found.insert(next);
      if (access) continue;
      for (const auto source : sources_inside(next)) waiting.push_back(source);
    }
    return found;
  }

  /// Whether an address is the same in each iteration.
  bool stays(std::uint32_t atomic) const {
    std::map<std::uint32_t, bool> fixed;
    return std::ranges::all_of(address_registers(at(atomic)), [&](const RegisterRange& range) {
      return std::ranges::all_of(writers_inside(atomic, range),
                                 [&](std::uint32_t writer) { return is_fixed(writer, fixed); });
    });
  }

  bool passes_on(std::uint32_t atomic) const {
    const auto addresses = address_registers(at(atomic));
    return std::ranges::any_of(at(atomic).reads, [&](const RegisterRange& range) {
      return std::ranges::find(addresses, range) == addresses.end() && !atomics_in(atomic, range).empty();
    });
  }

  const Instruction& at(std::uint32_t i) const { return input_.program.instructions[i]; }

 private:
  bool inside(std::uint32_t i) const { return loop_.members[input_.flow.block_of[i]]; }

  std::vector<std::uint32_t> writers_inside(std::uint32_t reader, const RegisterRange& range) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t k = 0; k < range.count; ++k)
      for (const auto writer : input_.definitions.writers(reader, range.first + k))
        if (inside(writer)) found.push_back(writer);
    return found;
  }

  /// Writers in the loop of all numbers that an instruction reads, except for the execution mask.
  std::vector<std::uint32_t> sources_inside(std::uint32_t reader) const {
    std::vector<std::uint32_t> found;
    for (const auto& range : at(reader).reads)
      for (const auto writer : writers_inside(reader, range)) found.push_back(writer);
    return found;
  }

  /// Whether an instruction of the loop writes the same in each iteration: it reads nothing of the iteration before.
  /// @param fixed  results by instruction; false on the way
  bool is_fixed(std::uint32_t i, std::map<std::uint32_t, bool>& fixed) const {
    if (at(i).access && at(i).access->space != Space::Parameter) return false;
    if (const auto [known, is_new] = fixed.emplace(i, false); !is_new) return known->second;
    return fixed[i] =
               std::ranges::all_of(sources_inside(i), [&](std::uint32_t source) { return is_fixed(source, fixed); });
  }

  const ExecutionInput& input_;
  const LoopInfo& loop_;
};

/// Lanes of the launch that want the word of an atomic operation at a time, told from the lanes of this warp.
std::int64_t contenders(const Interpreter& warp, std::uint32_t atomic, LaneMask mask) {
  const auto& input = warp.kernel().input;
  const auto& access = *warp.kernel().at(atomic).access;
  const auto origin = origins_of_addresses(input.program, input.definitions)[atomic];
  const auto& [block, grid] = std::tie(input.launch.block, input.launch.grid);
  const auto group_size = block[0] * block[1] * block[2];
  const auto resident = input.launch.resident_threads > 0
                            ? std::max<std::int64_t>(1, input.launch.resident_threads / group_size)
                            : INT64_MAX;
  LaneNumbers addresses;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  warp.find_addresses(access, mask, addresses);
  std::set<std::uint64_t> words;
  for_each_lane(mask, [&](std::size_t lane) { words.insert(addresses[lane]); });
  const auto active = std::max<std::int64_t>(1, std::popcount(mask));
  const auto apart = std::max<std::int64_t>(1, static_cast<std::int64_t>(words.size()));
  auto groups = std::int64_t{1};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (access.space != Space::Shared && (!origin.axes[axis] || origin.loaded)) groups *= grid[axis];
  groups = std::min(groups, resident);
  if (origin.loaded && origin.by_thread) {
    // As often as two lanes of the warp meet, any two do.
    const auto pairs = static_cast<double>(active * (active - 1)), meeting = 2.0 * static_cast<double>(active - apart);
    return pairs > 0 ? std::llround(meeting / pairs * static_cast<double>(groups * group_size)) : 1;
  }
  // Under a mask each number of a lane may differ by thread, as far as the text tells.
  const bool alike = !origin.by_thread || (input.program.mask && apart == 1);
  if (!alike) return active / apart * groups;
  // A single lane of a warp speaks for its group; several lanes speak for as many in each warp.
  return (active == 1 ? 1 : active * warps_per_group(input)) * groups;
}

}  // namespace

Default trips_of(const Tries& tries) {
  Default found{std::to_string(tries.count), tries.why, {std::to_string(2 * tries.count)}};
  if (tries.count > 1) found.others.push_back(std::to_string(tries.count / 2));
  return found;
}

Default share_of(const Tries& tries) {
  const auto share = [](double count) { return fmt::format("{:.6g}", 1 - 1 / count); };
  const auto count = static_cast<double>(tries.count);
  return {share(count), tries.why, {share(2 * count)}};
}

std::optional<RetryLoop> find_retry_loop(const ExecutionInput& input, const LoopInfo& loop, std::uint32_t reader,
                                         const RegisterRange& range) {
  const Search search(input, loop);
  for (const auto atomic : search.atomics_in(reader, range)) {
    const auto& one = search.at(atomic);
    if ((!is_compare_and_swap(one) && !is_exchange(one)) || !search.stays(atomic)) continue;
    return RetryLoop{atomic, is_exchange(one) && search.passes_on(atomic)};
  }
  return std::nullopt;
}

std::optional<Tries> tries_in(const Interpreter& warp, const LoopInfo& loop, std::uint32_t reader,
                              std::span<const RegisterRange> ranges, LaneMask mask) {
  for (const auto& range : ranges) {
    const auto retry = find_retry_loop(warp.kernel().input, loop, reader, range);
    if (!retry) continue;
    if (retry->passes_on) return Tries{2, "an exchange finds nothing there every other time"};
    const auto lanes = contenders(warp, retry->atomic, mask);
    if (lanes < 2) return Tries{1, "lanes seldom want the same word at a time"};
    return Tries{(lanes + 1) / 2,
                 fmt::format("half of {} lanes that want one word at a time, of which one gets it", lanes)};
  }
  return std::nullopt;
}

}  // namespace warpipe::isa
