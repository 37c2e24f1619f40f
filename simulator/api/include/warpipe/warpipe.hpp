#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "warpipe/explain/result_json.hpp"
#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/inputs/compiler.hpp"
#include "warpipe/inputs/data_files.hpp"
#include "warpipe/inputs/import_request.hpp"
#include "warpipe/kernels/read_kernel.hpp"
#include "warpipe/kernels/write_kernel.hpp"
#include "warpipe/latency_tables/device.hpp"
#include "warpipe/predict/predict.hpp"
#include "warpipe/predictor.hpp"
#include "warpipe/ptx/read_ptx.hpp"
#include "warpipe/sweep/sweep.hpp"
#include "warpipe/sweep/what_if.hpp"
#include "warpipe/version.hpp"
#include "warpipe/views/summary_view.hpp"

/// Predicts GPU kernels: the functions of most programs, and a single include for the whole public interface.
///
///     const auto kernel = warpipe::read_kernel("saxpy");
///     const auto device = warpipe::open_device("h100");
///     const auto prediction = warpipe::predict(kernel, device, {.groups = 4096});
///     prediction.time;  // seconds
///
/// Any problem of an input is thrown as a warpipe::Error, with the place, the problem and advice.

namespace warpipe {

/// @param name  of a shipped device, "h100", or the path of a device file
/// @throws InputError as DataFiles
Device open_device(const std::string& name);

/// @return the names of the shipped files, sorted
std::vector<std::string> device_names();
std::vector<std::string> kernel_names();

/// @param name  of a shipped kernel, "saxpy", or the path of a kernel file. PTX and CUDA source need a launch:
/// import_kernel
/// @throws InputError as DataFiles
Kernel read_kernel(const std::string& name);

/// Makes a kernel of PTX for a launch.
/// @param text       the PTX of a module
/// @param request    the entry, if there are several, its launch and its arguments
/// @param warp_size  lanes of a warp of the device
/// @param name       the name of the text in messages and in `origin`
/// @return           the kernel, and the findings and assumptions of the import
/// @throws InputError for text that is no PTX, and as ptx::import_ptx; isa::UnknownData lists all missing data
isa::Import import_ptx(const std::string& text, const ImportRequest& request, std::int64_t warp_size = 32,
                       const std::string& name = "kernel.ptx");

/// Makes a kernel of a PTX file, or of CUDA source, which is compiled for the device: of the machine code that ptxas
/// makes of both, where it does, unless the environment variable WARPIPE_FORM says ptx.
/// @throws as import_ptx and compile_source
isa::Import import_kernel(const std::string& path, const ImportRequest& request, const Device& device,
                          const CompilerOptions& compiler = {});

}  // namespace warpipe
