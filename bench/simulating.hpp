#pragma once

#include <benchmark/benchmark.h>

#include "warpipe/engine/simulate.hpp"

namespace warpipe {

/// Simulates a program again and again; counts issued warp instructions per second and the time of one, skipped ones
/// included.
inline void simulate_repeatedly(benchmark::State& state, const Program& program, Skipping skipping) {
  std::int64_t issued = 0;
  for (auto _ : state) issued += simulate(program, skipping).issued;
  const auto count = static_cast<double>(issued);
  state.counters["instructions"] = benchmark::Counter(count, benchmark::Counter::kIsRate);
  state.counters["an_instruction"] =
      benchmark::Counter(count, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace warpipe
