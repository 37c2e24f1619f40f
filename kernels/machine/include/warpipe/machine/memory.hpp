#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "warpipe/isa/program.hpp"
#include "warpipe/machine/texture.hpp"

namespace warpipe::machine {

/// A range of the host's memory that kernels may reach.
struct Range {
  std::uint64_t begin = 0, end = 0;  ///< addresses, the end not included
  std::string name;                  ///< of a variable; empty for what was allocated
  std::uint64_t room = 0;            ///< bytes behind the end that nobody asked for and kernels reach nevertheless
};

/// What kernels reach as global memory: ranges of the host's own memory. The address that a kernel sees is the host's,
/// so pointers in structures, in arguments and in memory lead where they should. All functions may be called from
/// several threads at a time.
class Memory {
 public:
  Memory() = default;
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Allocates bytes that are zero and take host memory only once they are touched.
  /// @param alignment  bytes, a power of two of at most a page
  /// @return           the address; 0 where the host has no such room
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment = 256, std::string name = {});
  /// Gives back what `allocate` gave.
  /// @return false where no allocation begins there
  bool free(std::uint64_t address);

  /// Lets kernels reach memory of the host that somebody else owns: managed, mapped or registered memory.
  /// @param room  bytes behind it that a kernel may reach without a fault, as devices find out what is outside of
  /// memory
  ///              by large pages; the outcome tells of it
  void add(std::uint64_t address, std::uint64_t bytes, std::string name = {}, std::uint64_t room = 0);
  /// Ends that.
  /// @return false where no such range begins there
  bool remove(std::uint64_t address);

  /// Lets kernels reach texels.
  /// @return the object by which they do, not 0
  std::uint64_t add_texture(const Texture& texture);
  /// @return false where there is no such object
  bool remove_texture(std::uint64_t object);
  /// All of them by their objects.
  std::map<std::uint64_t, Texture> textures() const;

  /// The range that an address lies in.
  std::optional<Range> find(std::uint64_t address) const;
  /// All ranges by their addresses.
  std::vector<Range> ranges() const;

 private:
  struct Entry {
    std::uint64_t end = 0;
    std::string name;
    std::uint64_t mapped = 0;  ///< bytes that the host was asked for; 0: somebody else's
    std::uint64_t room = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Entry> entries_;
  std::uint64_t allocated_ = 0;
  std::map<std::uint64_t, Texture> textures_;
  std::uint64_t next_texture_ = 1;
};

/// The variables of a module: those that a program names in global and constant memory. They live as long as the module
/// does, and all kernels of the module share them.
class Variables {
 public:
  explicit Variables(Memory& memory) : memory_(memory) {}
  ~Variables();
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

  /// Allocates those that are not there yet, with what they hold at first. Regions of other spaces are left out.
  void add(std::span<const isa::MemoryRegion> regions);
  /// @return where a variable is, by its name in the program; nothing where there is none
  std::optional<Range> find(const std::string& name) const;

 private:
  Memory& memory_;
  std::map<std::string, Range> found_;
};

}  // namespace warpipe::machine
