#include "operands.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "lines.hpp"

namespace warpipe::amdgcn {
namespace {

using OperandKind = Operand::Kind;

struct Named {
  std::uint32_t first, count;
};

const std::map<std::string_view, Named>& named() {
  static const std::map<std::string_view, Named> kAll{{"vcc", {kVcc, 2}},
                                                      {"vcc_lo", {kVcc, 1}},
                                                      {"vcc_hi", {kVcc + 1, 1}},
                                                      {"exec", {kExec, 2}},
                                                      {"exec_lo", {kExec, 1}},
                                                      {"exec_hi", {kExec + 1, 1}},
                                                      {"m0", {kM0, 1}},
                                                      {"scc", {kScc, 1}},
                                                      {"src_scc", {kScc, 1}},
                                                      {"flat_scratch", {kFlatScratch, 2}},
                                                      {"flat_scratch_lo", {kFlatScratch, 1}},
                                                      {"flat_scratch_hi", {kFlatScratch + 1, 1}},
                                                      {"xnack_mask", {104, 2}},
                                                      {"xnack_mask_lo", {104, 1}},
                                                      {"xnack_mask_hi", {105, 1}}};
  return kAll;
}

/// Windows of generic addresses: the group's memory, and a thread's own.
std::optional<std::uint64_t> window_of(std::string_view text) {
  if (text == "src_shared_base") return isa::kSharedWindow;
  if (text == "src_private_base") return isa::kLocalWindow;
  if (text == "src_shared_limit") return isa::kSharedWindow | 0xffffffff;
  if (text == "src_private_limit") return isa::kLocalWindow | 0xffffffff;
  return std::nullopt;
}

/// "v3", "s[2:3]", "a[0:3]", "ttmp4", "v[5]".
std::optional<Operand> numbered(std::string_view text, const Target& target) {
  Operand made;
  std::uint32_t shift = 0, most = kMostVectors;
  if (text.starts_with("ttmp")) {
    made.kind = OperandKind::Scalar;
    shift = 108;
    most = 124;
    text.remove_prefix(4);
  } else {
    made.kind = text.starts_with('v')   ? OperandKind::Vector
                : text.starts_with('a') ? OperandKind::Accumulation
                                        : OperandKind::Scalar;
    if (made.kind == OperandKind::Scalar && !text.starts_with('s')) return std::nullopt;
    if (made.kind == OperandKind::Scalar) most = static_cast<std::uint32_t>(target.scalar_registers);
    text.remove_prefix(1);
  }
  auto first_text = text, last_text = text;
  if (text.starts_with('[')) {
    if (!text.ends_with(']')) return std::nullopt;
    text = text.substr(1, text.size() - 2);
    const auto colon = text.find(':');
    first_text = trimmed(text.substr(0, colon));
    last_text = colon == std::string_view::npos ? first_text : trimmed(text.substr(colon + 1));
  }
  const auto first = whole_number(first_text), last = whole_number(last_text);
  if (!first || !last || *first < 0 || *last < *first || *last - *first > 31 || *last + shift >= most)
    return std::nullopt;
  made.first = static_cast<std::uint32_t>(*first) + shift;
  made.count = static_cast<std::uint32_t>(*last - *first) + 1;
  return made;
}

/// "weights@rel32@lo+4"
std::optional<Operand> symbol(std::string_view text) {
  const auto at = text.find('@');
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  Operand made;
  made.kind = OperandKind::Symbol;
  made.symbol = text.substr(0, at);
  auto rest = text.substr(at + 1);
  const auto sign = rest.find_first_of("+-");
  if (sign != std::string_view::npos) {
    const auto addend = whole_number(rest.substr(rest[sign] == '+' ? sign + 1 : sign));
    if (!addend) return std::nullopt;
    made.addend = *addend;
    rest = rest.substr(0, sign);
  }
  made.part = rest;
  return made;
}

std::optional<Operand> plain(std::string_view text, const Target& target) {
  Operand made;
  if (text == "off" || text == "null") return made;
  if (text == "src_vccz" || text == "src_execz" || text == "lds_direct" || text == "src_lds_direct" ||
      text == "src_pops_exiting_wave_id")
    return std::nullopt;
  if (const auto found = named().find(text); found != named().end()) {
    made.kind = OperandKind::Scalar;
    made.first = found->second.first;
    made.count = found->second.count;
    return made;
  }
  if (const auto window = window_of(text)) {
    made.kind = OperandKind::Number;
    made.bits = *window;
    return made;
  }
  if (text.starts_with("lit(") && text.ends_with(')')) text = text.substr(4, text.size() - 5);
  if (const auto whole = whole_number(text)) {
    made.kind = OperandKind::Number;
    made.bits = static_cast<std::uint64_t>(*whole);
    made.hex = text.find('x') != std::string_view::npos;
    return made;
  }
  const bool digit = !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-');
  if (digit && text.find_first_not_of("0123456789.eE+-") == std::string_view::npos) {
    const std::string copy(text);
    char* end = nullptr;
    made.real = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size()) return std::nullopt;
    made.kind = OperandKind::Real;
    return made;
  }
  if (text.empty()) return std::nullopt;
  if (text.find('@') != std::string_view::npos) return symbol(text);
  return numbered(text, target);
}

}  // namespace

std::optional<Operand> parse_operand(std::string_view text, const Target& target) {
  bool negated = false, absolute = false, widened = false;
  const auto inner = [&](std::string_view name) {
    if (!text.starts_with(name) || text.size() <= name.size() + 1 || text[name.size()] != '(' || text.back() != ')')
      return false;
    text = text.substr(name.size() + 1, text.size() - name.size() - 2);
    return true;
  };
  if (inner("neg")) negated = true;
  if (text.size() > 1 && text[0] == '-' && std::isdigit(static_cast<unsigned char>(text[1])) == 0) {
    negated = true;
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text.front() == '|' && text.back() == '|') {
    absolute = true;
    text = text.substr(1, text.size() - 2);
  }
  if (inner("abs")) absolute = true;
  if (inner("sext")) widened = true;
  auto made = plain(text, target);
  if (!made) return std::nullopt;
  made->negated = negated;
  made->absolute = absolute;
  made->widened = widened;
  return made;
}

std::vector<isa::Register> RegisterFile::all() const {
  std::vector<isa::Register> made;
  for (std::uint32_t i = 0; i < kScc; ++i) {
    std::string name = i < 106 ? fmt::format("s{}", i) : fmt::format("ttmp{}", i - 108);
    for (const auto& [known, place] : named())
      if (place.count == 1 && place.first == i && i >= kFlatScratch) name = known;
    made.push_back({name, i == kExec || i == kExec + 1 ? isa::File::Mask : isa::File::Uniform, 32});
  }
  made.push_back({"scc", isa::File::UniformPredicate, 1});
  for (const auto file : {isa::File::Lane, isa::File::Uniform})
    for (const int bits : {1, 32, 64})
      for (std::uint32_t i = 0; i < kOwnOfAWidth; ++i)
        made.push_back({fmt::format("own_{}_{}_{}", file == isa::File::Lane ? "lane" : "wave", bits, i), file, bits});
  for (std::uint32_t i = 0; i < vectors_; ++i) made.push_back({fmt::format("v{}", i), isa::File::Lane, 32});
  for (std::uint32_t i = 0; i < accumulation_; ++i) made.push_back({fmt::format("a{}", i), isa::File::Lane, 32});
  return made;
}

isa::RegisterRange RegisterFile::range_of(const Operand& operand, std::uint32_t words) const {
  const auto first = operand.kind == OperandKind::Scalar   ? operand.first
                     : operand.kind == OperandKind::Vector ? kVectors + operand.first
                                                           : kVectors + vectors_ + operand.first;
  return {first, words};
}

}  // namespace warpipe::amdgcn
