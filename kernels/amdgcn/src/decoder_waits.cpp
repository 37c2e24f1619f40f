#include "decoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lines.hpp"

namespace warpipe::amdgcn {

using isa::Instruction;
using Flow = isa::Instruction::Flow;

/// "vmcnt(2)", "lgkmcnt(0) & vmcnt(1)", or the bits of all of them.
Instruction Decoder::wait(const TextInstruction& one, Instruction made) const {
  made.per_lane = false;
  made.flow = Flow::Wait;
  made.ops = {"wait"};
  if (one.name == "s_waitcnt") {
    for (const auto& word : one.modifiers)
      if (word != "&") add_wait(word, made.timing.waits);
    return made;
  }
  const auto n = one.modifiers.empty() ? std::nullopt : whole_number(one.modifiers.back());
  if (!n) throw Problem{"a wait says how many may be under way", fmt::format("found \"{}\"", one.text), ""};
  const auto name = one.name.substr(one.name.rfind('_') + 1);
  add_wait(name == "vscnt"     ? kStores
           : name == "vmcnt"   ? kVectorMemory
           : name == "lgkmcnt" ? kSharedMemory
                               : kExports,
           static_cast<std::uint32_t>(*n & 63), made.timing.waits);
  return made;
}

/// "vmcnt(2)", or the bits of all counters.
void Decoder::add_wait(const std::string& word, std::vector<isa::Wait>& waits) const {
  if (const auto bits = whole_number(word)) {
    const auto b = static_cast<std::uint32_t>(*bits);
    const bool late = target_.null_is_124;  // gfx11 has the fields elsewhere
    add_wait(kVectorMemory, late ? (b >> 10) & 63 : (b & 15) | ((b >> 14) & 3) << 4, waits);
    add_wait(kExports, late ? b & 7 : (b >> 4) & 7, waits);
    add_wait(kSharedMemory, late ? (b >> 4) & 63 : (b >> 8) & (target_.store_counter ? 63 : 15), waits);
    return;
  }
  const auto open = word.find('('), close = word.find(')');
  const auto n = open == std::string::npos || close == std::string::npos
                     ? std::nullopt
                     : whole_number(word.substr(open + 1, close - open - 1));
  const auto name = word.substr(0, open);
  if (!n || *n < 0 || (name != "vmcnt" && name != "lgkmcnt" && name != "expcnt"))
    throw Problem{"a wait names vmcnt, lgkmcnt or expcnt and how many may be under way",
                  fmt::format("found \"{}\"", word), ""};
  add_wait(name == "lgkmcnt" ? kSharedMemory
           : name == "vmcnt" ? kVectorMemory
                             : kExports,
           static_cast<std::uint32_t>(std::min<std::int64_t>(*n, 63)), waits);
}

/// Scalar loads share a counter with the group's memory, and come back in any order.
void Decoder::add_wait(Counter counter, std::uint32_t pending, std::vector<isa::Wait>& waits) {
  waits.push_back({counter, pending});
  if (counter == kSharedMemory && pending == 0) waits.push_back({kScalarMemory, 0});
}

}  // namespace warpipe::amdgcn
