#include "measurements.hpp"

#include <map>
#include <tuple>

#include "files.hpp"

namespace warpipe::validation {

std::vector<Measurement> read_measurements(const std::string& csv, std::size_t every) {
  const auto path = validation_file("reference/" + csv);
  const std::vector<Measurement> rows = read_measurements_csv(read_text(path), path.string(), {});
  std::vector<Measurement> taken;
  for (std::size_t i = 0; i < rows.size(); i += every) taken.push_back(rows[i]);
  return taken;
}

const Accuracy& shipped_accuracy(const std::string& csv, std::size_t every, std::optional<Hertz> clock) {
  static std::map<std::tuple<std::string, std::size_t, double>, Accuracy> scored;
  const auto [place, is_new] = scored.try_emplace({csv, every, clock.value_or(Hertz{}).count});
  if (is_new) {
    LaunchOptions options;
    options.clock = clock;
    place->second = score(read_measurements(csv, every), shipped_kernel, shipped_device, options, 0);
  }
  return place->second;
}

}  // namespace warpipe::validation
