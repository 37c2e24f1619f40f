#include "copy_engine.hpp"

#include "rows.hpp"

namespace warpipe::sass {
namespace {

/// @source bits of opcodes, directions, axes and arrivals: one kernel for each mbarrier and cp.async.bulk of PTX,
///         compiled by ptxas 13.0
constexpr unsigned kToShared = 1, kToGlobal = 2;  // of UBLKCP
enum class Arrival : unsigned { ThatExpects = 0, Alone = 1, OnlyExpects = 3 };

Arrival arrival_of(const Decoded& decoded) { return Arrival{static_cast<unsigned>(decoded.word.bits(84, 2))}; }

Operand part_of(const Operand& registers, int first, int words) {
  auto made = registers;
  if (!is_nothing(made)) made.number += static_cast<unsigned>(first);
  made.words = words;
  return made;
}

}  // namespace

EngineFields engine_fields(const Decoded& decoded) {
  EngineFields made;
  if (is(decoded, "UBLKCP")) {
    const auto direction = decoded.word.bits(73, 2);
    made.known = direction == kToShared || direction == kToGlobal;
    made.stores = direction == kToGlobal;
    made.left = made.stores ? 1 : 2;
    made.right = 2;
    return made;
  }
  made.stores = is(decoded, "UTMASTG");
  made.axes = static_cast<int>(decoded.word.bits(79, 3)) + 1;
  made.left = 2;
  made.right = made.axes + (made.stores ? 1 : 2);  // the place in shared memory, the mbarrier, coordinates
  return made;
}

std::optional<EngineCopy> engine_copy(const Decoded& decoded) {
  if (decoded.row == nullptr || decoded.row->layout != Layout::Engine) return std::nullopt;
  const auto fields = engine_fields(decoded);
  if (!fields.known) return std::nullopt;
  const auto &left = decoded.sources[0], &right = decoded.sources[1];
  EngineCopy made;
  made.stores = fields.stores;
  made.global = fields.axes == 0 && fields.stores ? right : left;
  if (!fields.stores) made.barrier = part_of(right, 1, 1);
  for (int axis = 0; axis < fields.axes; ++axis)
    made.coordinates.push_back(part_of(right, axis + (fields.stores ? 1 : 2), 1));
  if (fields.axes == 0) made.size = decoded.sources[2];
  return made;
}

bool arrives(const Decoded& decoded) {
  return is(decoded, "SYNCS.ARRIVE") && arrival_of(decoded) != Arrival::OnlyExpects;
}

bool expects_bytes(const Decoded& decoded) {
  return is(decoded, "SYNCS.ARRIVE") && arrival_of(decoded) != Arrival::Alone;
}

}  // namespace warpipe::sass
