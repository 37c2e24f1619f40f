#include "kernel_values.hpp"

#include <fmt/format.h>

#include "warpipe/idg/error.hpp"

namespace warpipe {

KernelValues::KernelValues(const Kernel& kernel, const LaunchOptions& options)
    : kernel_(kernel),
      changed_by_options_(!options.parameters.empty() || options.group_size.has_value() || options.groups.has_value()),
      launch_is_given_(options.kernel_launch_is_given) {}

double KernelValues::evaluate(const Expression& expression, const Values& values, const std::string& place) const {
  try {
    return expression.evaluate(values);
  } catch (const ModelError& error) {
    blame(error, place);
  }
}

std::int64_t KernelValues::evaluate_whole(const Expression& expression, const Values& values, std::int64_t least,
                                          const std::string& place) const {
  try {
    return expression.evaluate_whole(values, least);
  } catch (const ModelError& error) {
    blame(error, place);
  }
}

std::string KernelValues::in_file(const std::string& place) const {
  if (launch_is_given_ && place == "/kinds/of_group") return "`grid`";  // an import makes the kinds of its groups
  const std::string file = kernel_.file.empty() ? fmt::format("kernel \"{}\"", kernel_.name) : kernel_.file;
  return place.starts_with(file) || place.starts_with("device: ") ? place : fmt::format("{}: {}", file, place);
}

void KernelValues::blame(const Error& error, const std::string& place) const {
  Diagnostic diagnostic = error.diagnostics().front();
  diagnostic.where = in_file(place);
  if (changed_by_options_) throw ModelError(diagnostic);
  throw InputError(diagnostic);
}

}  // namespace warpipe
