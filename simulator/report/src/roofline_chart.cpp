#include "roofline_chart.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "chart.hpp"
#include "shown_time.hpp"
#include "warpipe/predict/launch_work.hpp"
#include "warpipe/views/sweep_curves.hpp"

namespace warpipe {
namespace {

constexpr double kGiga = 1e9;
constexpr double kMargin = 8;  ///< how far the roofs go on beside the launch and the ridges

/// A roof from left to right; a ceiling is set by the launch and not by the device.
struct Roof {
  std::string name;
  double from = 0, from_rate = 0, to = 0, to_rate = 0;  ///< operations a byte, operations per second
  bool is_ceiling = false;
};

struct RooflinePoint {
  double intensity = 0;   ///< operations a byte
  double operations = 0;  ///< of the launch
  double bandwidth = 0;   ///< bytes per second
  double left = 0, right = 0;
};

/// In tera from one tera on.
std::string show_rate(double operations) {
  return operations >= 1e12 ? fmt::format("{:.4g} TFLOP/s", operations / 1e12)
                            : fmt::format("{:.4g} GFLOP/s", operations / kGiga);
}

/// Bytes to and from the memory; 0 where they are not known.
double memory_bytes(const Prediction& prediction) {
  const auto memory = memory_throughput(prediction);
  return memory ? memory->amount * kGiga : 0;
}

/// A cache beyond the units with traffic.
struct CacheRoof {
  std::string name;
  double rate = 0;   ///< bytes per second
  double bytes = 0;  ///< its traffic
};

std::vector<CacheRoof> cache_roofs(const LaunchReport& report) {
  std::vector<CacheRoof> roofs;
  const MemoryTraffic& memory = report.base.memory;
  for (const auto& [name, rate] : report.rates.levels) {
    const auto level = std::ranges::find(memory.levels, name, &MemoryTraffic::Level::name);
    if (level == memory.levels.end()) continue;
    const double bytes = bytes_at(memory, static_cast<std::size_t>(level - memory.levels.begin()));
    if (bytes > 0) roofs.push_back({name, rate.count, bytes});
  }
  return roofs;
}

RooflinePoint roofline_point_of(const LaunchReport& report) {
  const Launch& launch = report.base.launch;
  RooflinePoint place{*launch.flops / memory_bytes(report.base), *launch.flops, report.rates.bandwidth->count, 0, 0};
  double first_ridge = place.intensity, last_ridge = place.intensity;
  for (const auto& peak : report.rates.peaks) {
    first_ridge = std::min(first_ridge, peak.peak.count / place.bandwidth);
    last_ridge = std::max(last_ridge, peak.peak.count / place.bandwidth);
  }
  for (const CacheRoof& cache : cache_roofs(report))
    first_ridge = std::min(first_ridge, place.operations / cache.bytes);
  place.left = first_ridge / kMargin;
  place.right = last_ridge * kMargin;
  return place;
}

std::vector<Roof> roofs_of(const LaunchReport& report, const RooflinePoint& place) {
  double highest = 0;
  for (const auto& peak : report.rates.peaks) highest = std::max(highest, peak.peak.count);
  const double ridge = highest / place.bandwidth;
  std::vector<Roof> roofs{{fmt::format("memory {:.4g} GB/s", place.bandwidth / kGiga), place.left,
                           place.left * place.bandwidth, ridge, highest, false}};
  for (const auto& [name, rate, bytes] : cache_roofs(report))
    roofs.push_back({fmt::format("{} {:.4g} GB/s", name, rate / kGiga), place.left, place.left * rate, highest / rate,
                     highest, false});
  for (const auto& [format, peak, own_ridge] : report.rates.peaks) {
    roofs.push_back({fmt::format("{} {}", to_string(format), show_rate(peak.count)), peak.count / place.bandwidth,
                     peak.count, place.right, peak.count, false});
  }
  const auto latency = to_seconds(latency_bound(report.base), report.base.clock);
  if (latency.count > 0) {
    const double ceiling = place.operations / latency.count;
    roofs.push_back({fmt::format("latency at {} warps {}", report.base.launch.resident_warps, show_rate(ceiling)),
                     place.left, ceiling, place.right, ceiling, true});
  }
  return roofs;
}

Records roof_rows(const std::vector<Roof>& roofs) {
  Records records{{"roof", "intensity", "rate", "ceiling", "shown"}, {}};
  for (const auto& roof : roofs) {
    const auto add = [&](double intensity, double rate) {
      records.rows.push_back({roof.name, intensity, rate / kGiga, std::int64_t{roof.is_ceiling}, show_rate(rate)});
    };
    add(roof.from, roof.from_rate);
    add(roof.to, roof.to_rate);
  }
  return records;
}

Records launch_rows(const RooflinePoint& place, const std::vector<const Prediction*>& predictions) {
  Records records{{"intensity", "rate", "groups", "warps", "shown", "label"}, {}};
  for (const auto* prediction : predictions) {
    if (prediction->time.count <= 0) continue;
    const double rate = place.operations / prediction->time.count;
    records.rows.push_back({place.operations / memory_bytes(*prediction), rate / kGiga,
                            prediction->launch.concurrent_groups.value, prediction->launch.resident_warps,
                            show_rate(rate), show_rate(rate)});
  }
  return records;
}

/// The launch at each cache on its way: as many operations over other bytes.
void add_cache_points(Records& records, const LaunchReport& report) {
  const Prediction& base = report.base;
  const double rate = *base.launch.flops / base.time.count;
  for (const CacheRoof& cache : cache_roofs(report))
    records.rows.push_back({*base.launch.flops / cache.bytes, rate / kGiga, base.launch.concurrent_groups.value,
                            base.launch.resident_warps, show_rate(rate), cache.name});
}

}  // namespace

std::string why_no_roofline(const LaunchReport& report) {
  const Launch& launch = report.base.launch;
  const bool has_levels = !report.base.memory.levels.empty();
  std::vector<std::string> lacks;
  const auto need = [&](bool is_there, const char* lack) {
    if (!is_there) lacks.emplace_back(lack);
  };
  need(launch.flops.value_or(0) > 0, "the kernel has no floating-point operations (work.flops)");
  need(memory_bytes(report.base) > 0,
       has_levels ? "the launch moves no bytes to or from the memory" : "the kernel has no bytes (work.bytes)");
  need(report.rates.bandwidth.has_value(),
       has_levels ? "the device does not say how fast its last level is (read_bytes_per_s in memory.levels)"
                  : "the device does not say how fast its memory is (memory.bandwidth_bytes_per_s)");
  need(!report.rates.peaks.empty(), "the device has no op of floating-point operations (ops.ffma or the like)");
  need(report.base.time.count > 0, "the launch takes no time");
  return fmt::format("{}", fmt::join(lacks, "; "));
}

std::optional<Figure> roofline_figure(const LaunchReport& report) {
  if (!why_no_roofline(report).empty()) return std::nullopt;
  const auto place = roofline_point_of(report);
  const auto roofs = roofs_of(report, place);
  std::vector<const Prediction*> occupancies;
  for (const auto& point : report.occupancies) {
    if (point.prediction) occupancies.push_back(&*point.prediction);
  }
  std::string description =
      fmt::format("Roofline: {} at {:.4g} operations a byte reaches {}. Roofs:", report.base.kernel, place.intensity,
                  show_rate(place.operations / report.base.time.count));
  for (const auto& roof : roofs) description += fmt::format(" {};", roof.name);
  Chart chart("roofline");
  chart.data("roofs", roof_rows(roofs)).data("occupancies", launch_rows(place, occupancies));
  Records launch = launch_rows(place, {&report.base});
  add_cache_points(launch, report);
  chart.data("launch", launch);
  chart.set("/encoding/y/title", "GFLOP/s (log scale)");
  return Figure{Figure::Kind::Chart,
                "roofline",
                "Roofline (GFLOP/s over operations a byte)",
                report.base.memory.accesses.empty()
                    ? "Ring: this launch; grey: other occupancies. Dashed: what the latencies alone allow at this "
                      "occupancy. Operations and bytes are those that the kernel file says."
                    : "Rings: this launch, over the bytes that the memory moves, and by the name of a cache over those "
                      "that this one moves; grey: other occupancies. Dashed: what the latencies alone allow at this "
                      "occupancy. Operations are those that the kernel file says.",
                description,
                chart.text(description)};
}

}  // namespace warpipe
