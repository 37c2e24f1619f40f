#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "warpipe/latency_tables/device.hpp"
#include "warpipe/sweep/sweep_kernel.hpp"
#include "warpipe/sweep/variation.hpp"

namespace warpipe {

/// A kernel and a device of a sweep.
struct SweepModel {
  SweepKernel kernel;
  std::shared_ptr<const Device> device;
};

/// The kernels and devices of a sweep: a kernel and a device, or the values of its variations `kernel`, `define.NAME`
/// and `device`.
class SweepModels {
 public:
  SweepModels(const SweepKernel& kernel, const Device& device);
  /// @param kernels  for each value of `kernel`, and within it for each combination of the macros' values, the last
  ///                 macro fastest, one for each device: code is compiled and imported for its device
  /// @param devices  one for each value of `device`
  SweepModels(const std::vector<std::vector<SweepKernel>>& kernels, const std::vector<Device>& devices);

  /// All of them: the devices of the first kernel, then of the second ...
  const std::vector<SweepModel>& all() const { return all_; }
  /// @return the index in all() of the kernel and the device of a point
  std::size_t index_at(const std::vector<Variation>& variations, const std::vector<VariedValue>& values) const;
  /// Whether a kernel is imported anew at each point.
  bool has_imports() const;

 private:
  std::vector<SweepModel> all_;
  std::size_t devices_ = 1;
};

/// Reads the variations of a sweep: variations of an import first, as further names are names of the imported kernel. A
/// name must be known to some kernel or device; where a kernel or device lacks it, its points report an error.
/// @param texts  as of parse_variation, parse_import_variation and parse_named_variation
/// @throws UsageError as these, and for a name given twice
std::vector<Variation> read_variations(const std::vector<std::string>& texts, const SweepModels& models);

}  // namespace warpipe
