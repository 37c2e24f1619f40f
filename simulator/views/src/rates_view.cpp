#include "warpipe/views/rates_view.hpp"

#include <fmt/format.h>

#include <iterator>

#include "text_table.hpp"
#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/views/numbers.hpp"

namespace warpipe {
namespace {

using Align = TextTable::Align;

/// Four digits with a metric prefix: "14.13 T".
std::string metric(double number) {
  constexpr const char* kPrefixes[] = {"", " k", " M", " G", " T", " P"};
  std::size_t prefix = 0;
  while (number >= 1000 && prefix + 1 < std::size(kPrefixes)) {
    number /= 1000;
    ++prefix;
  }
  return fmt::format("{:.4g}{}", number, kPrefixes[prefix]);
}

std::string a_second(OpsPerSecond rate) { return rate.count > 0 ? metric(rate.count) + "/s" : std::string(); }
std::string bandwidth_text(BytesPerSecond rate) { return fmt::format("{:.4g} GB/s", rate.count / 1e9); }

std::string peak_table(const DeviceRates& rates) {
  TextTable table({{"Format", Align::Left}, {"peak"}, {"ridge, flop/byte"}});
  for (const FormatPeak& peak : rates.peaks)
    table.add(
        {"  " + to_string(peak.format), a_second(peak.peak), peak.ridge ? fmt::format("{:.2f}", *peak.ridge) : ""});
  return table.text();
}

std::string op_table(const DeviceRates& rates) {
  TextTable table({{"Op", Align::Left}, {"pipeline", Align::Left}, {"a cycle and unit"}, {"lanes"}, {"flops"}});
  for (const OpRate& rate : rates.ops)
    table.add({"  " + rate.op, rate.pipeline,
               rate.warp_instructions_per_cycle > 0 ? fmt::format("{:.4g}", rate.warp_instructions_per_cycle) : "",
               a_second(rate.lanes), a_second(rate.flops)});
  return table.text();
}

std::optional<double> positive(OpsPerSecond rate) { return rate.count > 0 ? std::optional(rate.count) : std::nullopt; }

}  // namespace

std::string write_text(const DeviceRates& rates) {
  std::string text =
      printable(rates.name + (rates.title.empty() ? "" : ", " + rates.title)) + " at " + show_clock(rates.clock) + "\n";
  if (rates.bandwidth) text += "\nBandwidth  " + bandwidth_text(*rates.bandwidth) + "\n";
  if (!rates.peaks.empty()) text += "\n" + peak_table(rates);
  return text + "\n" + op_table(rates);
}

std::string write_json(const DeviceRates& rates) {
  JsonWriter json;
  json.begin_object().member("format", "warpipe-rates").member("version", std::int64_t{1});
  json.member("device", rates.name).member("clock_hz", rates.clock.count);
  json.member("bandwidth_bytes_per_s", rates.bandwidth ? std::optional(rates.bandwidth->count) : std::nullopt);
  json.key("peaks").begin_array();
  for (const FormatPeak& peak : rates.peaks)
    json.begin_object()
        .member("number_format", to_string(peak.format))
        .member("flops_per_s", peak.peak.count)
        .member("ridge_flops_per_byte", peak.ridge)
        .end_object();
  json.end_array().key("ops").begin_array();
  for (const OpRate& rate : rates.ops)
    json.begin_object()
        .member("op", rate.op)
        .member("pipeline", rate.pipeline)
        .member("lane_operations_per_s", rate.lanes.count)
        .member("flops_per_s", positive(rate.flops))
        .end_object();
  json.end_array().end_object();
  return json.text();
}

std::string write_text(const OperatorReport& report) {
  TextTable table({{"", Align::Left}, {"", Align::Left}});
  table.add({"math time", show_time(report.time.math) + " at " + a_second(report.roofs.peak)});
  table.add({"memory time", show_time(report.time.memory) + " at " + bandwidth_text(report.roofs.bandwidth)});
  table.add({"ridge", fmt::format("{:.2f} operations a byte", ridge_point(report.roofs))});
  table.add({"bound by", report.time.memory_bound ? "memory" : "math"});
  table.add({"at least", show_time(report.time.total)});
  if (report.measured)
    table.add({"measured", fmt::format("{}: {} of the peak, {} of the bandwidth, {} of the roofline",
                                       show_time(*report.measured), show_percent(report.use->peak),
                                       show_percent(report.use->bandwidth), show_percent(report.use->roofline))});
  return fmt::format("{}: {} operations, {}B, {:.4g} operations a byte\n\n", report.name,
                     metric(report.cost.operations), metric(report.cost.bytes), intensity(report.cost)) +
         table.text(2);
}

std::string write_json(const OperatorReport& report) {
  const auto of_use = [&](double Utilization::*part) {
    return report.use ? std::optional((*report.use).*part) : std::nullopt;
  };
  JsonWriter json;
  json.begin_object().member("format", "warpipe-operator").member("version", std::int64_t{1});
  json.member("operator", report.name).member("operations", report.cost.operations);
  json.member("bytes", report.cost.bytes).member("operations_per_byte", intensity(report.cost));
  json.member("peak_per_s", report.roofs.peak.count).member("bandwidth_bytes_per_s", report.roofs.bandwidth.count);
  json.member("math_time_s", report.time.math.count).member("memory_time_s", report.time.memory.count);
  json.member("time_s", report.time.total.count).member("bound", report.time.memory_bound ? "memory" : "math");
  json.member("measured_s", report.measured ? std::optional(report.measured->count) : std::nullopt);
  json.member("peak_utilization", of_use(&Utilization::peak));
  json.member("bandwidth_utilization", of_use(&Utilization::bandwidth));
  json.member("roofline_utilization", of_use(&Utilization::roofline));
  json.end_object();
  return json.text();
}

}  // namespace warpipe
