#include "modules.hpp"

#include <elf.h>

#include <cstring>

#include "warpipe/elf/container.hpp"
#include "warpipe/elf/cubin.hpp"
#include "warpipe/ptx/executable.hpp"
#include "warpipe/ptx/read_ptx.hpp"

namespace warpipe::programs {
namespace {

/// Bytes of a file in ELF as far as its headers say.
std::size_t bytes_of_elf(const char* begin) {
  Elf64_Ehdr header;
  std::memcpy(&header, begin, sizeof header);
  auto end = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    const auto* const at = begin + header.e_shoff + std::uint64_t{i} * header.e_shentsize;
    Elf64_Shdr section;
    if (!is_mapped(at, sizeof section)) return 0;
    std::memcpy(&section, at, sizeof section);
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  end = std::max(end, header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize);
  return is_mapped(begin, end) ? end : 0;
}

/// Why a module is not read, as the driver says it.
cuda::Error error_of(const Image& image) {
  const auto kind = elf::kind_of(image.bytes);
  if (kind == elf::Kind::None && image.bytes.find(".version") != std::string_view::npos) return cuda::kInvalidPtx;
  return kind == elf::Kind::FatBinary && image.file.empty() ? cuda::kNoImageForDevice : cuda::kInvalidImage;
}

/// The program's handle of a function or a variable: the address of its name, which the module keeps.
const void* handle_of(Image& module, const std::string& name) { return &*module.names.insert(name).first; }

struct NamedBytes {
  std::string name;
  std::size_t bytes = 0;
};

std::vector<NamedBytes> variables_in(const Image& module) {
  std::vector<NamedBytes> found;
  if (!module.ptx.empty()) {
    for (const auto& region : ptx::variables(ptx::read_ptx(module.ptx, module.file)))
      found.push_back({region.name, static_cast<std::size_t>(region.bytes())});
    return found;
  }
  const auto cubin = elf::read_cubin(module.machine_code, module.file);
  for (const auto& symbol : cubin.object.symbols)
    if (symbol.type == STT_OBJECT && symbol.section != 0) found.push_back({symbol.name, symbol.size});
  return found;
}

}  // namespace

std::optional<std::string_view> module_in_memory(const void* image) {
  if (image == nullptr || !is_mapped(image, 1)) return std::nullopt;
  const auto* const begin = static_cast<const char*>(image);
  if (const auto fat = fat_binary_of(begin); !fat.empty()) return fat;
  const auto start = std::string_view(begin, strnlen(begin, sizeof(Elf64_Ehdr)));
  if (start.starts_with(ELFMAG)) return std::string_view(begin, bytes_of_elf(begin));
  return std::string_view(begin);
}

cuda::Error load_module(Session& session, std::string_view bytes, Image** made) {
  auto& module = session.add_image(bytes);
  session.read(module);
  if (!module.module) {
    session.complain("a module is not loaded: " + module.problem);
    return error_of(module);
  }
  for (const auto& [name, size] : variables_in(module))
    session.add_variable(&module, handle_of(module, name), name.c_str(), size);
  session.modules().insert(*made = &module);
  return cuda::kSuccess;
}

const void* function_of(Session& session, Image& module, const std::string& name) {
  const auto& entries = module.module->entries();
  if (std::ranges::find(entries, name, &isa::Entry::symbol) == entries.end()) return nullptr;
  const auto* const handle = handle_of(module, name);
  if (session.find_kernel(handle) == nullptr) session.add_kernel(&module, handle, name.c_str());
  return handle;
}

Variable* variable_of(Session& session, Image& module, const std::string& name) {
  return module.names.contains(name) ? session.find_variable(handle_of(module, name)) : nullptr;
}

}  // namespace warpipe::programs
