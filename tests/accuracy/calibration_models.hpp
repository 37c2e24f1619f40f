#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "small_models.hpp"
#include "warpipe/accuracy/calibrate.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/latency_tables/table_parameter.hpp"

/// Data of a known table for the tests of calibrating.

namespace warpipe {

/// 1 to 4 independent chains of the op "add".
inline Kernel chains_kernel() {
  std::string body = R"({"id": "a1", "op": "add", "after": ["a1"]})";
  for (int chain = 2; chain <= 4; ++chain) {
    body += fmt::format(R"(, {{"when": "chains >= {0}", "body": [{{"id": "a{0}", "op": "add", "after": ["a{0}"]}}]}})",
                        chain);
  }
  return kernel_file(R"("parameters": {"chains": 1, "trips": 100}, "launch": {"group_size": 32, "groups": 1},)",
                     fmt::format(R"({{"loop": "round", "trip_count": "trips", "body": [{}]}})", body));
}

/// A chain of a load and `adds` additions on its result.
inline Kernel mix_kernel() {
  return kernel_file(R"("parameters": {"adds": 1, "trips": 10}, "launch": {"group_size": 32, "groups": 1},)",
                     R"({"loop": "round", "trip_count": "trips", "body": [
                          {"id": "load", "op": "load", "after": ["a", "load"]},
                          {"loop": "addition", "trip_count": "adds", "body": [
                            {"id": "a", "op": "add", "after": ["load", "a"]}]}]})");
}

/// A unit at 1 GHz with pipelines of their own for "add" (lambda 4, Lambda 24 cycles) and "load" (8, 400).
inline Device known_device() {
  return read_device_json(R"({
    "format": "warpipe-device", "version": 1, "name": "known", "compute_units": 1, "clock_hz": 1e9, "warp_size": 32,
    "limits": {"groups_per_unit": 1, "warps_per_unit": 64},
    "pipelines": {"alu": {}, "lsu": {}, "other": {}},
    "ops": {
      "add": {"pipeline": "alu", "issue": 4, "completion": 24, "source": {"kind": "measured", "reference": "a chain"}},
      "load": {"pipeline": "lsu", "issue": 8, "completion": 400, "per_conflict": {"issue": 1}},
      "unused": {"pipeline": "other", "issue": 1, "completion": 1}}
  })",
                          "known.json");
}

/// The known device with other latencies, as a calibration starts from it.
inline Device wrong_device() {
  Device device = known_device();
  for (const auto& [name, cycles] :
       {std::pair("add.issue", 7.0), std::pair("add.completion", 15.0), std::pair("load.completion", 650.0)}) {
    set_value(parse_fit({name}, device).parameters.at(0), cycles, device);
  }
  return device;
}

/// A launch of a group on the unit.
struct Cell {
  int warps;
  const char* parameter;  ///< of the kernel
  int value;
};

/// All combinations.
inline std::vector<Cell> cells(const std::vector<int>& warps, const char* parameter, const std::vector<int>& values) {
  std::vector<Cell> all;
  for (const int w : warps) {
    for (const int value : values) all.push_back({w, parameter, value});
  }
  return all;
}

/// Cycles by the known table, each row times a factor drawn around 1.
/// @param spread  standard deviation of the factors; 0: none
inline std::vector<Measurement> simulated(const Kernel& kernel, const std::vector<Cell>& cells, double spread,
                                          unsigned seed = 1) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> noise(1, spread);
  std::vector<Measurement> rows;
  for (const Cell& cell : cells) {
    Measurement row;
    row.line = rows.size() + 2;
    row.kernel = kernel.name;
    row.device = "known";
    row.options.group_size = 32 * cell.warps;
    row.options.parameters[cell.parameter] = cell.value;
    const double factor = spread > 0 ? noise(generator) : 1;
    row.value = to_cycles(predict(kernel, known_device(), row.options).cycles).count * factor;
    rows.push_back(row);
  }
  return rows;
}

inline CalibrationRequest request(std::vector<std::string> fit) {
  CalibrationRequest request;
  request.fit = std::move(fit);
  request.measured = "m.csv";
  request.threads = 1;
  return request;
}

/// @param rows  of the kernel
inline Calibration calibrated(const Kernel& kernel, const std::vector<Measurement>& rows,
                              const CalibrationRequest& request) {
  return calibrate(
      rows, [&](const std::string&) { return kernel; }, wrong_device(), request);
}

}  // namespace warpipe
