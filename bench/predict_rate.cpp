// Prints the seconds that 10,000 predictions of small launches take, on all cores: what bench/python_rate.py is held
// to.
#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "warpipe/warpipe.hpp"

int main() {
  const warpipe::Predictor predictor(warpipe::read_kernel("saxpy"), warpipe::open_device("gtx1060"));
  const auto begin = std::chrono::steady_clock::now();
  std::vector<warpipe::LaunchOptions> options(10'000);
  for (std::size_t i = 0; i < options.size(); ++i) options[i].groups = static_cast<std::int64_t>(i % 50 + 1);
  const auto attempts = predictor.predict_all(options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  double sum = 0;
  for (const auto& attempt : attempts) sum += attempt.prediction->time.count;
  fmt::print("{} {}\n", seconds.count(), sum);
}
