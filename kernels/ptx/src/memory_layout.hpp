#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/ptx/launch.hpp"

namespace warpipe::ptx {

inline constexpr int kArrayShift = 40;  ///< no two arrays share the bits of an address above it

/// Where the variables of a routine lie, and what is known of memory.
class MemoryLayout {
 public:
  MemoryLayout(const Routine& routine, const PtxLaunch& launch, const std::vector<Argument>& arguments);

  /// The address of a variable in its space; nothing for a name that is none.
  std::optional<std::uint64_t> address_of(const std::string& name) const;
  /// What a load yields; nothing where it is not known.
  std::optional<std::uint64_t> load(StateSpace space, std::uint64_t address, Type type) const;

  std::int64_t shared_bytes() const { return shared_; }

 private:
  struct Known {
    std::uint64_t address, bytes;
    const Variable* variable;
  };
  void place(const Variable& variable, std::int64_t dynamic);
  std::optional<std::uint64_t> load_argument(std::uint64_t address, Type type) const;
  const std::vector<Argument>& arguments_;
  std::map<std::string, std::uint64_t, std::less<>> addresses_;
  std::vector<Known> constants_, globals_;
  std::int64_t shared_ = 0, local_ = 0;
  std::uint64_t constant_ = 0, global_ = std::uint64_t{1} << 56;
};

}  // namespace warpipe::ptx
