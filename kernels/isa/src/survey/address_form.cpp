#include "survey/address_form.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "program/effort.hpp"
#include "survey/linear_system.hpp"

namespace warpipe::isa {
namespace {

constexpr std::int64_t kFewExecutions = 2;  // that are looked at, of those that move by a constant step: a loop
constexpr std::size_t kMostDigits = 20;     // binary ones of a number

/// Binary digits of a number below `end`; the last one is all that is left.
void split(std::size_t variable, std::int64_t end, std::vector<Digit>& digits) {
  const auto bits =
      static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(end, 1) - 1)));
  const auto last = std::min(bits, kMostDigits);
  for (std::size_t bit = 0; bit < last; ++bit)
    digits.push_back({variable, std::int64_t{1} << bit, bit + 1 < last ? 2 : 0});
}

/// What a form gives for the lanes of executions.
class FormValues {
 public:
  FormValues(const AddressFitter& fitter, AddressForm form) : fitter_(fitter), form_(std::move(form)) {}

  void change(AddressForm form) {
    form_ = std::move(form);
    by_lane_.clear();
  }

  /// What follows is of the k-th execution of an access.
  void begin(const LoggedAccess& access, std::int64_t k) {
    fitter_.numbers(access, k, numbers_);
    rest_ = form_.constant;
    for (const auto& [digit, factor] : form_.terms)
      if (digit.variable >= kGroup) rest_ += factor * digit.of(numbers_);
    of_threads_ = &by_lane_[access.warp];
    for (auto lane = of_threads_->size(); lane < fitter_.lanes_of(access.warp); ++lane)
      of_threads_->push_back(of_thread(fitter_.thread(access.warp, lane)));
  }

  std::int64_t operator()(std::size_t lane) const { return rest_ + (*of_threads_)[lane]; }

 private:
  std::int64_t of_thread(const Dimensions& thread) const {
    std::int64_t sum = 0;
    for (const auto& [digit, factor] : form_.terms)
      if (digit.variable < kGroup) sum += factor * digit.of(std::span(thread));
    return sum;
  }

  const AddressFitter& fitter_;
  AddressForm form_;
  std::map<std::uint32_t, std::vector<std::int64_t>> by_lane_;  ///< of threads, by warp
  std::vector<std::int64_t>* of_threads_ = nullptr;
  std::vector<std::int64_t> numbers_;
  std::int64_t rest_ = 0;  ///< what is not of threads
};

/// A candidate that is corrected until it gives all addresses.
class Candidate {
 public:
  /// @param most  executions of an access that are looked at, before its last one
  Candidate(const AddressFitter& fitter, const AddressLog& log, std::vector<Digit> digits, std::int64_t most)
      : fitter_(fitter),
        log_(log),
        digits_(std::move(digits)),
        most_(most),
        system_(digits_.size()),
        factors_(digits_.size(), 0),
        values_(fitter, {}) {}

  bool settle(std::span<const LoggedAccess> accesses) {
    const auto& first = accesses.front();
    const auto lane = static_cast<std::size_t>(std::countr_zero(first.mask));
    origin_ = values_of(first, first.from, lane);
    start_ = address_at(log_, first, first.from, lane);
    values_.change(form(first.array));
    // Each round that changes the factors adds an equation. Where none is new, these have no whole factors.
    for (std::size_t round = 0; round <= digits_.size() + 1; ++round) {
      changed_ = false;
      const auto rank = system_.rank();
      for (const auto& access : accesses)
        if (!correct_by(access)) return false;
      if (!changed_) return true;
      if (system_.rank() == rank) return false;
    }
    return false;
  }

  AddressForm form(std::uint32_t array) const {
    AddressForm form{array, start_, {}, most_};
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      if (factors_[i] == 0) continue;
      form.terms.push_back({digits_[i], factors_[i]});
      form.constant -= factors_[i] * origin_[i];
    }
    return form;
  }

 private:
  std::vector<std::int64_t> values_of(const LoggedAccess& access, std::int64_t k, std::size_t lane) const {
    std::vector<std::int64_t> numbers;
    fitter_.numbers(access, k, numbers);
    std::ranges::copy(fitter_.thread(access.warp, lane), numbers.begin());
    std::vector<std::int64_t> values;
    for (const Digit& digit : digits_) values.push_back(digit.of(numbers));
    return values;
  }

  /// By the first executions, and the last.
  /// @return false where there is no such form
  bool correct_by(const LoggedAccess& access) {
    is_whole_ = true;
    const auto end = std::min(access.times, access.from + most_);
    for (auto k = access.from; k < end && is_whole_; ++k)
      if (!correct_by(access, k)) return false;
    return access.times <= end || !is_whole_ || correct_by(access, access.times - 1);
  }

  bool correct_by(const LoggedAccess& access, std::int64_t k) {
    const auto lanes = log_.list(access.lanes), strides = log_.list(access.strides);
    values_.begin(access, k);
    for (auto mask = access.mask; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
      const auto address = access.first + lanes[lane] + (k == 0 ? 0 : k * strides[lane]);
      if (values_(lane) == address) continue;
      changed_ = true;
      if (!learn(values_of(access, k, lane), address)) return false;
      if (!is_whole_) return true;  // other accesses tell more
      values_.change(form(access.array));
      values_.begin(access, k);
    }
    return true;
  }

  /// Takes new factors, where the addresses so far have whole ones.
  bool learn(std::vector<std::int64_t> values, std::int64_t address) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= origin_[i];
    if (!system_.add(values, address - start_)) return false;
    const auto found = system_.solution();
    is_whole_ = found.has_value();
    if (!is_whole_) return true;
    factors_ = *found;
    return true;
  }

  const AddressFitter& fitter_;
  const AddressLog& log_;
  std::vector<Digit> digits_;
  std::int64_t most_;
  LinearSystem system_;
  std::vector<std::int64_t> factors_, origin_;
  std::int64_t start_ = 0;
  FormValues values_;     ///< of these factors
  bool changed_ = false;  ///< in this round
  bool is_whole_ = true;  ///< the factors that the system gives
};

}  // namespace

std::int64_t address_at(const AddressLog& log, const LoggedAccess& access, std::int64_t k, std::size_t lane) {
  return access.first + log.list(access.lanes)[lane] + (k == 0 ? 0 : k * log.list(access.strides)[lane]);
}

bool AddressFitter::passes_over(const AddressForm& form, std::span<const LoggedAccess> accesses) {
  return std::ranges::any_of(accesses,
                             [&](const LoggedAccess& access) { return access.times - access.from > form.checked + 1; });
}

std::size_t AddressFitter::lanes_of(std::uint32_t warp) const {
  const auto threads = block_[0] * block_[1] * block_[2];
  return static_cast<std::size_t>(std::min(log_.lanes(), threads - warp * log_.lanes()));
}

Dimensions AddressFitter::thread(std::uint32_t warp, std::size_t lane) const {
  const auto index = warp * log_.lanes() + static_cast<std::int64_t>(lane);
  return {index % block_[0], index / block_[0] % block_[1], index / block_[0] / block_[1]};
}

void AddressFitter::numbers(const LoggedAccess& access, std::int64_t k, std::vector<std::int64_t>& result) const {
  const auto& group = log_.groups()[access.group].place;
  result.assign(kLoop, 0);
  std::ranges::copy(group, result.begin() + kGroup);
  const auto iterations = log_.list(access.iterations);
  result.insert(result.end(), iterations.begin(), iterations.end());
  if (!iterations.empty()) result.back() += k;
}

AddressFitter::Seen AddressFitter::seen_in(std::span<const LoggedAccess> accesses) const {
  Seen seen;
  seen.ends.assign(log_.list(accesses.front().iterations).size(), 0);
  std::set<std::uint32_t> groups;
  for (const auto& access : accesses) {
    const auto iterations = log_.list(access.iterations);
    for (std::size_t i = 0; i < seen.ends.size(); ++i) {
      const auto further = i + 1 == seen.ends.size() ? access.times - 1 : 0;
      seen.ends[i] = std::max(seen.ends[i], iterations[i] + further + 1);
    }
    if (groups.insert(access.group).second) seen.groups.push_back(log_.groups()[access.group].place);
  }
  return seen;
}

std::vector<Digit> AddressFitter::digits(const Seen& seen, Split by) const {
  std::vector<Digit> digits;
  const auto add = [&](std::size_t variable, std::int64_t end, bool binary) {
    if (end <= 1) return;
    if (binary)
      split(variable, end, digits);
    else
      digits.push_back({variable});
  };
  for (std::size_t i = 0; i < seen.ends.size(); ++i) add(kLoop + i, seen.ends[i], by.loops);
  for (std::size_t axis = 0; axis < 3; ++axis) add(kThread + axis, block_[axis], by.threads);
  for (std::size_t axis = 0; axis < 3; ++axis) add(kGroup + axis, grid_[axis], by.groups);
  if (by.diagonals) add_diagonals(digits);
  return digits;
}

/// The index of a group along x plus that along y, modulo the length of either.
void AddressFitter::add_diagonals(std::vector<Digit>& digits) const {
  if (grid_[0] <= 1 || grid_[1] <= 1) return;
  digits.push_back({kGroup, 1, grid_[0], kGroup + 1});
  if (grid_[1] != grid_[0]) digits.push_back({kGroup, 1, grid_[1], kGroup + 1});
}

/// Whether each digit of the groups was seen with several values.
bool AddressFitter::groups_tell(const std::vector<Digit>& digits, const Seen& seen) {
  return std::ranges::all_of(digits, [&](const Digit& digit) {
    if (digit.variable < kGroup || digit.variable >= kLoop) return true;
    const auto value = [&](const Dimensions& group) {
      std::array<std::int64_t, kLoop> numbers{};
      std::ranges::copy(group, numbers.begin() + kGroup);
      return digit.of(numbers);
    };
    return std::ranges::any_of(seen.groups,
                               [&](const Dimensions& group) { return value(group) != value(seen.groups[0]); });
  });
}

std::optional<AddressForm> AddressFitter::fit(std::span<const LoggedAccess> accesses, const Seen& seen,
                                              Split by) const {
  auto all = digits(seen, by);
  if ((by.groups || by.diagonals) && !groups_tell(all, seen)) return std::nullopt;
  // Where loops count as they are, two executions tell of all that move by a constant step.
  Candidate candidate(*this, log_, std::move(all), by.loops ? kEffort.pattern : kFewExecutions);
  if (!candidate.settle(accesses)) return std::nullopt;
  return candidate.form(accesses.front().array);
}

std::optional<AddressForm> AddressFitter::fit(std::span<const LoggedAccess> accesses) const {
  const auto array = accesses.front().array;
  const auto in_it = [&](const LoggedAccess& access) { return access.array == array; };
  if (array == kNoArray || !std::ranges::all_of(accesses, in_it)) return std::nullopt;
  static constexpr Split kOrder[] = {{false, false, false}, {false, false, false, true}, {true, false, false},
                                     {false, true, false},  {true, true, false},         {false, false, true},
                                     {true, false, true},   {false, true, true},         {true, true, true}};
  const auto seen = seen_in(accesses);
  for (const Split& by : kOrder) {
    auto form = fit(accesses, seen, by);
    if (!form) continue;
    const auto bytes = log_.arrays()[array].bytes;
    form->idle = idle_share(*form, accesses, bytes);
    if (form->idle == 0 || by.threads) return form;
    auto other = fit(accesses, seen, {true, by.loops, by.groups, by.diagonals});
    if (!other) return form;
    other->idle = idle_share(*other, accesses, bytes);
    return other->idle < form->idle ? other : form;
  }
  return std::nullopt;
}

/// A share of something in all groups of the launch, each of those looked at standing for all that lie, along each
/// axis, first, last or in between as it does.
/// @param amounts  of an access: the part, and what it is a part of
double AddressFitter::share(std::span<const LoggedAccess> accesses, const Amounts& amounts) const {
  struct Rim {
    double part = 0, whole = 0;
    std::set<std::uint32_t> groups;
  };
  std::map<std::array<int, 3>, Rim> rims;
  for (const auto& access : accesses) {
    std::array<int, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto place = log_.groups()[access.group].place[axis];
      at[axis] = place == 0 ? 0 : place + 1 == grid_[axis] ? 2 : 1;
    }
    auto& rim = rims[at];
    const auto [part, whole] = amounts(access);
    rim.part += part;
    rim.whole += whole;
    rim.groups.insert(access.group);
  }
  double part = 0, whole = 0;
  for (const auto& [at, rim] : rims) {
    auto groups = 1 / static_cast<double>(rim.groups.size());
    for (std::size_t axis = 0; axis < 3; ++axis)
      groups *= at[axis] == 1 ? static_cast<double>(std::max<std::int64_t>(1, grid_[axis] - 2)) : 1;
    part += groups * rim.part;
    whole += groups * rim.whole;
  }
  return part > 0 ? part / whole : 0;
}

double AddressFitter::idle_share(const AddressForm& form, std::span<const LoggedAccess> accesses,
                                 std::int64_t bytes) const {
  const bool all_are_active = std::ranges::all_of(accesses, [&](const LoggedAccess& access) {
    return static_cast<std::size_t>(std::popcount(access.mask)) == lanes_of(access.warp);
  });
  if (all_are_active) return 0;
  FormValues values(*this, form);
  std::vector<std::int64_t> reached, idle;
  return share(accesses, [&](const LoggedAccess& access) {
    values.begin(access, access.from);
    reached.clear();
    idle.clear();
    for (std::size_t lane = 0; lane < lanes_of(access.warp); ++lane) {
      const auto address = values(lane);
      const bool is_active = ((access.mask >> lane) & 1) != 0;
      if (address >= 0 && address < bytes) (is_active ? reached : idle).push_back(address / kSectorBytes);
    }
    for (auto* sectors : {&reached, &idle}) {
      std::ranges::sort(*sectors);
      sectors->erase(std::unique(sectors->begin(), sectors->end()), sectors->end());
    }
    const auto further =
        std::ranges::count_if(idle, [&](std::int64_t sector) { return !std::ranges::binary_search(reached, sector); });
    const auto times = static_cast<double>(access.times - access.from), more = static_cast<double>(further);
    return std::pair(times * more, times * (more + static_cast<double>(reached.size())));
  });
}

double AddressFitter::missed_share(const AddressForm& form, std::span<const LoggedAccess> accesses) const {
  FormValues values(*this, form);
  return share(accesses, [&](const LoggedAccess& access) {
    values.begin(access, access.from);
    double missed = 0;
    for (std::size_t lane = 0; lane < lanes_of(access.warp); ++lane) {
      if (((access.mask >> lane) & 1) == 0) continue;
      const auto address = address_at(log_, access, access.from, lane);
      if (access.array != form.array || values(lane) != address) ++missed;
    }
    const auto times = static_cast<double>(access.times - access.from);
    return std::pair(times * missed, times * std::popcount(access.mask));
  });
}

}  // namespace warpipe::isa
