#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>

#include "command_line.hpp"
#include "parts.hpp"
#include "session.hpp"
#include "timing.hpp"

namespace measure {
namespace {

constexpr double kSeconds = 450;  // no part begins later; the program ends within 8 minutes
constexpr double kProbeSeconds = 110;

const std::vector<Part>& parts_of(const CommandLine& line) { return line.probe ? all_probes() : all_parts(); }

void list_parts(const CommandLine& line) {
  for (const Part& part : parts_of(line))
    std::printf("%-15s %3.0f s  %s%s\n", part.name, part.budget_s, part.for_validation ? "validation: " : "",
                part.what);
}

/// Until the clocks are those of a device at work.
void warm_up(const DeviceFacts& device) {
  for (const Budget half_a_second(0.5); !half_a_second.is_spent();) clock_mhz(device);
}

void measure_parts(const CommandLine& line, const std::vector<Part>& parts, std::ostream& out) {
  const DeviceFacts device = device_facts(line.device);
  warm_up(device);
  const double overhead = launch_overhead_us();
  std::fprintf(stderr, "%s, %d units, driver %s, toolkit %s, launch overhead %.2f us\n", device.gpu.c_str(),
               device.units, device.driver.c_str(), device.toolkit.c_str(), overhead);
  const std::string table = line.table.empty() ? table_name(device.gpu) : line.table;
  CsvWriter writer(out, {table, device.gpu, device.driver, device.toolkit, overhead}, line.probe);
  Session session(device, {line.repeats, line.quick}, writer);
  const double seconds = line.probe ? kProbeSeconds : kSeconds;
  const Budget whole(seconds);
  for (const Part& part : parts) {
    if (whole.is_spent()) {
      std::fprintf(stderr, "%-16s not run: all parts together have used %g s\n", part.name, seconds);
      continue;
    }
    session.begin_part(part.name, part.budget_s);
    part.run(session);
    session.end_part();
  }
  if (session.wrong_results() > 0)
    throw std::runtime_error(std::to_string(session.wrong_results()) + " results were wrong; see above");
}

void run(const CommandLine& line) {
  const auto parts = chosen_parts(line.only, parts_of(line));
  if (line.output.empty() || line.output == "-") {
    measure_parts(line, parts, std::cout);
    return;
  }
  std::ofstream file(line.output);
  if (!file) throw std::runtime_error("cannot write to " + line.output);
  measure_parts(line, parts, file);
}

}  // namespace
}  // namespace measure

int main(int argc, char** argv) {
  try {
    const auto line = measure::parse_command_line({argv + 1, argv + argc});
    if (line.help) {
      std::fputs(measure::help_text().c_str(), stdout);
    } else if (line.list) {
      measure::list_parts(line);
    } else {
      measure::run(line);
    }
    return 0;
  } catch (const std::invalid_argument& problem) {
    std::fprintf(stderr, "warpipe-measure: error: %s\n", problem.what());
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "\nwarpipe-measure: error: %s\n", problem.what());
    return 1;
  }
}
