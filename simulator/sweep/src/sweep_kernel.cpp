#include "warpipe/sweep/sweep_kernel.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

constexpr std::size_t kMostKept = 256;  ///< imported kernels; points with the same kernel stand close together

bool is_of_import(Kind kind) { return kind == Kind::Block || kind == Kind::Grid || kind == Kind::Argument; }

/// As many groups as hold the threads, along each axis; more than any import takes where there are too many to count.
isa::Dimensions grid_for(const isa::Launch& launch, const isa::Dimensions& block) {
  isa::Dimensions grid{};
  for (std::size_t axis = 0; axis < grid.size(); ++axis) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / launch.block[axis];
    grid[axis] = launch.grid[axis] > most ? most : (launch.block[axis] * launch.grid[axis] - 1) / block[axis] + 1;
  }
  return grid;
}

isa::ImportOptions options_at(isa::ImportOptions options, const std::vector<Variation>& variations,
                              const std::vector<VariedValue>& values) {
  isa::Launch& launch = options.launch;
  std::optional<isa::Dimensions> block, grid;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    if (variations[i].kind == Kind::Block) block = values[i].sizes;
    if (variations[i].kind == Kind::Grid) grid = values[i].sizes;
    if (variations[i].kind == Kind::Argument) launch.arguments[variations[i].target] = to_string(values[i]);
  }
  if (block && !grid) grid = grid_for(launch, *block);
  if (block) options.block_from.clear();
  launch.block = block.value_or(launch.block);
  launch.grid = grid.value_or(launch.grid);
  return options;
}

}  // namespace

/// The module to import kernels from, and the kernels already imported.
struct SweepKernel::Imports {
  code::Module module;
  isa::ImportOptions options;
  std::mutex mutex = {};
  std::map<std::vector<std::string>, std::shared_ptr<const KernelOfPoint>> kernels = {};  ///< by the varied values
};

SweepKernel::SweepKernel(Kernel kernel)
    : same_(std::make_shared<const KernelOfPoint>(KernelOfPoint{std::move(kernel), {}})) {}

SweepKernel::SweepKernel(code::Module module, isa::ImportOptions options)
    : imports_(new Imports{std::move(module), std::move(options)}) {}

std::shared_ptr<const KernelOfPoint> SweepKernel::first(const std::vector<Variation>& variations) const {
  std::vector<Variation> own;
  std::ranges::copy_if(variations, std::back_inserter(own), [](const auto& one) { return is_of_import(one.kind); });
  std::exception_ptr first_error;
  for (std::size_t i = 0; i < number_of_points(own); ++i) {
    try {
      return at(own, values_of_point(i, own));
    } catch (const Error&) {
      if (!first_error) first_error = std::current_exception();
    }
  }
  std::rethrow_exception(first_error);
}

std::shared_ptr<const KernelOfPoint> SweepKernel::at(const std::vector<Variation>& variations,
                                                     const std::vector<VariedValue>& values) const {
  if (same_) return same_;
  if (error_) std::rethrow_exception(error_);
  std::vector<std::string> varied;
  for (std::size_t i = 0; i < variations.size(); ++i)
    if (is_of_import(variations[i].kind)) varied.push_back(to_string(values[i]));
  {
    const std::lock_guard lock(imports_->mutex);
    if (const auto found = imports_->kernels.find(varied); found != imports_->kernels.end()) return found->second;
  }
  auto imported = imports_->module.import(options_at(imports_->options, variations, values));
  auto& report = imported.report;
  auto arrays = std::make_shared<const std::vector<isa::ArrayReach>>(std::move(report.arrays));
  auto kernel = std::make_shared<const KernelOfPoint>(
      KernelOfPoint{std::move(imported.kernel), std::move(report.notes), std::move(arrays)});
  const std::lock_guard lock(imports_->mutex);
  if (imports_->kernels.size() == kMostKept) imports_->kernels.clear();
  return imports_->kernels.emplace(std::move(varied), std::move(kernel)).first->second;
}

}  // namespace warpipe
