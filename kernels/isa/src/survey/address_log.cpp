#include "survey/address_log.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "program/effort.hpp"

namespace warpipe::isa {
namespace {

enum Sort { kArgument, kGlobalRegion, kLocalRegion, kStack, kStructure, kRecorded };

/// Whether an address lies in a memory.
/// @param window  of generic addresses
bool is_in(Space memory, std::uint64_t window, const Access& access, std::uint64_t address) {
  return access.space == memory || (access.space == Space::Generic && (address & kWindowMask) == window);
}
bool is_private(const Access& access, std::uint64_t address) {
  return is_in(Space::Local, kLocalWindow, access, address);
}
bool is_global(const Access& access, std::uint64_t address) { return is_in(Space::Global, 0, access, address); }

}  // namespace

void AddressLog::begin(const Dimensions& group) {
  groups_.push_back({group, {}});
  not_kept_of_group_.clear();
}

void AddressLog::end(std::vector<std::uint32_t> records) {
  groups_.back().records = std::move(records);
  for (const auto& [instruction, executions] : not_kept_of_group_) not_kept_[instruction] += executions;
  not_kept_of_group_.clear();
}

void AddressLog::discard() {
  groups_.pop_back();
  not_kept_of_group_.clear();
  for (auto& [instruction, all] : accesses_)
    while (!all.empty() && all.back().group == groups_.size()) all.pop_back();
}

const std::vector<LoggedAccess>& AddressLog::of(std::uint32_t instruction) const {
  static const std::vector<LoggedAccess> kNone;
  const auto found = accesses_.find(instruction);
  return found == accesses_.end() ? kNone : found->second;
}

std::int64_t AddressLog::not_kept(std::uint32_t instruction) const {
  const auto found = not_kept_.find(instruction);
  return found == not_kept_.end() ? 0 : found->second;
}

std::uint32_t AddressLog::keep(const std::vector<std::int64_t>& list) {
  const auto [found, is_new] = index_of_.try_emplace(list, static_cast<std::uint32_t>(lists_.size()));
  if (is_new) {
    lists_.push_back(&found->first);
    numbers_ += found->first.size();
  }
  return found->second;
}

std::uint32_t AddressLog::array_of(Place place) {
  const auto [found, is_new] = array_of_.emplace(place, static_cast<std::uint32_t>(arrays_.size()));
  if (!is_new) return found->second;
  const auto& input = kernel_->input;
  ReachedArray& array = arrays_.emplace_back();
  array.thread_private = place.first == kLocalRegion || place.first == kStack;
  array.name = "stack";
  if (place.first == kArgument || place.first == kStructure)
    array.name = parameter_label(input.program, place.second, input.names);
  if (place.first == kGlobalRegion || place.first == kLocalRegion) {
    array.name = input.program.regions[place.second].name;
    array.bytes = input.program.regions[place.second].bytes();
  }
  if (place.first == kRecorded) {
    array.name = "memory " + std::to_string(place.second);
    array.bytes = kernel_->recorded->bytes_of(place.second);
  }
  return found->second;
}

/// The array of an address.
/// @param offset  gets the bytes from its start; addresses a little before the start belong to the array, too
std::uint32_t AddressLog::array_at(const Access& access, std::uint64_t address, std::int64_t& offset) {
  const bool in_private = is_private(access, address);
  if (in_private) {
    // The lanes' words lie side by side.
    const auto lanes = static_cast<std::uint64_t>(lanes_);
    address &= ~kWindowMask;
    address = address / kWordBytes / lanes * kWordBytes + address % kWordBytes;
  } else if (!is_global(access, address)) {
    return kNoArray;
  } else if (address >= last_.begin && address < last_.end) {
    offset = static_cast<std::int64_t>(address - last_.origin);
    return last_.array;
  }
  offset = static_cast<std::int64_t>(address);
  if (const auto region = kernel_->memory.region_at(in_private ? Space::Local : Space::Global, address)) {
    const auto begin = kernel_->memory.address_of(*region);
    offset = static_cast<std::int64_t>(address - begin);
    const auto array = array_of({in_private ? kLocalRegion : kGlobalRegion, *region});
    const auto bytes = static_cast<std::uint64_t>(kernel_->input.program.regions[*region].bytes());
    if (!in_private) last_ = {begin, begin + bytes, begin, array};
    return array;
  }
  if (in_private) return array_of({kStack, 0});
  if (const auto found = find_pointer(kernel_->input.program, address)) {
    offset =
        static_cast<std::int64_t>(address - array_of_pointer(kernel_->input.program, {found->pointer.parameter, 0}));
    return array_of({kStructure, found->pointer.parameter});
  }
  if (const auto range = kernel_->recorded ? kernel_->recorded->range_at(address) : std::nullopt) {
    offset = static_cast<std::int64_t>(address - kernel_->recorded->address_of(*range));
    return array_of({kRecorded, *range});
  }
  const auto number = array_number(address);
  const auto& arguments = kernel_->input.arguments;
  if (number == 0 || number > arguments.size() || !arguments[number - 1].pointer) return kNoArray;
  const auto origin = number << kArrayShift;
  offset = static_cast<std::int64_t>(address - origin);
  const auto array = array_of({kArgument, number - 1});
  constexpr auto kHalf = std::uint64_t{1} << (kArrayShift - 1);
  last_ = {origin - kHalf, origin + kHalf, origin, array};
  if (const auto* given = arguments[number - 1].values; given != nullptr) {
    const auto numbers = static_cast<std::int64_t>(given->values.size()) * (access.element.bits / 8);
    const auto bytes = given->bytes ? static_cast<std::int64_t>(given->bytes->bytes.size()) : numbers;
    arrays_[array].bytes = std::max(arrays_[array].bytes, bytes);
  }
  return array;
}

std::uint32_t AddressLog::add(const AddressEvent& event, std::uint32_t warp,
                              const std::vector<std::int64_t>& iterations, std::int64_t times) {
  const auto& access = *kernel_->at(event.instruction).access;
  const bool matters = access.space == Space::Local || access.space == Space::Global || access.space == Space::Generic;
  if (event.mask == 0 || !matters) return kNoArray;
  LoggedAccess logged;
  auto& [lanes, strides] = room_;
  lanes.assign(event.addresses.size(), 0);
  strides.assign(event.strides.size(), 0);
  const auto first = static_cast<std::size_t>(std::countr_zero(event.mask));
  logged.array = array_at(access, event.addresses[first], logged.first);
  for (std::size_t lane = first; lane < lanes.size(); ++lane) {
    if (((event.mask >> lane) & 1) == 0) continue;
    std::int64_t offset = 0;
    if (array_at(access, event.addresses[lane], offset) != logged.array) logged.array = kNoArray;
    lanes[lane] = offset - logged.first;
    if (strides.empty()) continue;
    strides[lane] = static_cast<std::int64_t>(event.strides[lane]);
    if (is_private(access, event.addresses[lane])) strides[lane] /= lanes_;
  }
  logged.group = static_cast<std::uint32_t>(groups_.size() - 1);
  logged.warp = warp;
  logged.mask = event.mask;
  logged.times = strides.empty() ? 1 : times;
  reach(logged, lanes, strides, event.width);
  if (numbers_ > kEffort.kept_numbers) {
    not_kept_of_group_[event.instruction] += logged.times;
    return logged.array;
  }
  logged.lanes = keep(lanes);
  logged.strides = keep(strides);
  logged.iterations = keep(iterations);
  numbers_ += sizeof(LoggedAccess) / sizeof(std::int64_t);
  accesses_[event.instruction].push_back(logged);
  return logged.array;
}

void AddressLog::reach(const LoggedAccess& logged, std::span<const std::int64_t> lanes,
                       std::span<const std::int64_t> strides, std::int64_t width) {
  if (logged.array == kNoArray) return;
  auto& array = arrays_[logged.array];
  const auto add = [&](std::int64_t begin) {
    constexpr std::int64_t kPage = 4096;  // no pattern of lines changes
    array.bytes = std::max(array.bytes, begin + width);
    if (!array.thread_private && begin < -array.before) array.before = (kPage - 1 - begin) / kPage * kPage;
  };
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (((logged.mask >> lane) & 1) == 0) continue;
    const auto begin = logged.first + lanes[lane];
    add(begin);
    if (!strides.empty()) add(begin + (logged.times - 1) * strides[lane]);
  }
}

}  // namespace warpipe::isa
