#include "foreign_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/printable.hpp"

namespace warpipe {
namespace {

constexpr std::size_t kMostNamed = 5;

std::size_t sum_of(const std::map<std::string, std::size_t>& counts) {
  std::size_t sum = 0;
  for (const auto& [name, count] : counts) sum += count;
  return sum;
}

/// "a (10), b (3) and 2 more", the most frequent first.
std::string listed(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
  std::ranges::stable_sort(all, std::ranges::greater(), &std::pair<std::string, std::size_t>::second);
  std::vector<std::string> named;
  for (const auto& [name, count] : all)
    if (named.size() < kMostNamed) named.push_back(fmt::format("{} ({})", name, count));
  const auto rest = all.size() - named.size();
  return fmt::format("{}{}", fmt::join(named, ", "), rest > 0 ? fmt::format(" and {} more", rest) : "");
}

}  // namespace

const Kernel* ForeignRows::kernel(const std::string& name) {
  for (const std::string& known : {name, bare_kernel_name(name)}) {
    const auto found = names_.kernels.find(lower_case(known));
    if (found == names_.kernels.end()) continue;
    const auto looked_up = kernels_.find(found->second);
    if (looked_up != kernels_.end()) return &looked_up->second;
    return &kernels_.emplace(found->second, names_.kernel(found->second)).first->second;
  }
  return nullptr;
}

std::optional<Measurement> ForeignRows::begin(std::size_t line, const std::string& kernel_name,
                                              const std::string& device, const std::string& number) {
  const Kernel* found = kernel(kernel_name);
  ++(found != nullptr ? scored_ : others_)[kernel_name];
  if (found == nullptr) return std::nullopt;
  Measurement row;
  row.line = line;
  row.kernel = found->name;
  row.device = device_of(device);
  if (!number.empty()) numbers_.insert(number);
  row.quantity = Quantity::TimeUs;
  return row;
}

std::string ForeignRows::device_of(const std::string& title) {
  if (const auto known = devices_.find(title); known != devices_.end()) return known->second;
  if (names_.device) {
    if (!devices_.empty()) {
      throw UsageError(Diagnostic{"`device`", fmt::format("{} has rows of several devices", file_),
                                  fmt::format("found {} and {}", devices_.begin()->first, title),
                                  "give a file of the rows of one device"});
    }
    return devices_.emplace(title, *names_.device).first->second;
  }
  if (title.empty())
    throw UsageError(
        Diagnostic{"`device`", fmt::format("{} does not name the device", file_), "", "give `device DEVICE`"});
  const auto found = device_with_title(title, names_.devices);
  if (found) return devices_.emplace(title, *found).first->second;
  std::vector<std::string> known;
  for (const auto& [name, of_table] : names_.devices) known.push_back(name);
  throw UsageError(Diagnostic{"`device`", fmt::format("no device has the title \"{}\" of {}", title, file_), "",
                              fmt::format("give `device DEVICE`, one of: {}", fmt::join(known, ", "))});
}

/// "n 1024, trips 1": the parameters given neither by the user nor by the file.
std::string ForeignRows::defaults_of(const Kernel& kernel) const {
  const auto is_given = [&](const std::string& name) {
    return names_.parameters.contains(name) || std::ranges::any_of(rows_, [&](const Measurement& row) {
             return row.kernel == kernel.name && row.options.parameters.contains(name);
           });
  };
  std::vector<std::string> defaults;
  for (const auto& [name, value] : kernel.parameters)
    if (!is_given(name)) defaults.push_back(fmt::format("{} {}", name, value));
  return fmt::format("{}", fmt::join(defaults, ", "));
}

/// How the names of the file were understood.
std::vector<std::string> ForeignRows::name_notes() {
  std::map<std::string, std::map<std::string, std::size_t>> names_of;
  for (const auto& [name, count] : scored_) names_of[kernel(name)->name].emplace(name, count);
  std::vector<std::string> notes;
  for (const auto& [ours, names] : names_of) {
    notes.push_back(names.size() == 1 ? fmt::format("Kernel {} is taken for {}: {}.", names.begin()->first, ours,
                                                    counted(names.begin()->second, "row"))
                                      : fmt::format("Kernels {} are taken for {}.", listed(names), ours));
  }
  for (const auto& [title, name] : devices_) {
    if (!title.empty()) notes.push_back(fmt::format("Device \"{}\" is taken for {}.", title, name));
    if (title.empty() && numbers_.size() > 1)
      notes.push_back(fmt::format("Rows of {} devices are all taken for {}: {}.", numbers_.size(), name,
                                  fmt::join(numbers_, ", ")));
  }
  return notes;
}

std::vector<std::string> ForeignRows::all_notes(const std::string& form) {
  std::vector<std::string> notes{fmt::format("{} is read as {}.", file_, form)};
  for (std::string& each : name_notes()) notes.push_back(std::move(each));
  for (const auto& [name, kernel] : kernels_)
    if (const auto defaults = defaults_of(kernel); !defaults.empty())
      notes.push_back(fmt::format("Parameters of {} as its file has them: {}.", kernel.name, defaults));
  notes.insert(notes.end(), notes_.begin(), notes_.end());
  if (!others_.empty())
    notes.push_back(fmt::format("{} of {} not scored: {}.", counted(sum_of(others_), "row"),
                                counted(others_.size(), "other kernel"), listed(others_)));
  if (no_kernels_ > 0) notes.push_back(fmt::format("{} of no kernel not scored.", counted(no_kernels_, "row")));
  if (!without_time_.empty())
    notes.push_back(
        fmt::format("{} without a time not scored: {}.", counted(sum_of(without_time_), "row"), listed(without_time_)));
  return notes;
}

MeasuredFile ForeignRows::finish(const std::string& form) {
  if (scored_.empty() && others_.empty())
    throw InputError(Diagnostic{file_, fmt::format("no row of a kernel, read as {}", form), "", ""});
  if (scored_.empty()) {
    const auto& most = *std::ranges::max_element(others_, {}, &std::pair<const std::string, std::size_t>::second);
    throw UsageError(Diagnostic{
        "`kernel_map`", fmt::format("{} names kernels of another program, and none is chosen", file_),
        fmt::format("found {}", listed(others_)),
        fmt::format("give `kernel_map` '{}=KERNEL', with a shipped name or a file", bare_kernel_name(most.first))});
  }
  if (rows_.empty())
    throw InputError(Diagnostic{file_, "no row of the chosen kernels says a time",
                                fmt::format("found {}", listed(without_time_)), ""});
  auto notes = all_notes(form);
  return {form, std::move(rows_), std::move(notes)};
}

}  // namespace warpipe
