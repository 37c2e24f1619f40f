#pragma once

#include <cstddef>
#include <cstdint>

/// Numbers and layouts shared by CUDA's runtime and driver and their programs, declared here so that no header of a
/// toolkit is needed. They hold on x86-64.
/// @source CUDA Runtime API and Driver API references, versions 11 to 13

namespace warpipe::programs::cuda {

using Error = int;
inline constexpr Error kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kNotInitialised = 3,
                       kInvalidConfiguration = 9, kInvalidPitch = 12, kInvalidSymbol = 13, kInvalidChannels = 20,
                       kInvalidDirection = 21, kMissingConfiguration = 52, kInvalidDeviceFunction = 98, kNoDevice = 100,
                       kInvalidDevice = 101, kInvalidImage = 200, kInvalidContext = 201, kNoImageForDevice = 209,
                       kUnsupportedLimit = 215, kInvalidPtx = 218, kFileNotFound = 301, kInvalidHandle = 400,
                       kNotFound = 500, kNotReady = 600, kIllegalAddress = 700, kOutOfResources = 701, kTimeout = 702,
                       kPeerAccessNotEnabled = 705, kAssert = 710, kAlreadyRegistered = 712, kNotRegistered = 713,
                       kMisaligned = 716, kLaunchFailure = 719, kCooperativeTooLarge = 720, kNotSupported = 801,
                       kCaptureUnsupported = 900, kCaptureInvalidated = 901, kCaptureUnmatched = 903, kUnknown = 999;

/// "cudaErrorInvalidValue"; for other numbers "unrecognized error code", as the runtime says.
const char* name_of(Error error);
/// "invalid argument"
const char* text_of(Error error);
/// "CUDA_ERROR_INVALID_VALUE", as the driver says it; null for a number outside its errors.
const char* driver_name_of(Error error);
/// The driver's error for an error of the runtime: the same number, except for errors of the runtime alone.
Error driver_error(Error error);

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

enum class CopyKind : int { HostToHost = 0, HostToDevice = 1, DeviceToHost = 2, DeviceToDevice = 3, Default = 4 };

struct PitchedPointer {
  void* pointer;
  std::size_t pitch, width, height;  ///< bytes, bytes, rows
};
struct Extent {
  std::size_t width, height, depth;  ///< bytes, rows, layers
};
struct Position {
  std::size_t x, y, z;
};
/// cudaChannelFormatDesc
struct ChannelFormat {
  int bits[4];
  int kind;  ///< 0 signed, 1 unsigned, 2 float
};
/// Of a Resource: linear memory, or rows with a pitch.
struct ResourceMemory {
  void* begin;
  ChannelFormat format;
  std::size_t bytes_or_width, height, pitch;
};
/// cudaResourceDesc; members behind it in newer versions are ignored
struct Resource {
  int type;  ///< 0 an array, 1 with mipmaps, 2 linear memory, 3 with a pitch
  int padding;
  union {
    void* array;
    ResourceMemory memory;
  };
};
/// cudaTextureDesc
struct TextureFormat {
  int outside[3];  ///< 0 wrap, 1 clamp, 2 mirror, 3 border
  int is_linear, reads_fractions, is_srgb;
  float border[4];
  int is_normalised;
  int of_mipmaps[7];
};
inline constexpr unsigned kArrayLayered = 1, kArraySurface = 2, kArrayCubemap = 4, kArrayGather = 8;
struct Copy3D {
  void* from_array;
  Position from_position;
  PitchedPointer from;
  void* to_array;
  Position to_position;
  PitchedPointer to;
  Extent extent;
  CopyKind kind;
};
struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    int number;
    std::uint32_t dimensions[3];
  } value;
};
inline constexpr int kAttributeCooperative = 2, kAttributeCluster = 4;
struct LaunchConfig {
  Dim3 grid, block;
  std::size_t shared;
  void* stream;
  LaunchAttribute* attributes;
  unsigned count;
};
struct FunctionAttributes {
  std::size_t shared, constant, local;
  int most_threads, registers, ptx_version, binary_version, cache_mode, most_dynamic_shared, carveout;
  int cluster[6];
  int reserved[16];
};
struct PointerAttributes {
  int type, device;
  void *device_pointer, *host_pointer;
};

}  // namespace warpipe::programs::cuda
