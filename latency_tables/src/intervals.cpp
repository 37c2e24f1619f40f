#include "warpipe/latency_tables/intervals.hpp"

#include <algorithm>

namespace warpipe {
namespace {

/// The factors below and above a number without an interval of its own: the exponential of +-0.02 and so on, spelled
/// out, as the last digit of std::exp differs between C libraries, and between processors.
struct Spread {
  double low = 1, high = 1;
};

Spread spread_of(SourceKind kind) {
  switch (kind) {
    case SourceKind::Given:
      return {};
    case SourceKind::Documented:  // 0.02
      return {0.9801986733067553, 1.0202013400267558};
    case SourceKind::Measured:  // 0.03
    case SourceKind::Fitted:
      return {0.9704455335485082, 1.030454533953517};
    case SourceKind::Published:  // 0.10
    case SourceKind::Derived:
      return {0.9048374180359595, 1.1051709180756477};
    case SourceKind::Carried:  // 0.12
      return {0.8869204367171575, 1.1274968515793757};
    case SourceKind::Simulator:  // 0.20
    case SourceKind::Estimated:
      break;
  }
  return {0.8187307530779818, 1.2214027581601699};
}

}  // namespace

bool has_given_numbers(const Device& device) {
  return std::ranges::any_of(parameters_of(device), [&](const TableParameter& parameter) {
    const Source* source = source_of(parameter, device);
    return source != nullptr && source->kind == SourceKind::Given;
  });
}

Interval interval_of(const TableParameter& parameter, const Device& device) {
  const double value = value_of(parameter, device);
  const Source* source = source_of(parameter, device);
  if (source == nullptr && parameter.key == "clock_hz") return {value, value};
  if (source != nullptr)
    if (const auto own = source->intervals.find(key_of(parameter, device)); own != source->intervals.end())
      if (own->second.low <= value && value <= own->second.high) return own->second;
  const auto [low, high] = spread_of(source == nullptr ? SourceKind::Estimated : source->kind);
  return {value * low, value * high};
}

Device at_pace(Device device, Pace pace) {
  const auto parameters = parameters_of(device);
  std::vector<double> values;
  for (const TableParameter& parameter : parameters) {
    const Interval interval = interval_of(parameter, device);
    values.push_back(is_rate(parameter) == (pace == Pace::Fast) ? interval.high : interval.low);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) set_value(parameters[i], values[i], device);
  return device;
}

}  // namespace warpipe
