#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calls.hpp"

/// Redirects programs into which nvcc has linked its runtime: the runtime's functions lie in the program, under names
/// found only in its table of symbols. A jump to this library's function of the same name is written at the start of
/// each.

namespace warpipe::programs {
namespace {

constexpr std::size_t kJumpBytes = 12, kPage = 4096;

std::string program_text() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::uintptr_t program_base() {
  std::uintptr_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
        return 1;  // the first is the program
      },
      &base);
  return base;
}

/// The version of a loaded library, 0 where it is not loaded.
/// @param name  before its version, "libcudart.so."
int loaded_version(std::string_view name) {
  std::pair found(name, 0);
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        auto& [wanted, version] = *static_cast<decltype(found)*>(to);
        const std::string_view path(info->dlpi_name);
        const auto at = path.rfind(wanted);
        if (at != std::string_view::npos) version = std::atoi(path.data() + at + wanted.size());
        return 0;
      },
      &found);
  return found.second;
}

template <class T>
const T* table_at(const std::string& text, std::uint64_t offset, std::uint64_t count) {
  if (offset > text.size() || count > (text.size() - offset) / sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(text.data() + offset);  // NOLINT: an ELF file is made of these
}

struct Function {
  std::string_view name;
  std::uint64_t address = 0;
};

/// The functions of the program with a prefix of the runtime's names.
std::vector<Function> runtime_functions(const std::string& text) {
  std::vector<Function> found;
  const auto* const header = table_at<Elf64_Ehdr>(text, 0, 1);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return found;
  const auto* const sections = table_at<Elf64_Shdr>(text, header->e_shoff, header->e_shnum);
  if (sections == nullptr) return found;
  for (int i = 0; i < header->e_shnum; ++i) {
    const auto& section = sections[i];
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= header->e_shnum) continue;
    const auto count = section.sh_size / sizeof(Elf64_Sym);
    const auto* const symbols = table_at<Elf64_Sym>(text, section.sh_offset, count);
    const auto& strings = sections[section.sh_link];
    if (symbols == nullptr || strings.sh_offset > text.size()) continue;
    const auto names = std::string_view(text).substr(strings.sh_offset, strings.sh_size);
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto& symbol = symbols[k];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0 || symbol.st_name >= names.size()) continue;
      auto name = names.substr(symbol.st_name);
      name = name.substr(0, name.find('\0'));
      if (name.starts_with("cuda") || name.starts_with("__cuda")) found.push_back({name, symbol.st_value});
    }
  }
  return found;
}

bool write_jump(std::uintptr_t from, const void* to) {
  // movabs $to, %rax; jmp *%rax: no argument is passed in %rax but the number of vector registers of a variadic call
  std::array<unsigned char, kJumpBytes> code{0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
  std::memcpy(code.data() + 2, &to, sizeof to);
  const auto page = from / kPage * kPage;
  const auto size = (from + kJumpBytes - page + kPage - 1) / kPage * kPage;
  auto* const begin = reinterpret_cast<void*>(page);  // NOLINT: an address
  if (mprotect(begin, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  std::memcpy(reinterpret_cast<void*>(from), code.data(), code.size());  // NOLINT: an address
  mprotect(begin, size, PROT_READ | PROT_EXEC);
  return true;
}

/// Whether a program has a section of code for GPUs.
bool has_fat_binary(const std::string& text) {
  const auto* const header = table_at<Elf64_Ehdr>(text, 0, 1);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  const auto* const sections = table_at<Elf64_Shdr>(text, header->e_shoff, header->e_shnum);
  if (sections == nullptr || header->e_shstrndx >= header->e_shnum) return false;
  const auto& names = sections[header->e_shstrndx];
  for (int i = 0; i < header->e_shnum; ++i) {
    const auto at = names.sh_offset + sections[i].sh_name;
    if (at < text.size() && std::string_view(text).substr(at).starts_with(".nv_fatbin")) return true;
  }
  return false;
}

}  // namespace

void* own_function(std::string_view name) {
  Dl_info own{}, of{};
  dladdr(reinterpret_cast<const void*>(&lead_calls_here), &own);
  static void* const library = dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  void* const function = library == nullptr ? nullptr : dlsym(library, std::string(name).c_str());
  if (function == nullptr || dladdr(function, &of) == 0) return nullptr;
  return of.dli_fbase == own.dli_fbase ? function : nullptr;
}

void lead_calls_here() {
  if (std::getenv(kOptionsVariable) == nullptr) return;
  const auto version = loaded_version("libcudart.so.");
  if (version != 0) set_runtime_version(version);
  const auto text = program_text();
  const auto base = program_base();
  std::size_t jumps = 0;
  bool has_second_properties = false, gets_kernels = false;
  for (const auto& [name, address] : runtime_functions(text)) {
    void* const to = own_function(name);
    if (to == nullptr) continue;
    if (!write_jump(base + address, to)) {
      std::fprintf(stderr,
                   "warpipe: error: this system does not let the code of a program be changed: link it with "
                   "`nvcc -cudart shared`\n");
      std::_Exit(1);
    }
    ++jumps;
    has_second_properties = has_second_properties || name == "cudaGetDeviceProperties_v2";
    gets_kernels = gets_kernels || name == "__cudaGetKernel";
  }
  if (jumps > 0) set_runtime_version(has_second_properties ? 12 : gets_kernels ? 13 : 11);
  // A program of the driver alone has no function of the runtime, stripped or not.
  if (jumps == 0 && version == 0 && loaded_version("libcuda.so.") == 0 && has_fat_binary(text)) {
    std::fprintf(stderr,
                 "warpipe: error: this program has CUDA's runtime linked in and is stripped of its symbols: "
                 "link it with `nvcc -cudart shared`, or without `-s`\n");
    std::_Exit(1);
  }
}

namespace {

__attribute__((constructor)) void at_start() { lead_calls_here(); }

}  // namespace
}  // namespace warpipe::programs
