// Any bytes: the reader of measured data, also of other programs, yields rows or an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "warpipe/accuracy/measured_file.hpp"
#include "warpipe/idg/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    // The last byte says whether the user names a kernel, as files of other programs need.
    warpipe::ForeignNames names;
    names.kernel = [](const std::string& name) {
      warpipe::Kernel kernel;
      kernel.name = name;
      return kernel;
    };
    names.device = "d";
    if (size > 0 && data[size - 1] % 2 == 0) names.kernels = {{"k", "k"}};
    warpipe::read_measured(text, "fuzz.csv", {}, names);
  } catch (const warpipe::InputError&) {
  } catch (const warpipe::UsageError&) {
  }
  return 0;
}
