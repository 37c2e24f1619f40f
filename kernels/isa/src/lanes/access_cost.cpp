#include "lanes/access_cost.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kLanesAtOnce = 32;
constexpr std::int64_t kWidest = 64;      // bytes per lane, of any access but a bulk copy
constexpr std::size_t kRemembered = 256;  // shapes

struct Cost {
  std::int64_t segments = 0, lines = 0, degree = 1, rounds = 1, turns = 1;
};

/// Of an access to shared memory: its passes, and the passes without conflicts among them.
struct Passes {
  std::int64_t passes = 0, rounds = 0;
  std::int64_t degree() const { return std::max<std::int64_t>(1, passes - rounds + 1); }
};

using Addresses = std::array<std::uint64_t, 64>;

/// Consecutive bytes of a lane.
std::uint64_t piece_of(const AddressEvent& event) {
  const auto width = static_cast<std::uint64_t>(event.width);
  return event.word_pitch == kWordBytes ? width : std::min(width, kWordBytes);
}

/// Neighbouring lanes mostly reach neighbouring places.
void sort(std::vector<std::uint64_t>& places) {
  if (!std::ranges::is_sorted(places)) std::ranges::sort(places);
}

/// The starts of the pieces reached by lanes, in order.
std::vector<std::uint64_t> pieces_reached(const Addresses& addresses, const AddressEvent& event) {
  std::vector<std::uint64_t> first;
  const auto pieces = static_cast<std::uint64_t>(event.width) / piece_of(event);
  first.reserve(event.addresses.size() * pieces);
  for (std::size_t lane = 0; lane < event.addresses.size(); ++lane)
    for (std::uint64_t i = 0; i < pieces && ((event.mask >> lane) & 1) != 0; ++i)
      first.push_back(addresses[lane] + i * event.word_pitch);
  sort(first);
  return first;
}

/// Banks of shared memory serving 32 lanes at once. A wave of 64 has the banks of both its halves.
std::int64_t banks_at_once(const AddressEvent& event) {
  const auto banks = event.sizes.banks;
  const bool of_both = event.addresses.size() > kLanesAtOnce && banks > static_cast<std::int64_t>(kLanesAtOnce);
  return of_both ? banks / 2 : banks;
}

/// Bytes after which lines and a round of all banks begin alike.
std::uint64_t period_of(const AddressEvent& event) {
  const auto& sizes = event.sizes;
  const auto banks = banks_at_once(event) * sizes.bank_bytes;
  return static_cast<std::uint64_t>(std::lcm(std::lcm(sizes.sector_bytes, sizes.line_bytes), banks));
}

/// The degree among lanes [first, last).
std::int64_t degree_of_part(const Addresses& addresses, const AddressEvent& event, std::size_t first,
                            std::size_t last) {
  std::vector<std::uint64_t> words;
  const auto bank_bytes = static_cast<std::uint64_t>(event.sizes.bank_bytes);
  const auto per_lane = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(event.width) / bank_bytes);
  words.reserve((last - first) * per_lane);
  for (std::size_t lane = first; lane < last; ++lane) {
    if (((event.mask >> lane) & 1) == 0) continue;
    for (std::uint64_t word = 0; word < per_lane; ++word)
      words.push_back((addresses[lane] + word * event.word_pitch) / bank_bytes);
  }
  sort(words);
  if (!event.atomic) words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<std::int64_t> in_bank(static_cast<std::size_t>(banks_at_once(event)), 0);
  for (const auto word : words) ++in_bank[word % in_bank.size()];
  return std::max<std::int64_t>(1, *std::ranges::max_element(in_bank));
}

/// Whether lanes [first, last) read the same as the lanes whose number differs in a single bit, where both are active.
bool alike_in_pairs(const Addresses& addresses, const AddressEvent& event, std::size_t first, std::size_t last,
                    std::size_t bit) {
  for (std::size_t lane = first; lane < last; ++lane) {
    const bool both = ((event.mask >> lane) & (event.mask >> (lane ^ bit)) & 1) != 0;
    if (both && addresses[lane] != addresses[lane ^ bit]) return false;
  }
  return true;
}

bool reads_in_pairs(const Addresses& addresses, const AddressEvent& event, std::size_t first, std::size_t last) {
  return event.shares_pairs &&
         (alike_in_pairs(addresses, event, first, last, 1) || alike_in_pairs(addresses, event, first, last, 2));
}

/// An access wider than a bank word is served in equal parts of the lanes, as many as the words per lane; two parts at
/// once where their lanes read the same in pairs.
Passes passes_of_half(const Addresses& addresses, const AddressEvent& event, std::size_t begin, std::size_t end) {
  const auto parts = std::max<std::size_t>(1, static_cast<std::size_t>(event.width / event.sizes.bank_bytes));
  const auto length = (end - begin + parts - 1) / parts;
  Passes all;
  for (auto first = begin; first < end; ++all.rounds) {
    const auto both = std::min(end, first + 2 * length);
    const bool paired =
        parts > 1 && (first - begin) % (2 * length) == 0 && reads_in_pairs(addresses, event, first, both);
    const auto last = paired ? both : std::min(end, first + length);
    all.passes += degree_of_part(addresses, event, first, last);
    first = last;
  }
  return all;
}

/// Of constant memory: lanes with different words take turns.
std::int64_t different_words(const Addresses& addresses, const AddressEvent& event) {
  const auto bytes = std::max(kWordBytes, static_cast<std::uint64_t>(event.width));
  std::set<std::uint64_t> words;
  for (std::size_t lane = 0; lane < event.addresses.size(); ++lane)
    if (((event.mask >> lane) & 1) != 0) words.insert(addresses[lane] / bytes);
  return static_cast<std::int64_t>(words.size());
}

/// In each round as many as in the first: lanes overtaken by other warps are there again, too.
Passes passes_of_retries(const Addresses& addresses, const AddressEvent& event) {
  const auto sectors = turns_of({addresses.data(), event.addresses.size()}, event.mask, event.sizes.sector_bytes);
  const auto rounds = std::ranges::max(sectors, {}, &SectorTurns::turns).turns;
  const auto degree = passes_of_half(addresses, event, 0, event.addresses.size()).degree();
  return {rounds - 1 + degree, rounds};
}

/// A wave of 64 lanes is served in two halves, each in all banks: the mean of both, as an access without conflicts has
/// the degree 1.
Passes passes_of(const Addresses& addresses, const AddressEvent& event) {
  if (event.retries) return passes_of_retries(addresses, event);
  if (event.served == Served::BySectors) return {1, 1};
  if (event.served == Served::WordByWord) return {different_words(addresses, event), 1};
  if (event.width > kWidest) return {1, 1};  // no lane reaches so much shared memory at once
  const auto lanes = event.addresses.size();
  if (lanes <= kLanesAtOnce) return passes_of_half(addresses, event, 0, lanes);
  auto all = passes_of_half(addresses, event, 0, kLanesAtOnce);
  all.passes = all.rounds - 1 + (all.degree() + passes_of_half(addresses, event, kLanesAtOnce, lanes).degree() + 1) / 2;
  return all;
}

Addresses addresses_at(const AddressEvent& event, std::uint64_t k) {
  Addresses addresses;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
  for (std::size_t lane = 0; lane < event.addresses.size(); ++lane)
    addresses[lane] = event.addresses[lane] + (event.strides.empty() ? 0 : k * event.strides[lane]);
  return addresses;
}

/// The cost of addresses does not change where all of them move by whole lines.
struct Shape {
  Addresses places{};  ///< of the active lanes, from the start of the first active lane's line
  std::uint64_t mask = 0;
  std::int64_t width = 0;
  std::size_t lanes = 0;
  bool atomic = false, combines = false;
  bool shares_pairs = false, retries = false;
  Served served = Served::InBanks;
  std::uint64_t word_pitch = kWordBytes;
  AccessSizes sizes{};
  friend bool operator==(const Shape&, const Shape&) = default;
};

Shape shape_of(const Addresses& addresses, const AddressEvent& event) {
  Shape shape{{},           event.mask,       event.width,        event.addresses.size(),
              event.atomic, event.combines,   event.shares_pairs, event.retries,
              event.served, event.word_pitch, event.sizes};
  const auto period = period_of(event);
  const auto first = addresses[static_cast<std::size_t>(std::countr_zero(event.mask))] / period * period;
  for (std::size_t lane = 0; lane < shape.lanes; ++lane)
    if (((event.mask >> lane) & 1) != 0) shape.places[lane] = addresses[lane] - first;
  return shape;
}

std::size_t hash_of(const Shape& shape) {
  auto hash = shape.mask ^ static_cast<std::uint64_t>(shape.width);
  for (std::size_t lane = 0; lane < shape.lanes; ++lane) hash = (hash ^ shape.places[lane]) * 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>(hash >> 32);
}

/// Of all sectors together.
std::int64_t turns(const Addresses& addresses, const AddressEvent& event) {
  if (event.combines) return 1;
  std::int64_t sum = 0;
  for (const auto& each : turns_of({addresses.data(), event.addresses.size()}, event.mask, event.sizes.sector_bytes))
    sum += each.turns;
  return sum;
}

Cost computed_cost(const Addresses& addresses, const AddressEvent& event) {
  const auto passes = passes_of(addresses, event);
  const auto pieces = pieces_reached(addresses, event);
  return {blocks_touched(pieces, piece_of(event), event.sizes.sector_bytes),
          blocks_touched(pieces, piece_of(event), event.sizes.line_bytes), passes.degree(), passes.rounds,
          event.atomic ? turns(addresses, event) : 1};
}

/// Shapes come again and again: for each hash the last shape is remembered.
Cost cost_at(const AddressEvent& event, std::uint64_t k) {
  thread_local std::vector<std::pair<Shape, Cost>> remembered(kRemembered);
  const auto addresses = addresses_at(event, k);
  const auto shape = shape_of(addresses, event);
  auto& [known, cost] = remembered[hash_of(shape) % kRemembered];
  if (known == shape) return cost;
  known = shape;
  return cost = computed_cost(addresses, event);
}

void add(AccessStatistics& statistics, const Cost& cost, double times) {
  if (times == 0) return;
  statistics.segments.add(cost.segments, times);
  statistics.lines.add(cost.lines, times);
  statistics.conflict_degree.add(cost.degree, times);
  statistics.rounds.add(cost.rounds, times);
  statistics.turns.add(cost.turns, times);
}

bool moves_as_one(const AddressEvent& event) {
  std::optional<std::uint64_t> stride;
  for (std::size_t lane = 0; lane < event.strides.size(); ++lane) {
    if (((event.mask >> lane) & 1) == 0) continue;
    if (stride && *stride != event.strides[lane]) return false;
    stride = event.strides[lane];
  }
  return true;
}

void note_stride(AccessStatistics& statistics, const AddressEvent& event) {
  if (!statistics.strided) return;
  const auto lanes = event.addresses.size();
  const auto all = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
  const auto stride = lanes > 1 ? event.addresses[1] - event.addresses[0] : 0;
  bool same = event.mask == all && moves_as_one(event) && !event.atomic;
  for (std::size_t lane = 1; lane < lanes && same; ++lane)
    same = event.addresses[lane] - event.addresses[lane - 1] == stride;
  const auto found = static_cast<std::int64_t>(stride);
  if (statistics.executions == 0) statistics.stride = found;
  statistics.strided = same && statistics.stride == found;
}

}  // namespace

std::int64_t blocks_touched(const std::vector<std::uint64_t>& pieces, std::uint64_t piece_bytes, std::int64_t bytes) {
  const auto block = static_cast<std::uint64_t>(bytes);
  std::uint64_t count = 0, next = 0;  // blocks before `next` count
  for (const auto place : pieces) {
    const auto begin = std::max(next, place / block), end = (place + piece_bytes - 1) / block + 1;
    if (end <= begin) continue;
    count += end - begin;
    next = end;
  }
  return static_cast<std::int64_t>(count);
}

std::vector<SectorTurns> turns_of(std::span<const std::uint64_t> addresses, std::uint64_t mask,
                                  std::int64_t sector_bytes) {
  std::vector<std::uint64_t> words;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane)
    if (((mask >> lane) & 1) != 0) words.push_back(addresses[lane]);
  std::ranges::sort(words);
  std::vector<SectorTurns> all;
  std::int64_t lanes = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    lanes = i > 0 && words[i] == words[i - 1] ? lanes + 1 : 1;
    const auto sector = words[i] / static_cast<std::uint64_t>(sector_bytes);
    if (all.empty() || all.back().sector != sector) all.push_back({sector, 0});
    all.back().turns = std::max(all.back().turns, lanes);
  }
  return all;
}

void account(AccessStatistics& statistics, const AddressEvent& event, std::int64_t times, double groups) {
  if (event.mask == 0 || times <= 0) return;
  note_stride(statistics, event);
  statistics.executions += groups * static_cast<double>(times);
  statistics.lanes.add(std::popcount(event.mask), groups * static_cast<double>(times));
  const auto first = static_cast<std::size_t>(std::countr_zero(event.mask));
  const auto stride = event.strides.empty() ? 0 : event.strides[first];
  if (moves_as_one(event)) {
    const auto whole = static_cast<std::int64_t>(period_of(event));
    const auto period = whole / std::gcd(whole, static_cast<std::int64_t>(stride));
    for (std::int64_t k = 0; k < std::min(times, period); ++k)
      add(statistics, cost_at(event, static_cast<std::uint64_t>(k)),
          groups * static_cast<double>(times / period + (k < times % period ? 1 : 0)));
    return;
  }
  const auto samples = std::min(times, kEffort.counted_executions);
  statistics.sampled |= samples < times;
  for (std::int64_t i = 0; i < samples; ++i) {
    const auto share = times / samples + (i < times % samples ? 1 : 0);
    add(statistics, cost_at(event, static_cast<std::uint64_t>(i * (times / samples))),
        groups * static_cast<double>(share));
  }
}

void AccessStatistics::add(const AccessStatistics& other) {
  if (other.executions == 0) return;
  strided = strided && other.strided && (executions == 0 || stride == other.stride);
  stride = other.stride;
  executions += other.executions;
  segments.add(other.segments);
  lines.add(other.lines);
  conflict_degree.add(other.conflict_degree);
  rounds.add(other.rounds);
  turns.add(other.turns);
  lanes.add(other.lanes);
  sampled |= other.sampled;
}

void AccessStatistics::scale(double by) {
  executions *= by;
  for (auto* spread : {&segments, &lines, &conflict_degree, &rounds, &turns, &lanes}) spread->scale(by);
}

}  // namespace warpipe::isa
