#include "linked_runtime.hpp"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace warpipe::programs {
namespace {

constexpr std::size_t kJumpBytes = 12, kPage = 4096;

template <class T>
const T* table_at(std::string_view file, std::uint64_t offset, std::uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(file.data() + offset);  // NOLINT: an ELF file is made of these
}

/// The sections of an ELF file of 64 bits; none for any other file.
std::vector<Elf64_Shdr> sections_of(std::string_view file) {
  const auto* const header = table_at<Elf64_Ehdr>(file, 0, 1);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto* const sections = table_at<Elf64_Shdr>(file, header->e_shoff, header->e_shnum);
  if (sections == nullptr) return {};
  return {sections, sections + header->e_shnum};
}

std::string_view text_at(std::string_view file, std::uint64_t offset) {
  const auto text = file.substr(std::min<std::uint64_t>(offset, file.size()));
  return text.substr(0, text.find('\0'));
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  struct stat facts {};
  if (fstat(file, &facts) == 0 && facts.st_size > 0) {
    const auto size = static_cast<std::size_t>(facts.st_size);
    void* const begin = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (begin != MAP_FAILED) text_ = {static_cast<const char*>(begin), size};
  }
  close(file);
}

MappedFile::~MappedFile() {
  if (!text_.empty()) munmap(const_cast<char*>(text_.data()), text_.size());  // NOLINT: as mmap gave it
}

std::vector<Symbol> cuda_symbols(std::string_view file) {
  std::vector<Symbol> found;
  const auto sections = sections_of(file);
  for (const auto& section : sections) {
    if ((section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) || section.sh_link >= sections.size())
      continue;
    const auto count = section.sh_size / sizeof(Elf64_Sym);
    const auto* const symbols = table_at<Elf64_Sym>(file, section.sh_offset, count);
    if (symbols == nullptr) continue;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto name = text_at(file, sections[section.sh_link].sh_offset + symbols[i].st_name);
      if (name.starts_with("cu") || name.starts_with("__cuda") || name.starts_with("warpipe_"))
        found.push_back({name, symbols[i].st_shndx == SHN_UNDEF ? 0 : symbols[i].st_value,
                         ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC});
    }
  }
  return found;
}

bool is_of_runtime(const Symbol& symbol) {
  return symbol.is_function && symbol.address != 0 &&
         (symbol.name.starts_with("cuda") || symbol.name.starts_with("__cuda"));
}

bool has_fat_binary(std::string_view file) {
  const auto* const header = table_at<Elf64_Ehdr>(file, 0, 1);
  const auto sections = sections_of(file);
  if (sections.empty() || header->e_shstrndx >= sections.size()) return false;
  const auto names = sections[header->e_shstrndx].sh_offset;
  return std::ranges::any_of(
      sections, [&](const Elf64_Shdr& one) { return text_at(file, names + one.sh_name).starts_with(".nv_fatbin"); });
}

int version_of_runtime(const std::vector<Symbol>& symbols) {
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(symbols, [&](const Symbol& one) { return is_of_runtime(one) && one.name == name; });
  };
  if (!has("__cudaRegisterFatBinary") && !has("cudaRuntimeGetVersion")) return 0;
  return has("cudaGetDeviceProperties_v2") ? 12 : has("__cudaGetKernel") ? 13 : 11;
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

void end_for_fixed_code() {
  std::fprintf(stderr,
               "warpipe: error: this system does not let the code of a program be changed: link it with "
               "`nvcc -cudart shared`\n");
  std::_Exit(1);
}

}  // namespace warpipe::programs
