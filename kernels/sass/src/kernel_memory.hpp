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

/// What a constant of bank 0 or another one is: an input, of which the upper half is meant where `high`.
struct ConstantInput {
  isa::Input input;
  bool high = false;
};

/// The memory that a kernel names, in the form of no language: parameters and what else lies in constant banks, shared
/// memory, the stack, variables.
class KernelMemory {
 public:
  KernelMemory(const Module& module, const Kernel& kernel, isa::Program& program);

  /// @param bytes  4 or 8
  ConstantInput constant(unsigned bank, std::uint64_t offset, int bytes);
  /// Where a bank lies for loads at an index: the region, and what is added to it.
  std::optional<std::pair<std::uint32_t, std::int64_t>> bank_region(unsigned bank, std::uint64_t offset);
  /// The parameter that holds an offset of bank 0.
  std::optional<std::uint32_t> parameter_at(std::uint64_t offset) const;
  /// A tensor by the address of its map, which is a parameter, in bytes from where they begin.
  std::optional<isa::Input> tensor_at(std::int64_t bytes);
  /// Where bank 0 holds the address at which parameters begin; 0: nowhere.
  std::uint64_t parameters_word() const;
  /// The function outside of the file whose address lies at an offset of a bank; empty where there is none.
  std::string function_at(unsigned bank, std::uint64_t offset) const;
  /// What is taken off the addresses of shared memory: the part that the system reserves.
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
