#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace warpipe::programs {

/// The side with access to an allocation, as a program asked for it.
enum class Place { Device, Host, Managed, Registered, Variable };

struct Allocation {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  Place place = Place::Device;
  std::uintptr_t end() const { return begin + bytes; }
};

/// The memory of a simulated device: addresses of this process. The system gives a page at its first write, so an
/// allocation costs only the memory in use. A page behind each allocation cannot be reached; memory of the device fills
/// pages of 2 MiB before it, as on a device.
class Memory {
 public:
  /// @param capacity  bytes of device and managed memory together
  explicit Memory(std::uint64_t capacity) : capacity_(capacity) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// @return zeroes, from a multiple of 4096 on; null where there is not as much
  void* allocate(std::size_t bytes, Place place);
  /// Makes memory of another owner known: host memory reached by the device, or a variable.
  /// @return false where some of it is known already
  bool add(const void* begin, std::size_t bytes, Place place = Place::Registered);
  /// @param begin  the first address of an allocation
  /// @return       false where no allocation of this place begins there
  bool release(const void* begin, Place place);

  /// The allocation around an address; nothing where there is none.
  std::optional<Allocation> find(const void* address) const;
  /// The allocations, by their first addresses.
  const std::map<std::uintptr_t, Allocation>& all() const { return all_; }

  /// Bytes behind an allocation that kernels reach without an error.
  static std::size_t room_behind(std::size_t bytes, Place place);

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }

 private:
  std::map<std::uintptr_t, Allocation> all_;
  std::uint64_t capacity_, used_ = 0;
};

/// Whether a process has pages at all of these addresses.
bool is_mapped(const void* begin, std::size_t bytes);

}  // namespace warpipe::programs
