// Instructions that read the hardware, constants or other lanes.
#include <array>
#include <map>

#include "lanes.hpp"

namespace warpipe::sass::lanes {
namespace {

using isa::Input;
using isa::LaneOp;
using Name = isa::Special::Name;

/// @source numbers: Mesa, src/nouveau/compiler/nak/ir.rs and from_nir.rs (MIT); experiments with ptxas 13.0
const std::map<std::uint64_t, isa::Special> kSpecials{
    {0x00, {Name::LaneIndex, 0}},   {0x21, {Name::ThreadIndex, 0}}, {0x22, {Name::ThreadIndex, 1}},
    {0x23, {Name::ThreadIndex, 2}}, {0x25, {Name::GroupIndex, 0}},  {0x26, {Name::GroupIndex, 1}},
    {0x27, {Name::GroupIndex, 2}},  {0x38, {Name::LaneBit, 0}},     {0x39, {Name::LanesBelow, 0}},
    {0x3a, {Name::LanesUpTo, 0}},   {0x3b, {Name::LanesAbove, 0}},  {0x3c, {Name::LanesFrom, 0}},
    {0x02, {Name::WarpIndex, 0}},   {0x88, {Name::Other, 0}}};
constexpr std::uint64_t kPackedThread = 0x20, kSharedWindow = 0x31, kZero = 0xff;

Input special(isa::Special what) {
  Input made;
  made.kind = Input::Kind::Special;
  made.special = what;
  return made;
}

}  // namespace

/// S2R, S2UR and CS2R.
void move_index(LaneMaker& m) {
  const auto number = m.word.bits(72, 8);
  const bool wide = m.read.results[0].words == 2;
  const auto type = wide ? kU64 : kU32;
  if (number == kZero) return m.move(LaneMaker::number(0), m.result(0), type);
  // x, y and z in 16, 10 and 6 bits.
  if (number == kPackedThread) {
    const auto y = m.make(LaneOp::ShiftLeft, kU32, kU32, {special({Name::ThreadIndex, 1}), LaneMaker::number(16)});
    const auto z = m.make(LaneOp::ShiftLeft, kU32, kU32, {special({Name::ThreadIndex, 2}), LaneMaker::number(26)});
    m.assign(LaneOp::Add, kU32, kU32, {special({Name::ThreadIndex, 0}), y, z}, m.result(0));
    return;
  }
  if (number == kSharedWindow) return m.move(LaneMaker::number(isa::kSharedWindow >> 32), m.result(0));
  const auto found = kSpecials.find(number);
  m.move(special(found == kSpecials.end() ? isa::Special{} : found->second), m.result(0), type);
}

/// LDC, ULDC and LDCU: a constant, word by word where it is no number of its own.
void load_constant(LaneMaker& m) {
  const auto& from = m.source(0);
  const bool indexed = m.read.sources.size() > 1 && !is_nothing(m.source(1));
  if (from.kind == Operand::Kind::IndirectConstant) return;
  if (indexed) {
    const auto region = m.memory.bank_region(from.bank, from.bits);
    if (!region) return;
    isa::Access access;
    access.kind = isa::Access::Kind::Load;
    access.space = isa::Space::Constant;
    access.base = m.raw(1);
    Input base;
    base.kind = Input::Kind::Region;
    base.index = region->first;
    access.uniform_base = base;
    access.offset = region->second;
    access.bytes = m.read.bytes;
    const bool narrow = m.read.bytes < 4;
    access.element = {narrow && m.word.bit(73) ? Type::Kind::Signed : Type::Kind::Bits, narrow ? 8 * m.read.bytes
                                                                                        : m.read.bytes == 8 ? 64
                                                                                                            : 32};
    m.made.access = access;
    auto result = m.read.results[0];
    isa::Assignment load;
    load.operation.op = LaneOp::Load;
    if (m.read.bytes == 8) {
      load.outputs = {{registers_of(result)}};
    } else {
      const auto words = result.words;
      result.words = 1;
      for (int i = 0; i < words; ++i, ++result.number) load.outputs.push_back({registers_of(result)});
    }
    m.made.assignments.push_back(load);
    return;
  }
  if (m.read.bytes < 4) {
    auto word = from;
    word.bits = from.bits / 4 * 4;
    word.words = 1;
    const auto part = 8 * (from.bits % 4);
    const auto bits = 8 * m.read.bytes;
    auto input = m.raw(word);
    if (part != 0) input = m.make(LaneOp::ShiftRight, kU32, kU32, {input, LaneMaker::number(part)});
    m.assign(LaneOp::ExtendBits, m.word.bit(73) ? kS32 : kU32, kU32,
             {input, LaneMaker::number(static_cast<std::uint64_t>(bits))}, m.result(0));
    return;
  }
  auto word = from;
  auto result = m.read.results[0];
  // An argument of 64 bits as a whole, two smaller ones each by itself.
  const auto is_wide = [&] { return m.memory.constant(word.bank, word.bits, 8).input.kind != Input::Kind::Missing; };
  int step = 1;
  for (int done = 0; done < m.read.bytes / 4; done += step) {
    step = done + 2 <= m.read.bytes / 4 && is_wide() ? 2 : 1;
    word.words = result.words = step;
    m.move(m.raw(word), {registers_of(result)}, step == 2 ? kU64 : kU32);
    word.bits += static_cast<std::uint64_t>(4 * step);
    result.number += static_cast<unsigned>(step);
  }
}

void shuffle(LaneMaker& m) {
  static constexpr std::array kModes{LaneOp::ShuffleIndex, LaneOp::ShuffleUp, LaneOp::ShuffleDown,
                                     LaneOp::ShuffleAcross};
  const std::vector<Input> inputs{m.raw(std::size_t{0}), m.raw(1), m.raw(2)};
  m.assign(kModes[m.word.bits(58, 2)], kU32, kU32, inputs, m.result(0));
  if (m.has_result(1)) m.made.assignments.back().outputs.push_back(m.result(1));
}

void vote(LaneMaker& m) {
  static constexpr std::array kModes{LaneOp::AllLanes, LaneOp::AnyLane, LaneOp::SameTruth, LaneOp::AnyLane};
  const auto truth = m.truth(m.source(0));
  const bool ballot = m.has_result(0), tells = m.has_result(1);
  // The register may not be written before the truth is read, nor the other way round: neither is of the other's file.
  if (ballot) m.assign(LaneOp::Ballot, kTruth, kU32, {truth}, m.result(0));
  if (!tells) return;
  const auto place = m.temporary(1);
  m.assign(kModes[m.word.bits(72, 2)], kTruth, kTruth, {truth}, LaneMaker::to(place));
  m.move(place, m.result(1), kTruth);
}

void match(LaneMaker& m) {
  const bool all = !m.word.bit(79);
  const auto type = matches_two(m.read) ? kU64 : kU32;
  m.assign(all ? LaneOp::MatchAll : LaneOp::MatchAny, type, kU32, {m.raw(std::size_t{0})}, m.result(0));
  if (all && m.has_result(1)) m.made.assignments.back().outputs.push_back(m.result(1));
}

/// ELECT: whether a lane is the lowest active lane.
void elect(LaneMaker& m) {
  const auto lane = m.temporary(32);
  m.assign(LaneOp::Elect, kU32, kU32, {}, LaneMaker::to(lane));
  if (m.has_result(0)) m.made.assignments.back().outputs.push_back(m.result(0));
}

/// A wait that is over when it issues, or registers granted at once: the result is true.
void granted(LaneMaker& m) {
  if (m.has_result(0)) m.move(LaneMaker::number(1), m.result(0), kTruth);
}

/// REDUX.
void reduce(LaneMaker& m) {
  static constexpr std::array kEach{LaneOp::And,     LaneOp::Or,      LaneOp::Xor,     LaneOp::Add,
                                    LaneOp::Minimum, LaneOp::Maximum, LaneOp::Unknown, LaneOp::Unknown};
  const auto each = kEach[m.word.bits(78, 3)];
  if (each == LaneOp::Unknown) return;
  auto& made = m.assign(LaneOp::Reduce, m.word.bit(73) ? kS32 : kU32, kU32, {m.raw(std::size_t{0})}, m.result(0));
  made.operation.each = each;
}

}  // namespace warpipe::sass::lanes
