#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// CUDA's runtime as nvcc links it into programs and libraries: its functions lie in their code, under names found in
/// the file's tables of symbols alone.

namespace warpipe::programs {

/// A file in memory, read-only.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view text() const { return text_; }  ///< empty: not readable

 private:
  std::string_view text_;
};

struct Symbol {
  std::string_view name;
  std::uint64_t address = 0;  ///< from the start of the object; 0: of another object
  bool is_function = false;
};

/// The symbols of an ELF file with a name of CUDA or of warpipe, of its tables for linkers and for the loader.
std::vector<Symbol> cuda_symbols(std::string_view file);

/// Whether a symbol is a function of the runtime in its object.
bool is_of_runtime(const Symbol& symbol);

/// Whether a file has a section of code for GPUs.
bool has_fat_binary(std::string_view file);

/// The major version of a runtime, by its functions: 11, 12 or 13; 0 without a runtime among them.
int version_of_runtime(const std::vector<Symbol>& symbols);

/// Writes a jump to the start of a function.
/// @return false where the system does not let code be changed
bool write_jump(std::uintptr_t from, const void* to);

/// Ends the program with a message, where the system does not let code be changed.
[[noreturn]] void end_for_fixed_code();

}  // namespace warpipe::programs
