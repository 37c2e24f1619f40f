// Redirects libraries into which nvcc has linked its runtime, as jumps.cpp does programs. The loader calls this library
// (LD_AUDIT) for each object that it maps, before any code of the object runs: constructors register kernels. A library
// of its own, which the loader keeps in a namespace of its own.
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include "linked_runtime.hpp"

#define WARPIPE_AUDIT extern "C" __attribute__((visibility("default")))

namespace warpipe::programs {
namespace {

constexpr std::string_view kRuntime = "/libwarpipe_cudart.so";

/// The functions of warpipe's runtime, once the loader has mapped it.
struct Runtime {
  std::map<std::string, const void*, std::less<>> functions;
  int* version_of_libraries = nullptr;
};

Runtime& runtime() {
  static Runtime one;
  return one;
}

const void* place_in(const link_map& object, std::uint64_t address) {
  return reinterpret_cast<const void*>(object.l_addr + address);  // NOLINT: an address
}

void take_runtime(const link_map& object) {
  const MappedFile file(object.l_name);
  for (const auto& one : cuda_symbols(file.text())) {
    if (one.address == 0) continue;
    if (is_of_runtime(one)) runtime().functions.emplace(one.name, place_in(object, one.address));
    if (one.name == "warpipe_runtime_of_libraries")
      runtime().version_of_libraries = static_cast<int*>(const_cast<void*>(place_in(object, one.address)));  // NOLINT
  }
}

void redirect(const link_map& object) {
  const MappedFile file(object.l_name);
  const auto symbols = cuda_symbols(file.text());
  const auto version = version_of_runtime(symbols);
  if (version == 0) {
    const bool uses_another = std::ranges::any_of(symbols, [](const Symbol& one) { return one.address == 0; });
    if (!uses_another && has_fat_binary(file.text()))
      std::fprintf(
          stderr,
          "warpipe: warning: %s has code for GPUs, and CUDA's runtime linked in without its symbols: its calls "
          "of CUDA fail; link it with `nvcc -cudart shared`, or do not strip it\n",
          object.l_name);
    return;
  }
  for (const auto& one : symbols) {
    const auto to = runtime().functions.find(one.name);
    if (!is_of_runtime(one) || to == runtime().functions.end()) continue;
    if (!write_jump(object.l_addr + one.address, to->second)) end_for_fixed_code();
  }
  if (runtime().version_of_libraries != nullptr) *runtime().version_of_libraries = version;
}

}  // namespace
}  // namespace warpipe::programs

WARPIPE_AUDIT unsigned la_version(unsigned loaders) { return std::min<unsigned>(loaders, LAV_CURRENT); }

/// @return 0: the loader reports no calls between objects
WARPIPE_AUDIT unsigned la_objopen(link_map* object, Lmid_t names, std::uintptr_t* /*cookie*/) {
  using namespace warpipe::programs;
  const std::string_view path(object->l_name);
  if (names != LM_ID_BASE || path.empty()) return 0;  // the program itself has no name here
  if (path.ends_with(kRuntime))
    take_runtime(*object);
  else if (!runtime().functions.empty())
    redirect(*object);
  return 0;
}
