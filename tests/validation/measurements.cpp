#include "measurements.hpp"

#include "files.hpp"

namespace warpipe::validation {

std::vector<Measurement> read_measurements(const std::string& csv, std::size_t every) {
  const auto path = validation_file("reference/" + csv);
  const std::vector<Measurement> rows = read_measurements_csv(read_text(path), path.string(), {});
  std::vector<Measurement> taken;
  for (std::size_t i = 0; i < rows.size(); i += every) taken.push_back(rows[i]);
  return taken;
}

}  // namespace warpipe::validation
