#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "warpipe/isa/program.hpp"
#include "warpipe/sass/module.hpp"

namespace warpipe::sass {

/// The meaning of a constant in a bank: an input, or its upper half if `high`.
struct ConstantInput {
  isa::Input input;
  bool high = false;
};

/// The memory named by a kernel, in the neutral form: parameters and further contents of constant banks, shared memory,
/// the stack, variables.
class KernelMemory {
 public:
  KernelMemory(const Module& module, const Kernel& kernel, isa::Program& program);

  /// @param bytes  4 or 8
  ConstantInput constant(unsigned bank, std::uint64_t offset, int bytes);
  /// The place of a bank for loads at an index: the region, and an addend.
  std::optional<std::pair<std::uint32_t, std::int64_t>> bank_region(unsigned bank, std::uint64_t offset);
  /// The parameter at an offset of bank 0.
  std::optional<std::uint32_t> parameter_at(std::uint64_t offset) const;
  /// A tensor by the address of its map, which is a parameter, in bytes from the first parameter.
  std::optional<isa::Input> tensor_at(std::int64_t bytes);
  /// The place in bank 0 of the address of the parameters; 0: nowhere.
  std::uint64_t parameters_word() const;
  /// The function outside the file with its address at an offset of a bank; empty without one.
  std::string function_at(unsigned bank, std::uint64_t offset) const;
  /// The number subtracted from addresses of shared memory: the size of the system's reserve.
  std::int64_t shared_base() const;

 private:
  isa::Input field(std::uint32_t parameter, std::int64_t offset, int bytes);
  std::optional<isa::Input> launch_word(std::uint64_t offset, int bytes) const;
  ConstantInput of_bytes(unsigned bank, std::uint64_t offset, int bytes);
  std::optional<std::uint32_t> region_of(const std::string& symbol) const;
  std::uint32_t structure_region(std::uint32_t parameter);

  const Module& module_;
  const Kernel& kernel_;
  isa::Program& program_;
  std::map<std::tuple<std::uint32_t, std::int64_t, int>, std::uint32_t> fields_;
  std::map<unsigned, std::uint32_t> banks_;
  std::map<std::uint32_t, std::uint32_t> structures_;
  std::optional<std::uint32_t> stack_;
};

}  // namespace warpipe::sass
