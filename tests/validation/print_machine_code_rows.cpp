#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "files.hpp"
#include "machine_code_rows.hpp"

/// Prints the rows of kernels_mi300a.csv with their predictions: print_machine_code_rows [KERNEL [LISTING ENTRY]]

int main(int count, char** arguments) {
  using namespace warpipe::validation;
  const std::string_view only = count > 1 ? arguments[1] : "";
  const auto device = shipped_device("mi300a");
  double sum = 0;
  int rows = 0;
  for (const auto& row : read_machine_code_rows("kernels_mi300a.csv")) {
    if (!only.empty() && only != row.kernel) continue;
    const auto listing = count > 2 ? std::filesystem::path(arguments[2]) : validation_file("hip/" + row.kernel + ".s");
    const double predicted = predicted_us(row, device, listing, count > 3 ? arguments[3] : "");
    const double error = error_percent(row, predicted);
    fmt::print("| {} | {} | {:.1f} | {:.1f} | {:+.1f} |\n", row.kernel, row.size, row.time_us, predicted, error);
    std::fflush(stdout);
    sum += std::abs(error);
    ++rows;
  }
  fmt::print("{} rows, mean |error| {:.1f} %\n", rows, sum / rows);
}
