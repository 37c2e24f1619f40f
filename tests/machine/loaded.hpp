#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "warpipe/machine/machine.hpp"
#include "warpipe/ptx/module.hpp"

namespace warpipe::test {

/// Bytes of arguments as a kernel's parameters lie.
template <class... T>
std::vector<std::byte> arguments(const T&... all) {
  std::vector<std::byte> bytes;
  const auto add = [&](const auto& one) {
    while (bytes.size() % alignof(std::remove_cvref_t<decltype(one)>) != 0) bytes.emplace_back();
    const auto at = bytes.size();
    bytes.resize(at + sizeof(one));
    std::memcpy(bytes.data() + at, &one, sizeof(one));
  };
  (add(all), ...);
  return bytes;
}

/// The kernels of programs.ptx, with memory of their own.
class Loaded {
 public:
  Loaded();

  /// A copy of numbers in the memory of kernels.
  template <class T>
  T* array(const std::vector<T>& numbers) {
    auto* const place = reinterpret_cast<T*>(memory.allocate(numbers.size() * sizeof(T)));
    if (!numbers.empty()) std::memcpy(place, numbers.data(), numbers.size() * sizeof(T));
    return place;
  }

  template <class... T>
  machine::Outcome run(const std::string& kernel, std::int64_t grid, std::int64_t block, const T&... all) {
    return run_in(kernel, {grid, 1, 1}, {block, 1, 1}, all...);
  }
  template <class... T>
  machine::Outcome run_in(const std::string& kernel, isa::Dimensions grid, isa::Dimensions block, const T&... all) {
    machine::Launch launch;
    launch.grid = grid;
    launch.block = block;
    launch.arguments = arguments(all...);
    return machine(kernel).run(launch, memory, effort, recorder);
  }
  machine::Machine machine(const std::string& kernel) const;

  machine::Memory memory;
  machine::Variables variables{memory};
  machine::Effort effort;
  machine::LoadRecorder* recorder = nullptr;
};

/// tests/machine/programs.ptx.
const ptx::Module& programs();

}  // namespace warpipe::test
