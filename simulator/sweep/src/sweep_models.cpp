#include "warpipe/sweep/sweep_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

using Kind = Variation::Kind;

/// A variation by the first kernel and device that know its name.
/// @throws the error of the first kernel and device, where none does
Variation parsed(const std::string& text, const SweepModels& models, const std::vector<Variation>& of_import) {
  std::exception_ptr first_error;
  for (const auto& [kernel, device] : models.all()) {
    try {
      return parse_variation(text, kernel.first(of_import)->kernel, *device);
    } catch (const Error&) {
      if (!first_error) first_error = std::current_exception();
    }
  }
  std::rethrow_exception(first_error);
}

/// Variations of kernels, devices, policies and imports; nothing for other names.
std::optional<Variation> parsed_alone(const std::string& text, bool has_imports) {
  auto named = parse_named_variation(text);
  if (!named) named = parse_define(text);
  if (named || !has_imports) return named;
  return parse_import_variation(text);
}

}  // namespace

SweepModels::SweepModels(const SweepKernel& kernel, const Device& device)
    : SweepModels(std::vector<std::vector<SweepKernel>>{{kernel}}, {device}) {}

SweepModels::SweepModels(const std::vector<std::vector<SweepKernel>>& kernels, const std::vector<Device>& devices)
    : devices_(devices.size()) {
  std::vector<std::shared_ptr<const Device>> shared;
  for (const auto& device : devices) shared.push_back(std::make_shared<const Device>(device));
  for (const auto& of_devices : kernels)
    for (std::size_t i = 0; i < devices_; ++i) all_.push_back({of_devices.at(i), shared[i]});
}

std::size_t SweepModels::index_at(const std::vector<Variation>& variations,
                                  const std::vector<VariedValue>& values) const {
  std::size_t kernel = 0, device = 0, source = 0, sources = 1;
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const auto& all = variations[i].values;
    if (variations[i].kind == Kind::Kernel) kernel = static_cast<std::size_t>(values[i].number);
    if (variations[i].kind == Kind::Device) device = static_cast<std::size_t>(values[i].number);
    if (variations[i].kind != Kind::Define) continue;
    source = source * all.size() + static_cast<std::size_t>(std::ranges::find(all, values[i]) - all.begin());
    sources *= all.size();
  }
  return (kernel * sources + source) * devices_ + device;
}

bool SweepModels::has_imports() const {
  return std::ranges::any_of(all_, [](const SweepModel& model) { return model.kernel.is_imported(); });
}

std::vector<Variation> read_variations(const std::vector<std::string>& texts, const SweepModels& models) {
  std::vector<std::optional<Variation>> read;
  std::vector<Variation> of_import;
  for (const auto& text : texts) {
    read.push_back(parsed_alone(text, models.has_imports()));
    if (read.back() && read.back()->kind != Kind::Define && !has_names(*read.back())) of_import.push_back(*read.back());
  }
  std::vector<Variation> variations;
  std::set<std::string> names;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    variations.push_back(read[i] ? *read[i] : parsed(texts[i], models, of_import));
    const auto& name = variations.back().name;
    if (!names.insert(name).second)
      throw UsageError(Diagnostic{fmt::format("`vary {}`", name), "the name is given twice", "", ""});
  }
  return variations;
}

}  // namespace warpipe
