#include "whole_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <random>

#include "kernel_machine.hpp"

namespace warpipe::test {
namespace {

using Floats = std::vector<float>;
using Argument = WholeKernel::Argument;

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(T));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Argument whole(std::int64_t number) { return {static_cast<std::uint32_t>(number), {}, {}, {}, std::to_string(number)}; }
Argument real(float number) { return {std::bit_cast<std::uint32_t>(number), {}, {}, {}, fmt::format("{}", number)}; }
Argument array(const Floats& content, const Floats& expected = {}) { return {0, bytes_of(content), expected, {}}; }
Argument written(const Floats& expected) { return array(Floats(expected.size(), -7.0F), expected); }

Floats drawn(std::size_t count, unsigned seed, float least = -1, float most = 1) {
  std::mt19937 random(seed);
  Floats numbers(count);
  for (auto& number : numbers)
    number = least + (most - least) * static_cast<float>(random() % 4096) / 4096.0F;  // few digits: sums stay exact
  return numbers;
}

/// out[i] = f(i), in doubles.
template <class F>
Floats made(std::size_t count, const F& f) {
  Floats numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(f(i));
  return numbers;
}

isa::Launch launch(isa::Dimensions block, isa::Dimensions grid, std::int64_t shared = 0) {
  isa::Launch made;
  made.block = block;
  made.grid = grid;
  made.dynamic_shared_memory = shared;
  return made;
}

constexpr double kSums = 2e-5, kFunctions = 2e-4;

void add_saxpy(std::vector<WholeKernel>& all) {
  const std::size_t n = 300;
  const auto x = drawn(n, 1), y = drawn(n, 2);
  const auto result = made(n, [&](std::size_t i) { return 2.5 * x[i] + y[i]; });
  for (const auto& [name, groups] : {std::pair{"saxpy", 2}, std::pair{"saxpy_grid_stride", 1}})
    all.push_back({"saxpy",
                   name,
                   launch({groups == 2 ? 256 : 128, 1, 1}, {groups, 1, 1}),
                   {whole(n), real(2.5F), array(x), array(y, result)},
                   kSums});
}

void add_products(std::vector<WholeKernel>& all) {
  const auto add = [&](const char* name, std::int64_t n, std::int64_t block, std::int64_t tile) {
    const auto size = static_cast<std::size_t>(n);
    const auto a = drawn(size * size, 3), b = drawn(size * size, 4);
    const auto c = made(size * size, [&](std::size_t i) {
      double sum = 0;
      for (std::size_t k = 0; k < size; ++k) sum += double{a[i / size * size + k]} * b[k * size + i % size];
      return sum;
    });
    all.push_back({"mmul",
                   name,
                   launch({block, block, 1}, {n / tile, n / tile, 1}),
                   {whole(n), array(a), array(b), written(c)},
                   kSums});
  };
  add("mmul_naive", 32, 16, 16);
  add("mmul08", 24, 8, 8);
  add("mmul16", 48, 16, 16);
  add("mmul_register_tiled", 64, 16, 64);
  add("mmul_vectorised", 64, 16, 64);
}

void add_reductions(std::vector<WholeKernel>& all) {
  const std::size_t n = 512;
  const auto in = drawn(n, 5);
  const auto out = made(n / 256, [&](std::size_t group) {
    double sum = 0;
    for (std::size_t i = 0; i < 256; ++i) sum += in[group * 256 + i];
    return sum;
  });
  for (const char* name : {"reduce_interleaved", "reduce_sequential", "reduce_shuffle"})
    all.push_back({"reduction", name, launch({256, 1, 1}, {2, 1, 1}, 1024), {array(in), written(out)}, kSums});
}

void add_scans(std::vector<WholeKernel>& all) {
  const std::size_t n = 512;
  const auto in = drawn(n, 6);
  const auto sums = [&](std::size_t of_group, bool inclusive) {
    return made(n, [&](std::size_t i) {
      double sum = 0;
      for (auto k = i / of_group * of_group; k < i + (inclusive ? 1 : 0); ++k) sum += in[k];
      return sum;
    });
  };
  all.push_back(
      {"scan", "scan_inclusive", launch({256, 1, 1}, {2, 1, 1}, 1024), {array(in), written(sums(256, true))}, kSums});
  all.push_back({"scan",
                 "scan_work_efficient",
                 launch({128, 1, 1}, {2, 1, 1}, 1024),
                 {array(in), written(sums(256, false))},
                 kSums});
}

void add_transposes(std::vector<WholeKernel>& all) {
  const std::size_t n = 64;
  const auto in = drawn(n * n, 7);
  const auto out = made(n * n, [&](std::size_t i) { return in[i % n * n + i / n]; });
  for (const auto& [name, rows] :
       {std::pair{"transpose_naive", 8}, std::pair{"transpose_tiled", 8}, std::pair{"transpose_padded", 8},
        std::pair{"transpose_padded_1", 32}, std::pair{"transpose_padded_16", 2}})
    all.push_back({"transpose", name, launch({32, rows, 1}, {2, 2, 1}), {whole(n), array(in), written(out)}, 0});
}

void add_matvec(std::vector<WholeKernel>& all) {
  const std::size_t rows = 37, columns = 75;
  const auto a = drawn(rows * columns, 8), x = drawn(columns, 9);
  const auto y = made(rows, [&](std::size_t row) {
    double sum = 0;
    for (std::size_t k = 0; k < columns; ++k) sum += double{a[row * columns + k]} * x[k];
    return sum;
  });
  const std::vector<Argument> arguments{whole(rows), whole(columns), array(a), array(x), written(y)};
  all.push_back({"matvec", "matvec_row_a_thread", launch({64, 1, 1}, {1, 1, 1}), arguments, kSums});
  all.push_back({"matvec", "matvec_row_a_warp", launch({32, 8, 1}, {5, 1, 1}), arguments, kSums});
}

void add_dot(std::vector<WholeKernel>& all) {
  const std::size_t n = 700, groups = 2, threads = 128;
  const auto x = drawn(n, 10), y = drawn(n, 11);
  const auto partial = made(groups, [&](std::size_t group) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (i / threads % groups == group) sum += double{x[i]} * y[i];
    return sum;
  });
  all.push_back(
      {"dot", "dot", launch({threads, 1, 1}, {groups, 1, 1}), {whole(n), array(x), array(y), written(partial)}, kSums});
}

void add_rows(std::vector<WholeKernel>& all) {
  const std::size_t rows = 3, columns = 300;
  const auto in = drawn(rows * columns, 12), gain = drawn(columns, 13), bias = drawn(columns, 14);
  const auto over_row = [&](std::size_t i, const auto& f) {
    double sum = 0;
    for (std::size_t k = i / columns * columns; k < (i / columns + 1) * columns; ++k) sum += f(in[k]);
    return sum;
  };
  const auto softmax = made(rows * columns, [&](std::size_t i) {
    return std::exp(double{in[i]}) / over_row(i, [](double x) { return std::exp(x); });
  });
  all.push_back({"softmax",
                 "softmax",
                 launch({256, 1, 1}, {rows, 1, 1}),
                 {whole(columns), array(in), written(softmax)},
                 kFunctions});
  const auto norm = made(rows * columns, [&](std::size_t i) {
    const double mean = over_row(i, [](double x) { return x; }) / columns;
    const double squares = over_row(i, [&](double x) { return (x - mean) * (x - mean); });
    return (in[i] - mean) / std::sqrt(squares / columns + 1e-3) * gain[i % columns] + bias[i % columns];
  });
  all.push_back({"layer_norm",
                 "layer_norm",
                 launch({32, 2, 1}, {2, 1, 1}),
                 {whole(rows), whole(columns), real(1e-3F), array(in), array(gain), array(bias), written(norm)},
                 kFunctions});
}

void add_stencils(std::vector<WholeKernel>& all) {
  const auto in = drawn(2 * 256 + 6, 15);
  const double weights[] = {0.4, 0.15, 0.1, 0.05};
  const auto out = made(512, [&](std::size_t i) {
    double sum = weights[0] * in[i + 3];
    for (std::size_t d = 1; d <= 3; ++d) sum += weights[d] * (double{in[i + 3 - d]} + in[i + 3 + d]);
    return sum;
  });
  all.push_back({"stencil", "stencil_1d", launch({256, 1, 1}, {2, 1, 1}), {array(in), written(out)}, kSums});
  const std::size_t width = 50, height = 20;
  const auto plane = drawn(width * height, 16);
  const auto result = made(width * height, [&](std::size_t i) {
    const auto x = i % width, y = i / width;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return double{plane[i]};
    return 0.5 * plane[i] + 0.125 * (double{plane[i - 1]} + plane[i + 1] + plane[i - width] + plane[i + width]);
  });
  all.push_back({"stencil",
                 "stencil_2d",
                 launch({32, 8, 1}, {2, 3, 1}),
                 {whole(width), whole(height), array(plane), written(result)},
                 kSums});
}

void add_nbody(std::vector<WholeKernel>& all) {
  const std::size_t n = 256;
  auto bodies = drawn(4 * n, 17);
  for (std::size_t i = 0; i < n; ++i) bodies[4 * i + 3] = 1 + bodies[4 * i + 3] / 2;
  const auto acceleration = made(4 * n, [&](std::size_t k) {
    if (k % 4 == 3) return 0.0;
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      double distance = 0.25;
      for (std::size_t axis = 0; axis < 3; ++axis)
        distance += std::pow(double{bodies[4 * j + axis]} - bodies[k / 4 * 4 + axis], 2);
      sum += bodies[4 * j + 3] * std::pow(distance, -1.5) * (double{bodies[4 * j + k % 4]} - bodies[k]);
    }
    return sum;
  });
  all.push_back({"nbody",
                 "nbody",
                 launch({256, 1, 1}, {1, 1, 1}),
                 {whole(n), real(0.25F), array(bodies), written(acceleration)},
                 kFunctions});
}

void add_histogram(std::vector<WholeKernel>& all) {
  std::mt19937 random(18);
  std::vector<std::uint32_t> data(900), before(256, 3);
  for (auto& number : data) number = static_cast<std::uint32_t>(random());
  auto bins = before;
  for (const auto number : data) ++bins[number & 255];
  Argument into{0, bytes_of(before), {}, bins};
  all.push_back({"histogram",
                 "histogram",
                 launch({256, 1, 1}, {2, 1, 1}),
                 {whole(900), Argument{0, bytes_of(data), {}, {}}, into},
                 0});
}

void add_bitonic(std::vector<WholeKernel>& all) {
  const std::size_t n = 512, j = 4, k = 16;
  const auto keys = drawn(n, 19);
  auto sorted = keys;
  for (std::size_t i = 0; i < n; ++i) {
    const auto partner = i ^ j;
    if (partner > i && (sorted[i] > sorted[partner]) == ((i & k) == 0)) std::swap(sorted[i], sorted[partner]);
  }
  all.push_back(
      {"bitonic", "bitonic_step", launch({256, 1, 1}, {2, 1, 1}), {array(keys, sorted), whole(j), whole(k)}, 0});
}

double normal(double d) {
  const double k = 1 / (1 + 0.2316419 * std::abs(d));
  const double polynomial =
      k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const double tail = 0.39894228 * std::exp(-0.5 * d * d) * polynomial;
  return d > 0 ? 1 - tail : tail;
}

void add_options(std::vector<WholeKernel>& all) {
  const std::size_t n = 100;
  const auto price = drawn(n, 20, 5, 30), strike = drawn(n, 21, 5, 30), years = drawn(n, 22, 0.25F, 4);
  const double rate = 0.02F, volatility = 0.3F;
  const auto value = [&](std::size_t i, bool call) {
    const double s = price[i], x = strike[i], t = years[i], spread = volatility * std::sqrt(t);
    const double d1 = (std::log(s / x) + (rate + 0.5 * volatility * volatility) * t) / spread, d2 = d1 - spread;
    const double n1 = normal(d1), n2 = normal(d2), discounted = x * std::exp(-rate * t);
    return call ? s * n1 - discounted * n2 : discounted * (1 - n2) - s * (1 - n1);
  };
  all.push_back({"black_scholes",
                 "black_scholes",
                 launch({64, 1, 1}, {2, 1, 1}),
                 {whole(n), real(0.02F), real(0.3F), array(price), array(strike), array(years),
                  written(made(n, [&](std::size_t i) { return value(i, true); })),
                  written(made(n, [&](std::size_t i) { return value(i, false); }))},
                 kFunctions});
}

std::vector<WholeKernel> make_all() {
  std::vector<WholeKernel> all;
  add_saxpy(all);
  add_products(all);
  add_reductions(all);
  add_scans(all);
  add_transposes(all);
  add_matvec(all);
  add_dot(all);
  add_rows(all);
  add_stencils(all);
  add_nbody(all);
  add_histogram(all);
  add_bitonic(all);
  add_options(all);
  return all;
}

std::string difference_of(const KernelMachine& machine, std::uint64_t address, const Argument& argument,
                          double tolerance) {
  const auto found = machine.bytes_at(address, argument.content.size());
  double largest = 1e-30;
  for (const auto number : argument.floats) largest = std::max(largest, std::abs(double{number}));
  for (std::size_t i = 0; i < argument.floats.size(); ++i) {
    float number = 0;
    std::memcpy(&number, found.data() + 4 * i, 4);
    if (!(std::abs(double{number} - argument.floats[i]) <= tolerance * largest))
      return fmt::format("element {} is {}, not {}", i, number, argument.floats[i]);
  }
  for (std::size_t i = 0; i < argument.words.size(); ++i) {
    std::uint32_t number = 0;
    std::memcpy(&number, found.data() + 4 * i, 4);
    if (number != argument.words[i]) return fmt::format("element {} is {}, not {}", i, number, argument.words[i]);
  }
  return {};
}

}  // namespace

const std::vector<WholeKernel>& whole_kernels() {
  static const auto kAll = make_all();
  return kAll;
}

std::string run_whole_kernel(const isa::Program& program, const WholeKernel& kernel) {
  try {
    KernelMachine machine(program);
    std::vector<std::uint64_t> numbers;
    for (const auto& argument : kernel.arguments)
      numbers.push_back(argument.content.empty() ? argument.number : machine.add_array(argument.content));
    machine.run(kernel.launch, numbers);
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
      if (kernel.arguments[i].content.empty()) continue;
      const auto difference = difference_of(machine, numbers[i], kernel.arguments[i], kernel.tolerance);
      if (!difference.empty()) return fmt::format("argument {}: {}", i, difference);
    }
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace warpipe::test
