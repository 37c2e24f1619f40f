#include "warpipe/latency_tables/intervals.hpp"

#include <cmath>

namespace warpipe {
namespace {

/// Half of the interval of a number without one of its own, of its logarithm.
double half_width(SourceKind kind) {
  switch (kind) {
    case SourceKind::Documented:
      return 0.02;
    case SourceKind::Measured:
    case SourceKind::Fitted:
      return 0.03;
    case SourceKind::Published:
    case SourceKind::Derived:
      return 0.10;
    case SourceKind::Carried:
      return 0.12;
    case SourceKind::Simulator:
    case SourceKind::Estimated:
      break;
  }
  return 0.20;
}

}  // namespace

Interval interval_of(const TableParameter& parameter, const Device& device) {
  const double value = value_of(parameter, device);
  const Source* source = source_of(parameter, device);
  if (source == nullptr && parameter.kind == TableParameter::Kind::Clock) return {value, value};
  if (source != nullptr)
    if (const auto own = source->intervals.find(key_of(parameter, device)); own != source->intervals.end())
      if (own->second.low <= value && value <= own->second.high) return own->second;
  const double half = half_width(source == nullptr ? SourceKind::Estimated : source->kind);
  return {value * std::exp(-half), value * std::exp(half)};
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
