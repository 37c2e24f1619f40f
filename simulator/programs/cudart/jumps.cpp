#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "calls.hpp"
#include "linked_runtime.hpp"

/// Redirects programs into which nvcc has linked its runtime: a jump to this library's function of the same name is
/// written at the start of each function of the runtime. libraries.cpp does the same for libraries.

namespace warpipe::programs {
namespace {

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
  const MappedFile file("/proc/self/exe");
  const auto base = program_base();
  const auto symbols = cuda_symbols(file.text());
  const auto linked_in = version_of_runtime(symbols);
  for (const auto& symbol : symbols) {
    void* const to = linked_in != 0 && is_of_runtime(symbol) ? own_function(symbol.name) : nullptr;
    if (to != nullptr && !write_jump(base + symbol.address, to)) end_for_fixed_code();
  }
  if (linked_in != 0) set_runtime_version(linked_in);
  // A program of the driver alone has no function of the runtime, stripped or not.
  if (linked_in == 0 && version == 0 && loaded_version("libcuda.so.") == 0 && has_fat_binary(file.text())) {
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
