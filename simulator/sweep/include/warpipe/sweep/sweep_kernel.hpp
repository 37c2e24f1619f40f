#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/code/module.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/sweep/variation.hpp"

namespace warpipe {

/// The reads and writes of an imported kernel's launch, by array; null for a kernel file.
using ArrayReaches = std::shared_ptr<const std::vector<isa::ArrayReach>>;

/// A kernel for one point of a sweep.
struct KernelOfPoint {
  Kernel kernel;
  std::vector<std::string> notes;  ///< of its import
  ArrayReaches arrays = {};
};

/// The kernel of a sweep. A kernel from a file is the same at each point; imported code is imported again wherever its
/// block, its grid or an argument varies. May be asked from several threads.
class SweepKernel {
 public:
  SweepKernel(Kernel kernel);  // NOLINT: most kernels stay the same
  /// @param options  the launch that the points start from
  SweepKernel(code::Module module, isa::ImportOptions options);

  /// A kernel whose source does not compile: each of its points has the error.
  explicit SweepKernel(std::exception_ptr error) : error_(std::move(error)) {}

  bool is_imported() const { return same_ == nullptr; }

  /// The kernel of a point. Where the block varies and the grid does not, the grid follows: along each axis as many
  /// groups as hold the threads of the base launch, rounded up.
  /// @throws as code::Module::import
  std::shared_ptr<const KernelOfPoint> at(const std::vector<Variation>& variations,
                                          const std::vector<VariedValue>& values) const;

  /// The kernel of the first point that can be imported.
  /// @param variations  each with a value
  /// @throws the import's error for the first point, where no point can be imported
  std::shared_ptr<const KernelOfPoint> first(const std::vector<Variation>& variations) const;

 private:
  struct Imports;

  std::shared_ptr<const KernelOfPoint> same_;  ///< at each point
  std::shared_ptr<Imports> imports_;           ///< null where there is a `same_`
  std::exception_ptr error_;                   ///< set where there is neither
};

}  // namespace warpipe
