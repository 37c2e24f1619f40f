#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "files.hpp"
#include "machine_code_rows.hpp"
#include "mean_error.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/sass/import.hpp"
#include "warpipe/sass/read_cubin.hpp"

/// T6: Coulomb summation as machine code of sm_75, against measurements on a GTX 1070, which runs other code: rows are
/// told apart by where the sums of a thread lie there and here, and held to "coulomb3d_machine_code" of
/// budget_slow.json.

namespace warpipe::validation {
namespace {

double error_of(const MachineCodeRow& row, const sass::Module& module, const Device& device) {
  isa::ImportOptions options;
  options.entry = row.kernel;
  options.launch = row.launch;
  const auto prediction = predict(sass::import_cubin(module, options).kernel, device, {});
  return error_percent(row, 1e6 * (device.launch_overhead.count + prediction.time.count));
}

TEST(Coulomb3dOnGtx1070, KeepsItsBudgets) {
  const auto set = nlohmann::json::parse(read_text(validation_file(WARPIPE_BUDGET))).at("coulomb3d_machine_code");
  const auto device = shipped_device("gtx1070");
  const auto module = sass::read_cubin(read_text(validation_file("cuda/coulomb3d.cubin")), "coulomb3d.cubin");
  const auto rows = read_machine_code_rows(set.at("csv"));
  ASSERT_EQ(rows.size(), 210U) << "no row is dropped";
  std::map<std::string, MeanError> parts;
  for (std::size_t i = 0; i < rows.size(); i += set.at("every").get<std::size_t>()) {
    const auto here = module.find(rows[i].kernel).stack;
    parts[std::string(rows[i].stack_bytes > 0 ? "stack" : "registers") + ", " + (here > 0 ? "stack" : "registers")].add(
        error_of(rows[i], module, device));
  }
  ASSERT_EQ(parts.size(), set.at("budgets").size());
  for (const auto& budget : set.at("budgets")) {
    const std::string name = budget.at("sums_there_and_here");
    SCOPED_TRACE(name);
    expect_within(parts.at(name), budget);
  }
}

}  // namespace
}  // namespace warpipe::validation
