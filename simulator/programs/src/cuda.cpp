#include "cuda.hpp"

#include <algorithm>
#include <array>

namespace warpipe::programs::cuda {
namespace {

struct Row {
  Error error;
  const char* name;
  const char* text;
};

constexpr std::array kRows{
    Row{0, "cudaSuccess", "no error"},
    Row{1, "cudaErrorInvalidValue", "invalid argument"},
    Row{2, "cudaErrorMemoryAllocation", "out of memory"},
    Row{3, "cudaErrorInitializationError", "initialization error"},
    Row{9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    Row{12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    Row{13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    Row{17, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    Row{20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor"},
    Row{21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    Row{52, "cudaErrorMissingConfiguration", "__global__ function call is not configured"},
    Row{98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    Row{100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    Row{101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    Row{200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    Row{209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device"},
    Row{215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture"},
    Row{400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    Row{500, "cudaErrorSymbolNotFound", "named symbol not found"},
    Row{600, "cudaErrorNotReady", "device not ready"},
    Row{700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    Row{701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    Row{702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    Row{704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    Row{705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    Row{710, "cudaErrorAssert", "device-side assert triggered"},
    Row{712, "cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped"},
    Row{713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region"},
    Row{715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    Row{716, "cudaErrorMisalignedAddress", "misaligned address"},
    Row{719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    Row{720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    Row{801, "cudaErrorNotSupported", "operation not supported"},
    Row{900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"},
    Row{901, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"},
    Row{903, "cudaErrorStreamCaptureUnmatched", "capture was not initiated in this stream"},
    Row{999, "cudaErrorUnknown", "unknown error"},
};

const Row* find(Error error) {
  const auto* const found = std::ranges::find(kRows, error, &Row::error);
  return found == kRows.end() ? nullptr : found;
}

}  // namespace

const char* name_of(Error error) {
  const auto* const row = find(error);
  return row == nullptr ? "unrecognized error code" : row->name;
}

const char* text_of(Error error) {
  const auto* const row = find(error);
  return row == nullptr ? "unrecognized error code" : row->text;
}

}  // namespace warpipe::programs::cuda
