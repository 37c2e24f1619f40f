#include "warpipe/latency_tables/derive_device.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

[[noreturn]] void refuse(const char* field, std::string problem, std::string advice) {
  throw ModelError(Diagnostic{fmt::format("`{}`", field), std::move(problem), "", std::move(advice)});
}

/// @param method  how a number was found that is not carried over; may be empty
void carry_over(std::optional<Source>& source, const std::string& from, const std::string& method = {}) {
  Source carried = source.value_or(Source{});
  carried.reference = carried.reference.empty() ? fmt::format("carried over from {}", from)
                                                : fmt::format("carried over from {}: {}", from, carried.reference);
  if (source) carried.reference += fmt::format(" ({})", to_string(source->kind));
  carried.kind = SourceKind::Estimated;
  if (!method.empty())
    carried.method = carried.method.empty() ? method : method + "; the rest as there: " + carried.method;
  source = carried;
}

void scale(std::optional<BytesPerSecond>& rate, double factor) {
  if (rate) rate->count *= factor;
}

/// @return how the rates were found
std::string set_bandwidth(MemoryLevel& memory, BytesPerSecond pins, const Device& base) {
  if (!memory.pin_rate || !memory.read_rate)
    refuse("bandwidth", fmt::format("the memory of {} has no rate, or none of its pins, to compare with", base.name),
           "give its last level \"read_bytes_per_s\" and \"pin_bytes_per_s\"");
  const double factor = pins.count / memory.pin_rate->count;
  std::string method = fmt::format("rates: the same part of the pin rate, {:.4g} GB/s, as on {}, {:.3g}",
                                   pins.count / 1e9, base.name, memory.read_rate->count / memory.pin_rate->count);
  scale(memory.read_rate, factor);
  scale(memory.write_rate, factor);
  scale(memory.mixed_rate, factor);
  memory.pin_rate = pins;
  return method;
}

std::string set_bytes(MemoryLevel& l2, std::int64_t bytes, const Device& base) {
  const double factor = static_cast<double>(bytes) / static_cast<double>(*l2.bytes);
  std::string method = fmt::format("rates: of {}, by the bytes, {} / {}", base.name, bytes, *l2.bytes);
  scale(l2.read_rate, factor);
  scale(l2.write_rate, factor);
  scale(l2.mixed_rate, factor);
  l2.bytes = bytes;
  return method;
}

void derive_memory(Memory& memory, const DataSheet& sheet, const Device& base) {
  const auto l2 = std::ranges::find(memory.levels, "l2", &MemoryLevel::name);
  if (sheet.l2_bytes && (l2 == memory.levels.end() || !l2->bytes))
    refuse("l2_bytes", fmt::format("{} has no cache \"l2\"", base.name), "leave it out");
  for (MemoryLevel& level : memory.levels) {
    std::string method;
    if (sheet.l2_bytes && &level == &*l2) method = set_bytes(level, *sheet.l2_bytes, base);
    if (sheet.bandwidth && &level == &memory.levels.back()) method = set_bandwidth(level, *sheet.bandwidth, base);
    carry_over(level.source, base.name, method);
  }
}

}  // namespace

Device derive_device(const Device& base, const DataSheet& sheet) {
  if (!has_levels(base))
    refuse("base",
           fmt::format("the memory of {} has no levels, so its latencies would change with the clock", base.name),
           "choose a device with \"levels\"");
  Device device = base;
  device.name = sheet.name;
  device.title = sheet.title.empty() ? fmt::format("{}, from its data sheet and the table of {}", sheet.name, base.name)
                                     : sheet.title;
  device.compute_units = sheet.units.value_or(base.compute_units);
  device.clock = sheet.clock.value_or(base.clock);
  derive_memory(*device.memory, sheet, base);
  for (Op& op : device.ops) carry_over(op.source, base.name);
  return device;
}

}  // namespace warpipe
