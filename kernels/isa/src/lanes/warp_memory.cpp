#include "lanes/warp_memory.hpp"

#include <algorithm>
#include <map>

#include "flow/memory_flow.hpp"
#include "lanes/interpreter.hpp"

namespace warpipe::isa {

bool WarpMemory::is_kept(Space space, std::uint64_t address) {
  const auto window = address & kWindowMask;
  return space == Space::Shared || space == Space::Local ||
         (space == Space::Generic && (window == kSharedWindow || window == kLocalWindow));
}

bool WarpMemory::is_private(Space space, std::uint64_t address) {
  return space == Space::Local || (space == Space::Generic && (address & kWindowMask) == kLocalWindow);
}

namespace {

constexpr std::uint64_t kMemoryWord = 8;

/// The bits of some bytes.
std::uint64_t bits_of(std::uint8_t bytes) {
  std::uint64_t bits = 0;
  for (int byte = 0; byte < 8; ++byte)
    if (((bytes >> byte) & 1) != 0) bits |= std::uint64_t{0xFF} << (8 * byte);
  return bits;
}

/// Calls `visit` with each word around some bytes: its number, the mask of the bytes in it, and the left shift of their
/// contents in bits; negative for a shift to the right.
template <class Visit>
void for_each_word(std::uint64_t address, int bytes, const Visit& visit) {
  const auto inside = static_cast<int>(address % kMemoryWord);
  const auto mask = ((1U << bytes) - 1) << inside;
  visit(address / kMemoryWord, static_cast<std::uint8_t>(mask), 8 * inside);
  if (mask > 0xFF) visit(address / kMemoryWord + 1, static_cast<std::uint8_t>(mask >> 8), 8 * inside - 64);
}

std::uint64_t shifted(std::uint64_t value, int left) { return left >= 0 ? value << left : value >> -left; }

}  // namespace

/// Bytes written by several lanes become unknown, unless all of them write the same.
void WarpMemory::WrittenWord::add(std::uint8_t more, const std::optional<std::uint64_t>& value) {
  const auto again = static_cast<std::uint8_t>(bytes & more);
  std::uint8_t differing = 0;
  for (int byte = 0; again != 0 && byte < 8; ++byte)
    if (!value || (((word.value ^ *value) >> (8 * byte)) & 0xFF) != 0)
      differing = static_cast<std::uint8_t>(differing | (1U << byte));
  const auto fresh = static_cast<std::uint8_t>(more & ~bytes);
  if (value) word.value = (word.value & ~bits_of(fresh)) | (*value & bits_of(fresh));
  word.known = static_cast<std::uint8_t>((word.known & ~(again & differing)) | (value ? fresh : 0));
  bytes |= more;
}

bool WarpMemory::read(Space space, std::size_t lane, std::uint64_t address, int bytes, std::uint64_t& value) const {
  if (!is_kept(space, address)) return false;
  const bool is_own = is_private(space, address);
  const auto& memory = is_own ? private_ : shared_;
  std::uint64_t bits = 0;
  bool is_known = true;
  for_each_word(address & ~kWindowMask, bytes, [&](std::uint64_t at, std::uint8_t read, int shift) {
    const Word* const found = memory.find(is_own ? lane : 0, at);
    is_known = is_known && found != nullptr && (read & ~found->known) == 0;
    if (is_known) bits |= shifted(found->value & bits_of(read), -shift);
  });
  if (is_known) value = bits;
  return is_known;
}

bool WarpMemory::write(Space space, const std::vector<Write>& writes) {
  std::map<std::uint64_t, WrittenWord> of_group;
  bool changed = false;
  for (const auto& one : writes) {
    if (!is_kept(space, one.address)) continue;
    const bool is_own = is_private(space, one.address);
    for_each_word(one.address & ~kWindowMask, one.bytes, [&](std::uint64_t at, std::uint8_t written, int shift) {
      const auto part = one.value ? std::optional(shifted(*one.value, shift)) : std::nullopt;
      if (!is_own) return of_group[at].add(written, part);
      WrittenWord alone;
      alone.add(written, part);
      changed |= private_.put(one.lane, at, alone);
    });
  }
  for (const auto& [at, written] : of_group) changed |= shared_.put(0, at, written);
  return changed;
}

const WarpMemory::Word* WarpMemory::Words::find(std::size_t owner, std::uint64_t at) const {
  const auto found = words_.find(at);
  return found == words_.end() ? nullptr : &found->second[owner];
}

bool WarpMemory::Words::put(std::size_t owner, std::uint64_t at, const WrittenWord& written) {
  auto& of_all = words_[at];
  of_all.resize(owners_);
  auto& word = of_all[owner];
  const auto before = word;
  const auto bits = bits_of(written.bytes);
  word.value = (before.value & ~bits) | (written.word.value & bits);
  word.known = static_cast<std::uint8_t>((before.known & ~written.bytes) | written.word.known);
  known_ += (word.known != 0 ? 1U : 0U);
  known_ -= (before.known != 0 ? 1U : 0U);
  return word.known != before.known || ((word.value ^ before.value) & bits_of(word.known)) != 0;
}

bool WarpMemory::Words::forget() {
  const bool was_known = !is_empty();
  words_.clear();
  known_ = 0;
  return was_known;
}

bool WarpMemory::forget_shared() { return shared_.forget(); }

bool WarpMemory::forget_all() {
  const bool was_known = !is_empty();
  private_.forget();
  shared_.forget();
  return was_known;
}

bool WarpMemory::is_empty() const { return private_.is_empty() && shared_.is_empty(); }

/// Behind a barrier other warps may have written to the group's memory, unless the warp is alone.
void Interpreter::meet_others(const Instruction& instruction) {
  using Others = Instruction::Others;
  if (recorded_ && ends_phase(instruction)) recorded_->pass(1);
  if (!kernel_.follows_memory) return;
  const bool of_group = instruction.others == Others::OfGroup && warps_per_group(kernel_.input) > 1;
  const bool changed = instruction.others == Others::Anybody ? memory_.forget_all()
                       : of_group                            ? memory_.forget_shared()
                                                             : false;
  if (changed && closing_) closable_ = false;
}

/// @param mask  possibly storing lanes
/// @param sure  of these, the certainly storing lanes
void Interpreter::store(const Step& next, LaneMask mask, LaneMask sure) {
  const auto& access = *next.instruction->access;
  if (!kernel_.follows_memory || !writes_near_memory(*next.instruction)) return;
  for (const auto& input : access.stored) touch(input, mask);
  bool changed = false;
  if (known_address(access, mask) != mask || access.tile || access.bulk) {
    changed = memory_.forget_all();
  } else {
    const auto width = access.element.bits / 8;
    LaneNumbers addresses;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled where used
    find_addresses(access, mask, addresses);
    for (int element = 0; element * width < access.bytes; ++element)
      changed |= store_element(next, mask, sure, element, addresses);
  }
  if (changed && closing_) closable_ = false;
}

/// @return whether known contents of memory have changed, or would in further iterations of a loop
bool Interpreter::store_element(const Step& next, LaneMask mask, LaneMask sure, int element,
                                const LaneNumbers& addresses) {
  const auto& access = *next.instruction->access;
  const auto index = static_cast<std::size_t>(element);
  const bool is_given = access.kind == Access::Kind::Store && index < access.stored.size();
  const auto width = access.element.bits / 8;
  const auto certain = is_given ? known(access.stored[index], sure) : 0;
  std::vector<WarpMemory::Write> writes;
  bool moves = false;
  for_each_lane(mask, [&](std::size_t lane) {
    const auto address = addresses[lane] + static_cast<std::uint64_t>(element * width);
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
