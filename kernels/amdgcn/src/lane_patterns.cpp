#include "lane_patterns.hpp"

#include <fmt/format.h>

#include <vector>

#include "lines.hpp"

namespace warpipe::amdgcn {
namespace {

std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> all;
  while (!text.empty()) {
    const auto end = text.find_first_of(",[]()");
    if (const auto one = whole_number(trimmed(text.substr(0, end)))) all.push_back(*one);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return all;
}

/// The pattern of a list: each of `of` neighbours reads the neighbour listed for it.
std::optional<std::string> listed(const std::string& text, std::size_t of, int bits) {
  const auto all = numbers_in(text);
  if (all.size() != of) return std::nullopt;
  std::uint64_t packed = 0;
  for (std::size_t i = 0; i < of; ++i)
    packed |= (static_cast<std::uint64_t>(all[i]) & (of - 1)) << (i * static_cast<std::size_t>(bits));
  return fmt::format("or.u32(and.u32(lane,{}),and.u32(shr.u32({},mul.u32(and.u32(lane,{}),{})),{}))", 64 - of, packed,
                     of - 1, bits, of - 1);
}

std::optional<std::string> control(const TextInstruction& one) {
  const auto number = [&](const char* name) -> std::optional<std::int64_t> {
    const auto text = one.modifier(name);
    return text ? whole_number(*text) : std::nullopt;
  };
  if (const auto list = one.modifier("quad_perm")) return listed(*list, 4, 2);
  if (const auto list = one.modifier("dpp8")) return listed(*list, 8, 3);
  if (const auto n = number("row_shl"))
    return fmt::format("sel.u32(add.u32(lane,{0}),255,le.u32(add.u32(and.u32(lane,15),{0}),15))", *n);
  if (const auto n = number("row_shr"))
    return fmt::format("sel.u32(sub.u32(lane,{0}),255,ge.u32(and.u32(lane,15),{0}))", *n);
  if (const auto n = number("row_ror")) return fmt::format("or.u32(and.u32(lane,48),and.u32(sub.u32(lane,{}),15))", *n);
  if (number("wave_shl") || one.has("wave_shl")) return "add.u32(lane,1)";
  if (number("wave_shr") || one.has("wave_shr")) return "sub.u32(lane,1)";
  if (number("wave_rol") || one.has("wave_rol")) return "and.u32(add.u32(lane,1),63)";
  if (number("wave_ror") || one.has("wave_ror")) return "and.u32(sub.u32(lane,1),63)";
  if (one.has("row_mirror")) return "xor.u32(lane,15)";
  if (one.has("row_half_mirror")) return "xor.u32(lane,7)";
  if (const auto n = number("row_bcast"); n && *n == 15)
    return "sel.u32(sub.u32(and.u32(lane,48),1),255,ge.u32(lane,16))";
  if (const auto n = number("row_bcast"); n && *n == 31) return "sel.u32(31,255,ge.u32(lane,32))";
  for (const auto* name : {"row_share", "row_newbcast"})
    if (const auto n = number(name)) return fmt::format("or.u32(and.u32(lane,48),{})", *n & 15);
  if (const auto n = number("row_xmask")) return fmt::format("xor.u32(lane,{})", *n & 15);
  return std::nullopt;
}

std::string masked(std::int64_t and_mask, std::int64_t or_mask, std::int64_t xor_mask) {
  return fmt::format("or.u32(and.u32(lane,32),xor.u32(or.u32(and.u32(and.u32(lane,31),{}),{}),{}))", and_mask, or_mask,
                     xor_mask);
}

/// "0p1ip": from the highest of five bits on, each 0, 1, preserved or inverted.
std::optional<std::string> by_letters(std::string_view text) {
  if (text.size() != 5) return std::nullopt;
  std::int64_t kept = 0, ones = 0, turned = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const auto bit = std::int64_t{1} << (4 - i);
    if (text[i] == 'p' || text[i] == 'i') kept |= bit;
    if (text[i] == 'i') turned |= bit;
    if (text[i] == '1') ones |= bit;
  }
  return masked(kept, ones, turned);
}

}  // namespace

std::optional<LanePattern> dpp_pattern(const TextInstruction& instruction) {
  const auto from = control(instruction);
  if (!from) return std::nullopt;
  LanePattern made{*from, "", false};
  if (const auto bound = instruction.modifier("bound_ctrl")) made.zero_where_none = true;
  if (const auto inactive = instruction.modifier("fi"); inactive && *inactive != "0") return std::nullopt;
  const auto add = [&](const char* name, int shift, int bits) {
    const auto text = instruction.modifier(name);
    const auto mask = text ? whole_number(*text) : std::nullopt;
    if (!mask || (*mask & 15) == 15) return;
    const auto truth =
        fmt::format("ne.u32(0,and.u32(1,shr.u32({},and.u32(shr.u32(lane,{}),{}))))", *mask & 15, shift, bits);
    made.takes_part = made.takes_part.empty() ? truth : fmt::format("and.p({},{})", made.takes_part, truth);
  };
  add("row_mask", 4, 3);
  add("bank_mask", 2, 3);
  return made;
}

std::optional<std::string> swizzle_pattern(const TextInstruction& instruction) {
  const auto text = instruction.modifier("offset");
  if (!text) return "lane";
  if (const auto number = whole_number(*text)) {
    if ((*number & 0x8000) != 0)
      return listed(fmt::format("{},{},{},{}", *number & 3, (*number >> 2) & 3, (*number >> 4) & 3, (*number >> 6) & 3),
                    4, 2);
    return masked(*number & 31, (*number >> 5) & 31, (*number >> 10) & 31);
  }
  const auto all = numbers_in(*text);
  const auto names = [&](const char* mode) { return text->find(mode) != std::string::npos; };
  if (names("BITMASK_PERM")) {
    const auto open = text->find('"'), close = text->rfind('"');
    return open == std::string::npos || close <= open
               ? std::nullopt
               : by_letters(std::string_view(*text).substr(open + 1, close - open - 1));
  }
  if (names("QUAD_PERM")) return listed(text->substr(text->find(',') + 1), 4, 2);
  if (names("SWAP") && all.size() == 1) return masked(31, 0, all[0] & 31);
  if (names("REVERSE") && all.size() == 1) return masked(31, 0, (all[0] - 1) & 31);
  if (names("BROADCAST") && all.size() == 2) return masked(~(all[0] - 1) & 31, all[1] & 31, 0);
  return std::nullopt;
}

}  // namespace warpipe::amdgcn
