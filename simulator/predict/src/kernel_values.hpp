#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/predict/launch.hpp"

namespace warpipe {

/// Evaluates the expressions of a kernel. An expression without a value is an error of the file (InputError), unless
/// the options gave a parameter, the group size or the number of groups (ModelError).
class KernelValues {
 public:
  /// @param options  decide between file and options as the cause of an error
  KernelValues(const Kernel& kernel, const LaunchOptions& options);

  /// @param place  JSON path of the expression, for messages
  double evaluate(const Expression& expression, const Values& values, const std::string& place) const;
  std::int64_t evaluate_whole(const Expression& expression, const Values& values, std::int64_t least,
                              const std::string& place) const;

  /// Puts the kernel's file in front of the places of an error.
  template <class Function>
  auto in_file(const Function& function) const {
    try {
      return function();
    } catch (const ModelError& error) {
      std::vector<Diagnostic> diagnostics = error.diagnostics();
      for (Diagnostic& diagnostic : diagnostics) diagnostic.where = in_file(diagnostic.where);
      throw ModelError(std::move(diagnostics));
    }
  }

  const Kernel& kernel() const noexcept { return kernel_; }

 private:
  std::string in_file(const std::string& place) const;
  [[noreturn]] void blame(const Error& error, const std::string& place) const;

  const Kernel& kernel_;
  bool changed_by_options_;
  bool launch_is_given_;
};

}  // namespace warpipe
