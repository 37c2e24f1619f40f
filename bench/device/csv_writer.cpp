#include "csv_writer.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace measure {
namespace {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

/// "key=value; key=value": the source of the number, for people and for scripts.
std::string source(const RunFacts& facts, const Row& row) {
  return "warpipe-measure: gpu=" + facts.gpu + "; driver=" + facts.driver + "; toolkit=" + facts.toolkit +
         "; clock_mhz=" + number(row.clock_mhz) + "; time_us=" + number(row.time_us) +
         "; repeats=" + std::to_string(row.repeats) + "; spread=" + number(row.spread) +
         "; launch_overhead_us=" + number(facts.launch_overhead_us) +
         (row.probe ? std::string("; probe=") + row.probe->name : "") + "; how=" + row.how;
}

}  // namespace

const std::vector<std::string>& CsvWriter::parameter_columns() {
  static const std::vector<std::string> columns = {
      "chains", "steps", "trips", "conflict_degree",     "stride_bytes", "footprint_bytes",
      "paths",  "alpha", "n",     "elements_per_thread", "stride"};
  return columns;
}

CsvWriter::CsvWriter(std::ostream& out, RunFacts facts, bool of_probes)
    : out_(out), facts_(std::move(facts)), of_probes_(of_probes) {
  out_ << "kernel,device,group_size,groups,concurrent_groups";
  for (const std::string& column : parameter_columns()) out_ << ',' << column;
  out_ << ",cycles" << (of_probes ? ",time_us,includes_overhead,fits" : "") << ",source\n" << std::flush;
}

/// The cells of the measurements.
std::string CsvWriter::measured(const Row& row) const {
  if (!of_probes_) return number(row.cycles);
  const Quantity quantity = row.probe ? row.probe->quantity : Quantity::Cycles;
  const std::string fits = row.probe ? row.probe->fits : "";
  if (quantity == Quantity::Cycles) return number(row.cycles) + ",,," + fits;
  return "," + number(row.time_us) + (quantity == Quantity::TimeWithLaunch ? ",1," : ",0,") + fits;
}

void CsvWriter::write(const Row& row) {
  const auto& columns = parameter_columns();
  for (const auto& [name, value] : row.parameters) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end())
      throw std::logic_error("no column for the parameter " + name + " of " + row.kernel);
  }
  out_ << csv_cell(row.kernel) << ',' << csv_cell(facts_.device) << ',' << row.group_size << ',' << row.groups << ','
       << row.concurrent_groups;
  for (const std::string& column : columns) {
    out_ << ',';
    const auto parameter = row.parameters.find(column);
    if (parameter != row.parameters.end()) out_ << number(parameter->second);
  }
  out_ << ',' << measured(row) << ',' << csv_cell(source(facts_, row)) << '\n' << std::flush;
  if (!out_) throw std::runtime_error("a row could not be written to the output");
  ++rows_;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string table_name(const std::string& gpu) {
  std::string name;
  for (const char c : gpu) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "gpu" : name;
}

}  // namespace measure
