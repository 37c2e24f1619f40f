#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/isa/program.hpp"
#include "warpipe/machine/texture.hpp"

namespace warpipe::machine {

/// A range of the host's memory that kernels may reach.
struct Range {
  std::uint64_t begin = 0, end = 0;  ///< addresses, the end not included
  std::string name;                  ///< of a variable; empty for allocated memory
  std::uint64_t room = 0;            ///< bytes behind the end, outside of any request, that kernels reach nevertheless
};

/// The global memory of kernels: ranges of the host's own memory. A kernel sees the host's addresses, so pointers in
/// structures, in arguments and in memory lead to the right place. All functions may be called from several threads at
/// a time.
class Memory {
 public:
  Memory() = default;
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Allocates zeroed bytes, which take host memory only once they are touched.
  /// @param alignment  bytes, a power of two of at most a page
  /// @return           the address; 0 where the host has too little room
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment = 256, std::string name = {});
  /// Gives back the memory from `allocate`.
  /// @return false where no allocation begins there
  bool free(std::uint64_t address);

  /// Lets kernels reach memory of the host with another owner: managed, mapped or registered memory.
  /// @param room  bytes behind it that a kernel may reach without a fault, as devices check the bounds of memory by
  ///              large pages; the outcome tells of it
  void add(std::uint64_t address, std::uint64_t bytes, std::string name = {}, std::uint64_t room = 0);
  /// Ends the access given by `add`.
  /// @return false where no such range begins there
  bool remove(std::uint64_t address);

  /// Makes the heap of which kernels take memory themselves (`malloc`), unless there is one.
  void make_heap(std::uint64_t bytes);
  /// Memory of the heap, at a multiple of 16 bytes.
  /// @return the address; 0 where the heap has too little room
  std::uint64_t take_of_heap(std::uint64_t bytes);
  /// Gives back the memory from `take_of_heap`.
  /// @return false where none begins there
  bool give_to_heap(std::uint64_t address);

  /// Lets kernels reach texels.
  /// @return the object for it, not 0
  std::uint64_t add_texture(const Texture& texture);
  /// @return false where the object does not exist
  bool remove_texture(std::uint64_t object);
  /// All textures by their objects.
  std::map<std::uint64_t, Texture> textures() const;

  /// The range of an address.
  std::optional<Range> find(std::uint64_t address) const;
  /// All ranges by their addresses.
  std::vector<Range> ranges() const;

 private:
  struct Entry {
    std::uint64_t end = 0;
    std::string name;
    std::uint64_t mapped = 0;  ///< bytes requested from the host; 0: another owner's
    std::uint64_t room = 0;
  };
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Entry> entries_;
  std::uint64_t allocated_ = 0;
  std::map<std::uint64_t, Texture> textures_;
  std::uint64_t next_texture_ = 1;
  std::uint64_t heap_ = 0;                        ///< its address; 0: there is none
  std::map<std::uint64_t, std::uint64_t> taken_;  ///< bytes of the heap in use, by address
  std::map<std::uint64_t, std::uint64_t> left_;   ///< bytes of the heap without a use, by address; no two meet
  std::set<std::pair<std::uint64_t, std::uint64_t>> left_by_size_;  ///< the same: bytes and address
  void add_left(std::uint64_t address, std::uint64_t bytes);
  void remove_left(std::uint64_t address);
};

/// The variables of a module: the variables named by a program in global and constant memory. They live as long as the
/// module, and all its kernels share them.
class Variables {
 public:
  explicit Variables(Memory& memory) : memory_(memory) {}
  ~Variables();
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

  /// Allocates new variables, with their initial values, addresses of variables among them. Regions of other spaces are
  /// left out.
  void add(std::span<const isa::MemoryRegion> regions);
  /// @return the place of a variable, by its name in the program; nothing for an unknown name
  std::optional<Range> find(const std::string& name) const;

 private:
  void fill(const isa::MemoryRegion& region);

  Memory& memory_;
  std::map<std::string, Range> found_;
};

}  // namespace warpipe::machine
