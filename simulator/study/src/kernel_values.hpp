#pragma once

#include <cstdint>
#include <string>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/study/launch.hpp"

namespace warpipe {

/// Evaluates the expressions of a kernel, and says whose fault it is when one has no value: the file's where it fails
/// with the file's own values (InputError), else a good file's with what the command line says (ModelError).
class KernelValues {
 public:
  /// @param options  decides whose fault it is
  KernelValues(const Kernel& kernel, const LaunchOptions& options);

  /// @param place  JSON path of the expression, for messages
  double evaluate(const Expression& expression, const Values& values, const std::string& place) const;
  std::int64_t evaluate_whole(const Expression& expression, const Values& values, std::int64_t least,
                              const std::string& place) const;

  const Kernel& kernel() const noexcept { return kernel_; }

 private:
  [[noreturn]] void blame(const Error& error, const std::string& place) const;

  const Kernel& kernel_;
  bool changed_by_options_;
};

}  // namespace warpipe
