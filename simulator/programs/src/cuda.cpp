#include "cuda.hpp"

#include <algorithm>
#include <array>

namespace warpipe::programs::cuda {
namespace {

struct Row {
  Error error;
  const char* name;
  const char* text;
  const char* driver_name;  ///< null: an error of the runtime alone
};

constexpr std::array kRows{
    Row{0, "cudaSuccess", "no error", "CUDA_SUCCESS"},
    Row{1, "cudaErrorInvalidValue", "invalid argument", "CUDA_ERROR_INVALID_VALUE"},
    Row{2, "cudaErrorMemoryAllocation", "out of memory", "CUDA_ERROR_OUT_OF_MEMORY"},
    Row{3, "cudaErrorInitializationError", "initialization error", "CUDA_ERROR_NOT_INITIALIZED"},
    Row{9, "cudaErrorInvalidConfiguration", "invalid configuration argument", nullptr},
    Row{12, "cudaErrorInvalidPitchValue", "invalid pitch argument", nullptr},
    Row{13, "cudaErrorInvalidSymbol", "invalid device symbol", nullptr},
    Row{17, "cudaErrorInvalidDevicePointer", "invalid device pointer", nullptr},
    Row{20, "cudaErrorInvalidChannelDescriptor", "invalid channel descriptor", nullptr},
    Row{21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy", nullptr},
    Row{52, "cudaErrorMissingConfiguration", "__global__ function call is not configured", nullptr},
    Row{98, "cudaErrorInvalidDeviceFunction", "invalid device function", nullptr},
    Row{100, "cudaErrorNoDevice", "no CUDA-capable device is detected", "CUDA_ERROR_NO_DEVICE"},
    Row{101, "cudaErrorInvalidDevice", "invalid device ordinal", "CUDA_ERROR_INVALID_DEVICE"},
    Row{200, "cudaErrorInvalidKernelImage", "device kernel image is invalid", "CUDA_ERROR_INVALID_IMAGE"},
    Row{201, "cudaErrorDeviceUninitialized", "invalid device context", "CUDA_ERROR_INVALID_CONTEXT"},
    Row{209, "cudaErrorNoKernelImageForDevice", "no kernel image is available for execution on the device",
        "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    Row{215, "cudaErrorUnsupportedLimit", "limit is not supported on this architecture",
        "CUDA_ERROR_UNSUPPORTED_LIMIT"},
    Row{218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed", "CUDA_ERROR_INVALID_PTX"},
    Row{301, "cudaErrorFileNotFound", "file not found", "CUDA_ERROR_FILE_NOT_FOUND"},
    Row{400, "cudaErrorInvalidResourceHandle", "invalid resource handle", "CUDA_ERROR_INVALID_HANDLE"},
    Row{500, "cudaErrorSymbolNotFound", "named symbol not found", "CUDA_ERROR_NOT_FOUND"},
    Row{600, "cudaErrorNotReady", "device not ready", "CUDA_ERROR_NOT_READY"},
    Row{700, "cudaErrorIllegalAddress", "an illegal memory access was encountered", "CUDA_ERROR_ILLEGAL_ADDRESS"},
    Row{701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch",
        "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    Row{702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated", "CUDA_ERROR_LAUNCH_TIMEOUT"},
    Row{704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled",
        "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED"},
    Row{705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled", "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED"},
    Row{710, "cudaErrorAssert", "device-side assert triggered", "CUDA_ERROR_ASSERT"},
    Row{712, "cudaErrorHostMemoryAlreadyRegistered", "part or all of the requested memory range is already mapped",
        "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"},
    Row{713, "cudaErrorHostMemoryNotRegistered", "pointer does not correspond to a registered memory region",
        "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"},
    Row{715, "cudaErrorIllegalInstruction", "an illegal instruction was encountered", "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    Row{716, "cudaErrorMisalignedAddress", "misaligned address", "CUDA_ERROR_MISALIGNED_ADDRESS"},
    Row{719, "cudaErrorLaunchFailure", "unspecified launch failure", "CUDA_ERROR_LAUNCH_FAILED"},
    Row{720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch",
        "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
    Row{801, "cudaErrorNotSupported", "operation not supported", "CUDA_ERROR_NOT_SUPPORTED"},
    Row{900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing",
        "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"},
    Row{901, "cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture",
        "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"},
    Row{903, "cudaErrorStreamCaptureUnmatched", "capture was not initiated in this stream",
        "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED"},
    Row{999, "cudaErrorUnknown", "unknown error", "CUDA_ERROR_UNKNOWN"},
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

const char* driver_name_of(Error error) {
  const auto* const row = find(error);
  return row == nullptr ? nullptr : row->driver_name;
}

Error driver_error(Error error) {
  if (error == kInvalidSymbol) return kNotFound;
  if (error == kInvalidDeviceFunction) return kInvalidHandle;
  const auto* const row = find(error);
  return row != nullptr && row->driver_name == nullptr ? kInvalidValue : error;
}

}  // namespace warpipe::programs::cuda
