#include "measurements.hpp"

#include "files.hpp"

namespace warpipe::validation {

std::vector<Measurement> read_measurements(const std::string& csv) {
  const auto path = reference_file(csv);
  return read_measurements_csv(read_text(path), path.string(), {});
}

}  // namespace warpipe::validation
