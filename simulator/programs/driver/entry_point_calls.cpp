#include <algorithm>
#include <array>
#include <string>

#include "calls.hpp"

/// Functions of the driver by their names, for a version of CUDA.

namespace warpipe::programs {
namespace {

using namespace cuda;

struct Form {
  std::string_view name;
  int since;  ///< 12050: version 12.5
  std::string_view suffix;
};

/// The forms of functions by their first versions, for functions whose form changed during the lifetime of programs in
/// use; further functions have the second form, where it exists.
constexpr std::array kForms{Form{"cuCtxCreate", 12050, "_v4"},
                            Form{"cuCtxCreate", 11040, "_v3"},
                            Form{"cuCtxCreate", 0, "_v2"},
                            Form{"cuGetProcAddress", 12000, "_v2"},
                            Form{"cuGetProcAddress", 0, ""},
                            Form{"cuStreamGetCtx", 12050, "_v2"},
                            Form{"cuStreamGetCtx", 0, ""},
                            Form{"cuStreamGetCaptureInfo", 12030, "_v3"},
                            Form{"cuStreamGetCaptureInfo", 0, "_v2"},
                            Form{"cuTexRefSetAddress2D", 0, "_v3"},
                            Form{"cuGraphInstantiate", 0, "WithFlags"}};

constexpr int kSymbolIsFound = 0, kSymbolIsNotFound = 1;

void* entry_point(const std::string& name, int version) {
  if (!name.starts_with("cu") || name.starts_with("cuda")) return nullptr;
  const auto* const form =
      std::ranges::find_if(kForms, [&](const Form& one) { return one.name == name && version >= one.since; });
  if (form != kForms.end()) return own_function(name + std::string(form->suffix));
  void* const second = own_function(name + "_v2");
  return second != nullptr ? second : own_function(name);
}

Error find_entry_point(const char* name, void** function, int version, int* status) {
  if (name == nullptr || function == nullptr) return kInvalidValue;
  *function = entry_point(name, version);
  if (status != nullptr) *status = *function != nullptr ? kSymbolIsFound : kSymbolIsNotFound;
  return kSuccess;
}

}  // namespace

WARPIPE_CALL Error cuGetProcAddress(const char* name, void** function, int version, std::uint64_t /*flags*/) {
  return find_entry_point(name, function, version, nullptr);
}
WARPIPE_CALL Error cuGetProcAddress_v2(const char* name, void** function, int version,  // NOLINT: its name
                                       std::uint64_t /*flags*/, int* status) {
  return find_entry_point(name, function, version, status);
}
/// Tables of functions without a public reference. Libraries of NVIDIA ask for them: NVRTC does without, other
/// libraries do not start.
WARPIPE_CALL Error cuGetExportTable(const void** table, const void* /*id*/) {
  return drive(Needs::Nothing, [&](Session& session) {
    session.complain(
        "a library asks for a table of CUDA's driver that no reference describes (cuGetExportTable), and gets none");
    if (table != nullptr) *table = nullptr;
    return kNotFound;
  });
}
WARPIPE_CALL Error cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                                    std::uint64_t /*flags*/, int* status) {
  return answer([&](Session&) { return find_entry_point(name, function, static_cast<int>(version), status); });
}
WARPIPE_ALSO(cudaGetDriverEntryPointByVersion_ptsz, cudaGetDriverEntryPointByVersion);
WARPIPE_CALL Error cudaGetDriverEntryPoint(const char* name, void** function, std::uint64_t /*flags*/, int* status) {
  return answer([&](Session&) { return find_entry_point(name, function, runtime_version() * 1000, status); });
}
WARPIPE_ALSO(cudaGetDriverEntryPoint_ptsz, cudaGetDriverEntryPoint);

}  // namespace warpipe::programs
