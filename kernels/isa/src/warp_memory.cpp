#include "warp_memory.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "memory_flow.hpp"
#include "warp_run.hpp"

namespace warpipe::isa {

bool WarpMemory::is_kept(Space space, std::uint64_t address) {
  const auto window = address & kWindowMask;
  return space == Space::Shared || space == Space::Local ||
         (space == Space::Generic && (window == kSharedWindow || window == kLocalWindow));
}

std::size_t WarpMemory::memory_of(Space space, std::size_t lane, std::uint64_t address) const {
  const bool local = space == Space::Local || (space == Space::Generic && (address & kWindowMask) == kLocalWindow);
  return local ? lane : bytes_.size() - 1;
}

std::optional<std::uint64_t> WarpMemory::read(Space space, std::size_t lane, std::uint64_t address, int bytes) const {
  if (!is_kept(space, address)) return std::nullopt;
  const auto& memory = bytes_[memory_of(space, lane, address)];
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) {
    const auto found = memory.find((address & ~kWindowMask) + static_cast<std::uint64_t>(i));
    if (found == memory.end()) return std::nullopt;
    value |= std::uint64_t{found->second} << (8 * i);
  }
  return value;
}

bool WarpMemory::write(Space space, const std::vector<Write>& writes) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::optional<std::uint8_t>> left;
  for (const auto& [lane, address, bytes, value] : writes) {
    if (!is_kept(space, address)) continue;
    const auto memory = memory_of(space, lane, address);
    for (int i = 0; i < bytes; ++i) {
      std::optional<std::uint8_t> byte;
      if (value) byte = static_cast<std::uint8_t>(*value >> (8 * i));
      const auto place = std::pair(memory, (address & ~kWindowMask) + static_cast<std::uint64_t>(i));
      const auto [found, is_new] = left.emplace(place, byte);
      if (!is_new && found->second != byte) found->second.reset();
    }
  }
  bool changed = false;
  for (const auto& [place, byte] : left) {
    auto& memory = bytes_[place.first];
    const auto found = memory.find(place.second);
    const bool was_known = found != memory.end();
    changed = changed || was_known != byte.has_value() || (byte && found->second != *byte);
    if (byte)
      memory[place.second] = *byte;
    else
      memory.erase(place.second);
  }
  return changed;
}

bool WarpMemory::forget_shared() {
  const bool was_known = !bytes_.back().empty();
  bytes_.back().clear();
  return was_known;
}

bool WarpMemory::forget_all() {
  const bool was_known = !is_empty();
  for (auto& memory : bytes_) memory.clear();
  return was_known;
}

bool WarpMemory::is_empty() const { return std::ranges::all_of(bytes_, &Bytes::empty); }

/// Behind a barrier other warps may have written to the group's memory, unless there are none.
void WarpRun::meet_others(const Instruction& instruction) {
  using Others = Instruction::Others;
  if (!kernel_.follows_memory) return;
  const bool of_group = instruction.others == Others::OfGroup && warps_per_group(kernel_.input) > 1;
  const bool changed = instruction.others == Others::Anybody ? memory_.forget_all()
                       : of_group                            ? memory_.forget_shared()
                                                             : false;
  if (changed && closing_) closable_ = false;
}

/// @param mask  lanes that may store
/// @param sure  of these the ones that do
void WarpRun::store(const Step& next, LaneMask mask, LaneMask sure) {
  const auto& access = *next.instruction->access;
  if (!kernel_.follows_memory || !writes_near_memory(*next.instruction)) return;
  for (const auto& input : access.stored) touch(input, mask);
  bool changed = false;
  if (known_address(access, mask) != mask || access.tile || access.bulk) {
    changed = memory_.forget_all();
  } else {
    const auto width = access.element.bits / 8;
    for (int element = 0; element * width < access.bytes; ++element)
      changed |= store_element(next, mask, sure, element);
  }
  if (changed && closing_) closable_ = false;
}

/// @return whether what is known of memory has changed, or would in further iterations of a loop
bool WarpRun::store_element(const Step& next, LaneMask mask, LaneMask sure, int element) {
  const auto& access = *next.instruction->access;
  const auto index = static_cast<std::size_t>(element);
  const bool is_given = access.kind == Access::Kind::Store && index < access.stored.size();
  const auto width = access.element.bits / 8;
  const auto certain = is_given ? known(access.stored[index], sure) : 0;
  std::vector<WarpMemory::Write> writes;
  bool moves = false;
  for_each_lane(mask, [&](std::size_t lane) {
    const auto address = address_of(access, lane) + static_cast<std::uint64_t>(element * width);
    if (!WarpMemory::is_kept(access.space, address)) return;
    auto& write = writes.emplace_back(WarpMemory::Write{lane, address, width, std::nullopt});
    const bool is_known = ((certain >> lane) & 1) != 0;
    if (is_known) write.value = value(access.stored[index], lane);
    if (!closing_) return;
    moves = moves || (is_known && !motion(access.stored[index], lane).rests());
    moves = moves || (!address_motion(access, lane).rests() && (is_known || !memory_.is_empty()));
  });
  return memory_.write(access.space, writes) || moves;
}

}  // namespace warpipe::isa
