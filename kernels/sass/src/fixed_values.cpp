#include "fixed_values.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "rows.hpp"

namespace warpipe::sass {
namespace {

using Kind = Operand::Kind;

constexpr int kDeepest = 32;  // moves and sums in sequence

bool writes(const Decoded& one, const Operand& operand) {
  return std::ranges::any_of(one.results, [&](const Operand& result) {
    return result.kind == operand.kind && !is_nothing(result) && operand.number >= result.number &&
           operand.number < result.number + static_cast<unsigned>(result.words);
  });
}

class Walk {
 public:
  Walk(std::span<const Decoded> code, std::uint64_t parameters) : code_(code), parameters_(parameters) {}

  std::optional<FixedValue> of(std::size_t index, const Operand& operand, int depth = 0) const {
    if (operand.negated || operand.absolute || depth > kDeepest) return std::nullopt;
    if (operand.kind == Kind::Immediate) return FixedValue{whole(operand.bits), false};
    if (operand.kind == Kind::Constant) {
      if (operand.bank == 0 && operand.bits == parameters_) return FixedValue{0, true};
      return std::nullopt;
    }
    if (operand.kind != Kind::Register && operand.kind != Kind::Uniform) return std::nullopt;
    if (is_nothing(operand)) return FixedValue{};
    const auto writer = nearest_writer(code_, index, operand);
    return writer ? made_by(*writer, code_[*writer], operand, depth + 1) : std::nullopt;
  }

 private:
  static std::int64_t whole(std::uint64_t bits) { return static_cast<std::int32_t>(bits); }

  std::optional<FixedValue> made_by(std::size_t index, const Decoded& writer, const Operand& operand, int depth) const {
    const std::string_view name = writer.row->name;
    const auto& sources = writer.sources;
    const bool is_lowest = writer.results.front().number == operand.number;
    const bool loads = name == "LDC" || name == "ULDC" || name == "LDCU";
    const bool moves = name == "MOV" || name == "UMOV" || name == "R2UR";
    if (!is_lowest || sources.empty()) return std::nullopt;
    if (loads || moves) return of(index, sources[0], depth);
    if (name == "IMAD" || name == "HFMA2.MMA" || name == "HFMA2") {
      const bool is_move = is_nothing(sources[0]) || (name == "IMAD" && is_nothing(sources[1]));
      return is_move ? of(index, sources[2], depth) : std::nullopt;
    }
    static constexpr std::array<std::pair<std::string_view, std::size_t>, 5> kSums{
        {{"IADD3", 3}, {"UIADD3", 3}, {"UIADD3.64", 3}, {"VIADD", 2}, {"IADD.64", 2}}};
    const auto sum = std::ranges::find(kSums, name, [](const auto& one) { return one.first; });
    if (sum == kSums.end()) return std::nullopt;
    FixedValue all;
    for (std::size_t i = 0; i < sum->second; ++i) {
      const auto one = of(index, sources[i], depth);
      if (!one || (one->of_parameters && all.of_parameters)) return std::nullopt;
      all.number += one->number;
      all.of_parameters = all.of_parameters || one->of_parameters;
    }
    return all;
  }

  std::span<const Decoded> code_;
  std::uint64_t parameters_;
};

}  // namespace

std::optional<std::size_t> nearest_writer(std::span<const Decoded> code, std::size_t index, const Operand& operand) {
  while (index-- > 0)
    if (writes(code[index], operand)) return index;
  return std::nullopt;
}

std::optional<FixedValue> fixed_value(std::span<const Decoded> code, std::size_t index, const Operand& operand,
                                      std::uint64_t parameters) {
  return Walk(code, parameters).of(index, operand);
}

}  // namespace warpipe::sass
