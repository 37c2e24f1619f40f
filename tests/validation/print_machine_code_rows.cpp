#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "files.hpp"
#include "machine_code_rows.hpp"

/// Prints the rows of kernels_mi300a.csv with their predictions:
///
///     print_machine_code_rows [KERNEL [LISTING ENTRY [CHANGE...]]]
///
/// A change is OLD>NEW, another name of an argument; NAME=VALUE, a further argument; LINE:SHARE, the share of a branch.

namespace warpipe::validation {
namespace {

void change(const std::string& what, isa::Launch& launch) {
  const auto at = what.find_first_of(">=:");
  const auto name = what.substr(0, at), value = what.substr(at + 1);
  if (what[at] == '>') {
    launch.arguments[value] = launch.arguments.at(name);
    launch.arguments.erase(name);
  } else if (what[at] == '=') {
    launch.arguments[name] = value;
  } else {
    launch.taken[name] = std::stod(value);
  }
}

}  // namespace
}  // namespace warpipe::validation

int main(int count, char** given) {
  using namespace warpipe::validation;
  const std::vector<std::string> arguments(given + 1, given + count);
  const auto device = shipped_device("mi300a");
  double sum = 0;
  int rows = 0;
  for (auto row : read_machine_code_rows("kernels_mi300a.csv")) {
    if (!arguments.empty() && arguments[0] != row.kernel) continue;
    if (const char* size = std::getenv("SIZE"); size && row.size != size) continue;
    const auto listing = arguments.size() > 1 ? std::filesystem::path(arguments[1]) : listing_of(row);
    if (arguments.size() > 1) row.launch.taken.clear();
    for (std::size_t i = 3; i < arguments.size(); ++i) change(arguments[i], row.launch);
    const double predicted = predicted_us(row, device, listing, arguments.size() > 2 ? arguments[2] : "");
    const double error = error_percent(row, predicted);
    fmt::print("| {} | {} | {:.1f} | {:.1f} | {:+.1f} |\n", row.kernel, row.size, row.time_us, predicted, error);
    std::fflush(stdout);
    sum += std::abs(error);
    ++rows;
  }
  fmt::print("{} rows, mean |error| {:.1f} %\n", rows, sum / rows);
}
