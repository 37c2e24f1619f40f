#include "config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpipe::detail {
namespace {

using enum SimulatedUnit;

/// The places of an op's pair in the options for PTX and for traces.
struct Places {
  std::string_view op;
  SimulatedUnit ptx_unit;
  std::string_view ptx;     ///< "int": -ptx_opcode_latency_int and -ptx_opcode_initiation_int; empty: they have none
  std::size_t place;        ///< in these lists: ADD, MAX, MUL, MAD, DIV, SHFL
  std::string_view traced;  ///< "sp": -trace_opcode_latency_initiation_sp; empty: a routine of several instructions
  SimulatedUnit traced_unit;
};

constexpr std::size_t kAdd = 0, kMultiply = 2, kMultiplyAdd = 3, kDivide = 4, kShuffle = 5;

// Traced machine code: moves, selections, conversions, votes, shuffles and constants count as integer instructions.
constexpr std::array kPlaces{
    Places{"iadd", Int, "int", kAdd, "int", Int},
    Places{"imul", Int, "int", kMultiply, "int", Int},
    Places{"imad", Int, "int", kMultiplyAdd, "int", Int},
    Places{"shift", Int, "", 0, "int", Int},
    Places{"logic", Int, "", 0, "int", Int},
    Places{"compare", Int, "", 0, "int", Int},
    Places{"select", Int, "", 0, "int", Int},
    Places{"convert", Int, "", 0, "int", Int},
    Places{"index", Int, "int", kMultiplyAdd, "int", Int},
    Places{"fadd", Sp, "fp", kAdd, "sp", Sp},
    Places{"fmul", Sp, "fp", kMultiply, "sp", Sp},
    Places{"ffma", Sp, "fp", kMultiplyAdd, "sp", Sp},
    Places{"fdiv", Sfu, "fp", kDivide, "", Sfu},
    Places{"dadd", Dp, "dp", kAdd, "dp", Dp},
    Places{"dmul", Dp, "dp", kMultiply, "dp", Dp},
    Places{"dfma", Dp, "dp", kMultiplyAdd, "dp", Dp},
    Places{"ddiv", Sfu, "dp", kDivide, "", Sfu},
    Places{"hfma", Sp, "", 0, "sp", Sp},
    Places{"rcp", Sfu, "sfu", 0, "sfu", Sfu},
    Places{"rsqrt", Sfu, "sfu", 0, "sfu", Sfu},
    Places{"sqrt", Sfu, "sfu", 0, "sfu", Sfu},
    Places{"sin", Sfu, "sfu", 0, "sfu", Sfu},
    Places{"cos", Sfu, "sfu", 0, "sfu", Sfu},
    Places{"exp2", Sfu, "sfu", 0, "sfu", Sfu},
    Places{"log2", Sfu, "sfu", 0, "sfu", Sfu},
    Places{"shuffle", Int, "int", kShuffle, "int", Int},
    Places{"vote", Int, "", 0, "int", Int},
    Places{"constant.load", Int, "", 0, "int", Int},
    Places{"branch", Branch, "", 0, "branch", Branch},
    Places{"mma", Tensor, "tensor", 0, "tensor", Tensor},
};

/// A unit used in traces for one kind of instruction: `-specialized_unit_3 1,4,32,4,4,TENSOR`.
struct SpecializedUnit {
  std::int64_t number = 0, count = 0;
};

std::optional<SpecializedUnit> specialized_unit(std::string_view name, const ConfigOptions& options) {
  constexpr std::int64_t kMost = 8;
  const auto ending = fmt::format(",{}", name);
  for (std::int64_t number = 1; number <= kMost; ++number) {
    const auto unit = fmt::format("-specialized_unit_{}", number);
    const auto* option = options.find(unit);
    if (option == nullptr || !option->value.ends_with(ending)) continue;
    const auto values = options.numbers(unit, ',', 2, ending);  // enabled, units, ...
    if (values && values->at(0) > 0) return SpecializedUnit{number, static_cast<std::int64_t>(values->at(1))};
  }
  return std::nullopt;
}

std::string reference_of(const ConfigOptions& options, const std::string& name) {
  return fmt::format("{}: {} {}", options.find(name)->where, name, options.find(name)->value);
}

std::string traced_option(const Places& places, const ConfigOptions& options) {
  const std::string_view special = places.traced == "branch" ? "BRA" : places.traced == "tensor" ? "TENSOR" : "";
  if (!special.empty()) {
    if (const auto unit = specialized_unit(special, options))
      return fmt::format("-trace_opcode_latency_initiation_spec_op_{}", unit->number);
  }
  return fmt::format("-trace_opcode_latency_initiation_{}", places.traced);
}

std::optional<OpPair> traced_pair(const Places& places, const ConfigOptions& options) {
  if (places.traced.empty()) return std::nullopt;
  const auto name = traced_option(places, options);
  const auto pair = options.numbers(name, ',', 2);
  if (!pair) return std::nullopt;
  return OpPair{places.op, places.traced_unit, pair->at(0), pair->at(1), reference_of(options, name)};
}

/// The simulator spells its option for latencies of tensor units "tesnor"; the right spelling goes first.
std::string ptx_latency(std::string_view group, const ConfigOptions& options) {
  if (group == "tensor" && options.find("-ptx_opcode_latency_tensor") == nullptr) return "-ptx_opcode_latency_tesnor";
  return fmt::format("-ptx_opcode_latency_{}", group);
}

std::optional<OpPair> ptx_pair(const Places& places, const ConfigOptions& options) {
  if (places.ptx.empty()) return std::nullopt;
  const auto latency_name = ptx_latency(places.ptx, options);
  const auto initiation_name = fmt::format("-ptx_opcode_initiation_{}", places.ptx);
  const bool is_list = places.ptx != "sfu" && places.ptx != "tensor";
  const std::size_t least = is_list ? kDivide + 1 : 1;
  const auto latencies = options.numbers(latency_name, ',', least);
  const auto initiations = options.numbers(initiation_name, ',', least);
  if (!latencies || !initiations || std::min(latencies->size(), initiations->size()) <= places.place)
    return std::nullopt;
  return OpPair{places.op, places.ptx_unit, latencies->at(places.place), initiations->at(places.place),
                reference_of(options, latency_name) + "; " + reference_of(options, initiation_name)};
}

void note_latencies_alone(const ConfigOptions& options, std::vector<std::string>& notes) {
  for (const std::string_view group : {"int", "fp", "dp", "sfu", "tensor"}) {
    const auto latency = ptx_latency(group, options);
    const auto initiation = fmt::format("-ptx_opcode_initiation_{}", group);
    if ((options.find(latency) == nullptr) == (options.find(initiation) == nullptr)) continue;
    notes.push_back(fmt::format("{} and {} make a pair, and only one is there: neither is used", latency, initiation));
  }
}

}  // namespace

UnitCount unit_of(SimulatedUnit unit, const ConfigOptions& options) {
  const auto count = [&](const char* name, std::int64_t standard) { return options.whole(name, 0).value_or(standard); };
  switch (unit) {
    case Int:
      if (const auto units = count("-gpgpu_num_int_units", 0); units > 0) return {"int", units};
      return unit_of(Sp, options);
    case Dp:
      if (const auto units = count("-gpgpu_num_dp_units", 0); units > 0) return {"dp", units};
      return unit_of(Sfu, options);
    case Tensor:
      if (const auto own = specialized_unit("TENSOR", options)) return {"tensor", own->count};
      return {"tensor", count("-gpgpu_num_tensor_core_units", 0)};
    case Branch:
      if (const auto own = specialized_unit("BRA", options)) return {"branch", own->count};
      return {"branch", 0};
    case Sfu:
      return {"sfu", count("-gpgpu_num_sfu_units", 1)};
    case Sp:
      break;
  }
  return {"sp", count("-gpgpu_num_sp_units", 1)};
}

std::vector<OpPair> op_pairs(const ConfigOptions& options, std::vector<std::string>& notes) {
  std::vector<OpPair> pairs;
  for (const auto& places : kPlaces) {
    auto pair = traced_pair(places, options);
    if (!pair) pair = ptx_pair(places, options);
    if (pair) pairs.push_back(std::move(*pair));
  }
  note_latencies_alone(options, notes);
  return pairs;
}

}  // namespace warpipe::detail
