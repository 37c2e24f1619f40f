#include "warpipe/views/rates_view.hpp"

#include <fmt/format.h>

#include <iterator>

#include "warpipe/idg/json_writer.hpp"
#include "warpipe/idg/printable.hpp"
#include "warpipe/views/numbers.hpp"
#include "warpipe/views/text_table.hpp"

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

}  // namespace warpipe
