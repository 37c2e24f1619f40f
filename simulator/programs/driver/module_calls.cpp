#include <fstream>
#include <iterator>

#include "../src/modules.hpp"
#include "calls.hpp"

namespace warpipe::programs {
namespace {

using namespace cuda;

Error load(Needs needs, void** handle, std::optional<std::string_view> bytes) {
  return drive(needs, [&](Session& session) {
    if (handle == nullptr || !bytes) return kInvalidValue;
    Image* made = nullptr;
    const auto error = load_module(session, *bytes, &made);
    return error != kSuccess ? error : put(handle, static_cast<void*>(made));
  });
}

Error load_from_memory(Needs needs, void** handle, const void* image) {
  return load(needs, handle, module_in_memory(image));
}

Error load_file(Needs needs, void** handle, const char* path) {
  if (path == nullptr) return kInvalidValue;
  std::ifstream file(path, std::ios::binary);
  if (!file) return kFileNotFound;
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return load(needs, handle, text);
}

/// A call about a loaded module.
template <class Body>
Error drive_of(Needs needs, void* handle, Body&& body) {
  return drive(needs, [&](Session& session) {
    auto* const module = static_cast<Image*>(handle);
    return session.modules().contains(module) ? body(session, *module) : kInvalidHandle;
  });
}

Error unload(Needs needs, void* handle) {
  return drive_of(needs, handle, [](Session& session, Image& module) {
    module.is_unloaded = true;
    session.modules().erase(&module);
    return kSuccess;
  });
}

Error get_function(Needs needs, const void** function, void* handle, const char* name) {
  if (function == nullptr || name == nullptr) return kInvalidValue;
  return drive_of(needs, handle, [&](Session& session, Image& module) {
    const auto* const found = function_of(session, module, name);
    return found == nullptr ? kNotFound : put(function, found);
  });
}

Error get_variable(Needs needs, void** pointer, std::size_t* bytes, void* handle, const char* name) {
  if (name == nullptr) return kInvalidValue;
  return drive_of(needs, handle, [&](Session& session, Image& module) {
    auto* const variable = variable_of(session, module, name);
    if (variable == nullptr) return kNotFound;
    if (bytes != nullptr) *bytes = variable->bytes;
    if (pointer != nullptr) *pointer = session.address_of(*variable);
    return kSuccess;
  });
}

}  // namespace

// ---- modules ----

WARPIPE_CALL Error cuModuleLoad(void** handle, const char* path) { return load_file(Needs::Context, handle, path); }
WARPIPE_CALL Error cuModuleLoadData(void** handle, const void* image) {
  return load_from_memory(Needs::Context, handle, image);
}
WARPIPE_ALSO(cuModuleLoadFatBinary, cuModuleLoadData);
WARPIPE_CALL Error cuModuleLoadDataEx(void** handle, const void* image, unsigned /*options*/, int* /*names*/,
                                      void** /*values*/) {
  return load_from_memory(Needs::Context, handle, image);
}
WARPIPE_CALL Error cuModuleUnload(void* handle) { return unload(Needs::Context, handle); }
WARPIPE_CALL Error cuModuleGetFunction(const void** function, void* handle, const char* name) {
  return get_function(Needs::Context, function, handle, name);
}
WARPIPE_CALL Error cuModuleGetGlobal_v2(void** pointer, std::size_t* bytes, void* handle, const char* name) {  // NOLINT
  return get_variable(Needs::Context, pointer, bytes, handle, name);
}
WARPIPE_CALL Error cuModuleGetLoadingMode(int* mode) {
  constexpr int kEager = 1;
  return drive(Needs::Init, [&](Session&) { return put(mode, kEager); });
}

// ---- libraries: modules of no context ----

WARPIPE_CALL Error cuLibraryLoadData(void** handle, const void* image) {
  return load_from_memory(Needs::Init, handle, image);
}
WARPIPE_CALL Error cuLibraryLoadFromFile(void** handle, const char* path) {
  return load_file(Needs::Init, handle, path);
}
WARPIPE_CALL Error cuLibraryUnload(void* handle) { return unload(Needs::Init, handle); }
WARPIPE_CALL Error cuLibraryGetModule(void** module, void* handle) {
  return drive_of(Needs::Context, handle, [&](Session&, Image&) { return put(module, handle); });
}
WARPIPE_CALL Error cuLibraryGetKernel(const void** kernel, void* handle, const char* name) {
  return get_function(Needs::Init, kernel, handle, name);
}
WARPIPE_CALL Error cuLibraryGetGlobal(void** pointer, std::size_t* bytes, void* handle, const char* name) {
  return get_variable(Needs::Init, pointer, bytes, handle, name);
}

}  // namespace warpipe::programs
