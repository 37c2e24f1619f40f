#include "survey/address_form.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "program/effort.hpp"
#include "survey/linear_system.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kFewExecutions = 2;  // looked at, of executions in a row with a constant step: a loop
constexpr std::size_t kHeldAgainst = 64;    // accesses checked against a proven form, evenly spread

/// A number of an address's sum, or a binary digit of it; the last digit keeps all remaining bits.
struct Column {
  Variable variable;
  std::int64_t end = 1;  ///< of the number: its last + 1
  int shift = 0;
  bool is_digit = false;
  std::int64_t of(const ExecutionNumbers& numbers) const {
    const auto number = numbers.of(variable) >> shift;
    return is_digit ? number & 1 : number;
  }
  Form form(Forms& forms) const {
    const auto number = forms.quotient(forms.variable(variable, {0, end - 1}), std::int64_t{1} << shift);
    return is_digit ? forms.remainder(number, 2) : number;
  }
};
using Columns = std::vector<Column>;

void add_digits(const Column& number, Columns& columns) {
  for (auto digit = number; digit.end >> digit.shift > 1; ++digit.shift) {
    digit.is_digit = digit.end > std::int64_t{2} << digit.shift;
    columns.push_back(digit);
  }
}

/// Visits some accesses, evenly spread, the first and the last among them.
template <class Visit>
void for_some(std::span<const LoggedAccess> accesses, const Visit& visit) {
  const auto count = std::min(accesses.size(), kHeldAgainst);
  for (std::size_t i = 0; i < count; ++i) visit(accesses[count == 1 ? 0 : i * (accesses.size() - 1) / (count - 1)]);
}

/// Fits factors to addresses: corrects the factors until they give all addresses.
class Fit {
 public:
  Fit(const AddressReader& reader, Columns columns)
      : reader_(reader), columns_(std::move(columns)), system_(columns_.size()), factors_(columns_.size(), 0) {}

  bool settle(std::span<const LoggedAccess> accesses) {
    const auto& first = accesses.front();
    const auto lane = static_cast<std::size_t>(std::countr_zero(first.mask));
    auto numbers = reader_.numbers(first, first.from);
    numbers.thread = reader_.thread(first.warp, lane);
    origin_ = row_of(numbers);
    start_ = address_at(reader_.log(), first, first.from, lane);
    // Each round that changes the factors adds an equation. A change without a new equation: no whole factors exist.
    for (std::size_t round = 0; round <= factors_.size() + 1; ++round) {
      changed_ = false;
      const auto rank = system_.rank();
      for (const auto& access : accesses)
        if (!correct_by(access)) return false;
      if (!changed_) return true;
      if (system_.rank() == rank) return false;
    }
    return false;
  }

  Form form() const {
    auto& forms = reader_.forms();
    Terms terms;
    auto constant = start_;
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      if (factors_[i] == 0) continue;
      terms.push_back({columns_[i].form(forms), factors_[i]});
      constant -= factors_[i] * origin_[i];
    }
    return forms.linear(constant, terms);
  }

 private:
  std::vector<std::int64_t> row_of(const ExecutionNumbers& numbers) const {
    std::vector<std::int64_t> row;
    for (const auto& column : columns_) row.push_back(column.of(numbers));
    return row;
  }

  /// Corrects the factors by the first executions, and the last.
  /// @return false where no form of the columns exists
  bool correct_by(const LoggedAccess& access) {
    is_whole_ = true;
    const auto end = std::min(access.times, access.from + kFewExecutions);
    for (auto k = access.from; k < end && is_whole_; ++k)
      if (!correct_by(access, k)) return false;
    return access.times <= end || !is_whole_ || correct_by(access, access.times - 1);
  }

  bool correct_by(const LoggedAccess& access, std::int64_t k) {
    auto numbers = reader_.numbers(access, k);
    for (auto mask = access.mask; mask != 0 && is_whole_; mask &= mask - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
      numbers.thread = reader_.thread(access.warp, lane);
      const auto address = address_at(reader_.log(), access, k, lane);
      auto sum = start_;
      for (std::size_t i = 0; i < columns_.size(); ++i) sum += factors_[i] * (columns_[i].of(numbers) - origin_[i]);
      if (sum == address) continue;
      changed_ = true;
      if (!learn(row_of(numbers), address)) return false;
    }
    return true;  // where factors are not whole yet, other accesses tell more
  }

  /// Takes new factors where whole factors solve the equations so far.
  bool learn(std::vector<std::int64_t> row, std::int64_t address) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] -= origin_[i];
    if (!system_.add(row, address - start_)) return false;
    const auto found = system_.solution();
    is_whole_ = found.has_value();
    if (is_whole_) factors_ = *found;
    return true;
  }

  const AddressReader& reader_;
  Columns columns_;
  LinearSystem system_;
  std::vector<std::int64_t> factors_, origin_;
  std::int64_t start_ = 0;
  bool changed_ = false;  ///< in this round
  bool is_whole_ = true;  ///< the factors of the system
};

}  // namespace

std::int64_t address_at(const AddressLog& log, const LoggedAccess& access, std::int64_t k, std::size_t lane) {
  return access.first + log.list(access.lanes)[lane] + (k == 0 ? 0 : k * log.list(access.strides)[lane]);
}

bool AddressReader::passes_over(const AddressForm& form, std::span<const LoggedAccess> accesses) {
  return std::ranges::any_of(accesses,
                             [&](const LoggedAccess& access) { return access.times - access.from > form.checked + 1; });
}

std::size_t AddressReader::lanes_of(std::uint32_t warp) const {
  const auto threads = block_[0] * block_[1] * block_[2];
  return static_cast<std::size_t>(std::min(log_.lanes(), threads - warp * log_.lanes()));
}

Dimensions AddressReader::thread(std::uint32_t warp, std::size_t lane) const {
  const auto index = warp * log_.lanes() + static_cast<std::int64_t>(lane);
  return {index % block_[0], index / block_[0] % block_[1], index / block_[0] / block_[1]};
}

ExecutionNumbers AddressReader::numbers(const LoggedAccess& access, std::int64_t k) const {
  const auto trips = log_.list(access.iterations);
  ExecutionNumbers numbers{{0, 0, 0}, log_.groups()[access.group].place, {trips.begin(), trips.end()}};
  if (!numbers.trips.empty()) numbers.trips.back() += k;
  return numbers;
}

/// Whether a form gives the addresses of the first and the last active lane.
bool AddressReader::gives(Form bytes, const LoggedAccess& access, std::int64_t k) const {
  auto at = numbers(access, k);
  const auto first = static_cast<std::size_t>(std::countr_zero(access.mask)),
             last = static_cast<std::size_t>(std::bit_width(access.mask)) - 1;
  for (const auto lane : {first, last}) {
    at.thread = thread(access.warp, lane);
    if (value(bytes, at) != address_at(log_, access, k, lane)) return false;
  }
  return true;
}

std::optional<AddressForm> AddressReader::proven(Form address, std::optional<Form> made,
                                                 std::span<const LoggedAccess> all) const {
  std::map<std::uint32_t, double> executions;  // by array
  double sum = 0;
  for (const auto& access : all) {
    executions[access.array] += static_cast<double>(access.times - access.from);
    sum += static_cast<double>(access.times - access.from);
  }
  const auto by_executions = [](const auto& one, const auto& other) { return one.second < other.second; };
  const auto [array, in_it] = *std::max_element(executions.begin(), executions.end(), by_executions);
  if (array == kNoArray || in_it < (1 - kEffort.most_elsewhere) * sum) return std::nullopt;
  std::vector<LoggedAccess> accesses(all.begin(), all.end());
  std::erase_if(accesses, [array = array](const LoggedAccess& access) { return access.array != array; });
  const auto& first = accesses.front();
  auto at = numbers(first, first.from);
  const auto lane = static_cast<std::size_t>(std::countr_zero(first.mask));
  at.thread = thread(first.warp, lane);
  const auto start = value(address, at) - address_at(log_, first, first.from, lane);
  AddressForm form{array, forms_.plus(address, -start), {}, true};
  bool right = true;
  for_some(accesses, [&](const LoggedAccess& access) {
    right = right && gives(form.bytes, access, access.from) && gives(form.bytes, access, access.times - 1);
  });
  if (!right) return std::nullopt;
  form.elsewhere = 1 - in_it / sum;
  form.idle = idle_share(form.bytes, accesses);
  if (form.idle > kEffort.idle_sectors) form.made = made;
  return form;
}

namespace {

std::optional<Form> fit(const AddressReader& reader, const Columns& columns, std::span<const LoggedAccess> accesses) {
  Fit fit(reader, columns);
  return fit.settle(accesses) ? std::optional(fit.form()) : std::nullopt;
}

}  // namespace

std::optional<AddressForm> AddressReader::fitted(std::span<const LoggedAccess> accesses) const {
  const auto array = accesses.front().array;
  const auto in_it = [&](const LoggedAccess& access) { return access.array == array; };
  if (array == kNoArray || !std::ranges::all_of(accesses, in_it)) return std::nullopt;
  std::vector<std::int64_t> trips(log_.list(accesses.front().iterations).size(), 1);
  for (const auto& access : accesses) {
    const auto last = numbers(access, access.times - 1);
    for (std::size_t i = 0; i < trips.size(); ++i) trips[i] = std::max(trips[i], last.trips[i] + 1);
  }
  Columns threads, all, with_digits;
  const auto add = [](Place place, std::size_t number, std::int64_t end, Columns& columns) {
    if (end > 1) columns.push_back({{place, static_cast<std::uint32_t>(number)}, end});
  };
  for (std::size_t axis = 0; axis < 3; ++axis) add(Place::Thread, axis, block_[axis], threads);
  for (std::size_t axis = 0; axis < 3; ++axis) add(Place::Group, axis, grid_[axis], all);
  for (std::size_t i = 0; i < trips.size(); ++i) add(Place::Trip, i, trips[i], all);
  with_digits = all;
  for (const auto& thread : threads) add_digits(thread, with_digits);
  std::ranges::copy(threads, std::back_inserter(all));
  auto bytes = fit(*this, all, accesses);
  if (!bytes) bytes = fit(*this, with_digits, accesses);
  if (!bytes) return std::nullopt;
  AddressForm form{array, *bytes, {}, false, kFewExecutions};
  form.idle = idle_share(form.bytes, accesses);
  return form;
}

/// Share of idle sectors, reached by no active lane, among the sectors of all lanes of a form within its array. The
/// share is of the whole launch: groups at a rim of the grid stand for all groups at rims, inner groups for all inner
/// groups.
double AddressReader::idle_share(Form bytes, std::span<const LoggedAccess> accesses) const {
  struct Part {
    double idle = 0, all = 0, groups = 0;
    std::set<std::uint32_t> seen;
  };
  std::array<Part, 2> parts;  // within, at the rims
  double within = 1, all = 1;
  for (const auto size : grid_) {
    all *= static_cast<double>(size);
    within *= static_cast<double>(size > 2 ? size - 2 : size);
  }
  parts[0].groups = within;
  parts[1].groups = all - within;
  for_some(accesses, [&](const LoggedAccess& access) {
    const auto& place = log_.groups()[access.group].place;
    bool at_rim = false;
    for (std::size_t axis = 0; axis < 3; ++axis)
      at_rim = at_rim || (grid_[axis] > 2 && (place[axis] == 0 || place[axis] + 1 == grid_[axis]));
    auto& part = parts[at_rim ? 1 : 0];
    const auto [reached, idle] = sectors_of(bytes, access);
    const auto times = static_cast<double>(access.times - access.from);
    part.seen.insert(access.group);
    part.idle += times * static_cast<double>(idle);
    part.all += times * static_cast<double>(idle + reached);
  });
  double idle = 0, whole = 0;
  for (const auto& part : parts) {
    if (part.seen.empty()) continue;
    idle += part.idle * part.groups / static_cast<double>(part.seen.size());
    whole += part.all * part.groups / static_cast<double>(part.seen.size());
  }
  return idle > 0 ? idle / whole : 0;
}

/// Sectors of an array reached by active lanes, and the further sectors of inactive lanes.
std::pair<std::int64_t, std::int64_t> AddressReader::sectors_of(Form bytes, const LoggedAccess& access) const {
  const auto& array = log_.arrays()[access.array];
  std::set<std::int64_t> reached, idle;
  auto at = numbers(access, access.from);
  for (std::size_t lane = 0; lane < lanes_of(access.warp); ++lane) {
    const bool is_active = ((access.mask >> lane) & 1) != 0;
    at.thread = thread(access.warp, lane);
    const auto address = is_active ? address_at(log_, access, access.from, lane) : value(bytes, at);
    if (address >= -array.before && address < array.bytes) (is_active ? reached : idle).insert(address / kSectorBytes);
  }
  const auto further = std::ranges::count_if(idle, [&](auto sector) { return !reached.contains(sector); });
  return {std::ssize(reached), further};
}

}  // namespace warpipe::isa
