#include "kernel/address_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernel/kernel_builder.hpp"
#include "program/effort.hpp"
#include "survey/address_form.hpp"
#include "warpipe/idg/place.hpp"

namespace warpipe::isa {
namespace {

constexpr std::size_t kLongestText = 4000;  // of an expression

}  // namespace

std::vector<std::optional<std::size_t>> kinds_of(const AddressLog& log, const std::vector<GroupKind>& kinds) {
  std::map<std::vector<std::uint32_t>, std::size_t> kind_of;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) kind_of.emplace(kinds[kind].warps, kind);
  std::vector<std::optional<std::size_t>> result;
  for (const auto& group : log.groups()) {
    const auto found = kind_of.find(group.records);
    result.push_back(found == kind_of.end() ? std::nullopt : std::optional(found->second));
  }
  return result;
}

double AddressWriter::groups_of(const AccessCopy& copy) const {
  std::set<std::size_t> kinds;
  double groups = 0;
  for (const auto slot : copy.slots)
    if (const auto kind = values_.kind_of(slot); kinds.insert(kind).second) groups += input_.kinds[kind].groups;
  return groups;
}

/// Whether accesses are of several groups along each axis of the grid, or of all `groups` groups.
bool AddressWriter::tells_of_groups(const Accesses& accesses, double groups) const {
  std::set<std::uint32_t> seen;
  for (const auto& access : accesses) seen.insert(access.group);
  if (static_cast<double>(seen.size()) >= groups) return true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto place = [&](std::uint32_t group) { return input_.log.groups()[group].place[axis]; };
    const auto first = place(*seen.begin());
    if (input_.launch.grid[axis] > 1 && std::ranges::all_of(seen, [&](auto group) { return place(group) == first; }))
      return false;
  }
  return true;
}

/// The reason why the program's arithmetic does not give an address.
std::string AddressWriter::why_unknown(std::uint32_t index) const {
  static constexpr std::array kReasons{std::pair{kReadsMemory, "what is loaded"},
                                       std::pair{kOfAtomic, "what an atomic returns"},
                                       std::pair{kOtherLanes, "what other lanes have"},
                                       std::pair{kOfMask, "an execution mask"},
                                       std::pair{kOfHardware, "the hardware"},
                                       std::pair{kNotSaid, "an argument that is not given"},
                                       std::pair{kNotFollowed, "numbers with a point"},
                                       std::pair{kNotWritten, "a register that nothing writes"},
                                       std::pair{kCarried, "a register that moves from trip to trip in no known way"},
                                       std::pair{kUnknownTrips, "trips that are not known"},
                                       std::pair{kTooLarge, "numbers of more than 62 bits"}};
  const auto* const found = access_form(index);
  const auto reasons = found == nullptr ? Reasons{0} : input_.forms.forms.reasons(found->address);
  std::string text;
  for (const auto& [reason, name] : kReasons)
    if ((reasons & reason) != 0) text += (text.empty() ? "it depends on " : ", ") + std::string(name);
  return text.empty() ? "its formula is too long for an expression" : text;
}

const AccessForm* AddressWriter::access_form(std::uint32_t index) const {
  const auto& accesses = input_.forms.accesses;
  const auto found = std::ranges::lower_bound(accesses, index, {}, &AccessForm::instruction);
  return found == accesses.end() || found->instruction != index ? nullptr : &*found;
}

/// The form by the program's arithmetic, with trips numbered by the depth of their loops.
std::optional<AddressForm> AddressWriter::proven_form(std::uint32_t index, const Accesses& accesses) {
  const auto* const found = access_form(index);
  auto& forms = input_.forms.forms;
  if (found == nullptr || !forms.is_known(found->address)) return std::nullopt;
  if (input_.log.list(accesses.front().iterations).size() != found->loops.size()) return std::nullopt;
  const auto by_depth = [&](Form form) {
    return forms.substitute(form, [&](Variable variable) -> std::optional<Form> {
      if (variable.place != Place::Trip) return std::nullopt;
      const auto depth = std::ranges::find(found->loops, variable.number) - found->loops.begin();
      const auto& trip = input_.forms.loops[variable.number].trip;
      return forms.variable({Place::Trip, static_cast<std::uint32_t>(depth)}, forms.range(trip));
    });
  };
  const auto made = forms.is_known(found->made) ? std::optional(by_depth(found->made)) : std::nullopt;
  return reader_.proven(by_depth(found->address), made, accesses);
}

AddressWriter::Whole& AddressWriter::form_of_all(std::uint32_t index) {
  const auto [found, is_new] = forms_.try_emplace(index);
  if (!is_new) return found->second;
  const auto& accesses = input_.log.of(index);
  const auto& grid = input_.launch.grid;
  auto& form = found->second.form;
  form = proven_form(index, accesses);
  if (!form && tells_of_groups(accesses, static_cast<double>(grid[0] * grid[1] * grid[2])))
    form = reader_.fitted(accesses);
  return found->second;
}

std::map<std::uint32_t, AddressForm> AddressWriter::whole_forms() const {
  std::map<std::uint32_t, AddressForm> forms;
  for (const auto& [index, whole] : forms_)
    if (whole.form) forms.emplace(index, *whole.form);
  return forms;
}

void AddressWriter::write(const std::vector<AccessCopy>& copies, Kernel& kernel) {
  for (const auto& copy : copies) ++copies_[copy.index];
  for (const auto& copy : copies) write(copy, kernel);
}

void AddressWriter::write(const AccessCopy& copy, Kernel& kernel) {
  const auto& all = input_.log.of(copy.index);
  reports_[copy.index].not_kept = input_.log.not_kept(copy.index);
  if (all.empty()) return leave_out(copy, "too many executions of other instructions were kept");
  if (auto& whole = form_of_all(copy.index); whole.form && write_form(*whole.form, copy, kernel)) {
    if (!std::exchange(whole.is_noted, true)) note_form(*whole.form, copy.index, all);
    return;
  }
  const auto accesses = finders_.try_emplace(copy.index, copy.index, input_, values_).first->second.of(copy);
  if (accesses.empty()) return leave_out(copy, "no group that was looked at executes it");
  auto& without_form = without_form_[copy.index];
  if (without_form < kEffort.copies_without_formula && write_form_of(copy, accesses, kernel)) {
    without_form = 0;
  } else {
    ++without_form;
    write_samples(copy, accesses, kernel);
  }
}

/// @return whether a form gives all these accesses
bool AddressWriter::write_form_of(const AccessCopy& copy, const Accesses& accesses, Kernel& kernel) {
  if (accesses.empty()) return false;
  auto form = proven_form(copy.index, accesses);
  if (!form && tells_of_groups(accesses, groups_of(copy))) form = reader_.fitted(accesses);
  if (!form || !write_form(*form, copy, kernel)) return false;
  note_form(*form, copy.index, accesses);
  return true;
}

std::size_t AddressWriter::array_of(std::uint32_t array, Kernel& kernel) {
  const auto [found, is_new] = arrays_.emplace(array, kernel.arrays.size());
  if (!is_new) return found->second;
  const auto& reached = input_.log.arrays()[array];
  const auto base = as_name(reached.name);
  auto name = base;
  const auto is_taken = [&] { return std::ranges::find(kernel.arrays, name, &Array::name) != kernel.arrays.end(); };
  for (int number = 2; is_taken(); ++number) name = fmt::format("{}_{}", base, number);
  kernel.arrays.push_back(
      {name, Expression(static_cast<double>(std::max<std::int64_t>(1, reached.all_bytes()))), reached.thread_private});
  return found->second;
}

std::vector<LoopText> AddressWriter::loop_texts(const AccessCopy& copy) {
  std::vector<LoopText> texts;
  for (const auto& loop : copy.loops) {
    auto& text = texts.emplace_back();
    text.counter = loop->counter;
    std::vector<std::pair<std::uint32_t, std::int64_t>> starts;
    for (const auto& part : loop->slots)
      if (std::ranges::binary_search(copy.slots, part.slot)) starts.emplace_back(part.slot, part.first);
    const bool alike = std::ranges::all_of(starts, [&](const auto& start) { return start.second == starts[0].second; });
    std::int64_t most = 1;
    for (const auto& part : loop->slots) most = std::max(most, part.count);
    text.counts = {0, most - 1};
    if (alike) {
      text.constant = starts.empty() ? 0 : starts.front().second;
    } else {
      text.start = values_.number(starts, fmt::format("start_{}", input_.program.instructions[copy.index].line)).text();
      const auto [least, last] =
          std::ranges::minmax_element(starts, {}, &std::pair<std::uint32_t, std::int64_t>::second);
      text.starts = {least->second, last->second};
    }
  }
  return texts;
}

/// @return whether the kernel can hold the form
bool AddressWriter::write_form(AddressForm form, const AccessCopy& copy, Kernel& kernel) {
  const auto& access = *input_.program.instructions[copy.index].access;
  const auto width = access.bytes;
  const auto loops = loop_texts(copy);
  form.bytes = input_.forms.forms.plus(form.bytes, input_.log.arrays()[form.array].before);
  const auto text_of = [&] {
    auto text = address_text(input_.forms.forms, form, width, input_.launch.block, loops);
    return text && text->size() <= kLongestText ? text : std::nullopt;
  };
  auto text = text_of();
  const bool leaves_out = form.made && text;
  if (std::exchange(form.made, {}) && !text) text = text_of();
  if (!text) return false;
  if (!leaves_out) reports_[copy.index].idle = std::max(reports_[copy.index].idle, form.idle);
  const auto array = array_of(form.array, kernel);
  kernel.instructions[copy.instruction].access =
      AccessPattern{Expression(width), AccessPattern::Addressed{array, expression_of(*text, loops)}, access.past_unit};
  note_text(copy.index, fmt::format("{}: {}", kernel.arrays[array].name, *text));
  return true;
}

void AddressWriter::note_text(std::uint32_t index, std::string text) {
  if (noted_.emplace(index, text).second) reports_[index].texts.push_back(std::move(text));
}

/// Many accesses in loops written out have the same text.
const Expression& AddressWriter::expression_of(const std::string& text, const std::vector<LoopText>& loops) {
  if (const auto known = expressions_.find(text); known != expressions_.end()) return known->second;
  std::vector<std::string> visible(place_names().begin(), place_names().end());
  visible.emplace_back("warp");
  for (const auto& loop : loops) visible.push_back(loop.counter);
  for (const auto& [name, column] : values_.columns())
    if (text.find(name) != std::string::npos) visible.push_back(name);
  return expressions_.emplace(text, Expression::parse(text, visible)).first->second;
}

void AddressWriter::note_form(const AddressForm& form, std::uint32_t index, const Accesses& accesses) {
  auto& report = reports_[index];
  report.kind = std::max(report.kind, form.is_proven ? AddressReport::Kind::Formula : AddressReport::Kind::Fitted);
  report.elsewhere = std::max(report.elsewhere, form.elsewhere);
  if (!form.is_proven) report.why = why_unknown(index);
  if (!form.is_proven && AddressReader::passes_over(form, accesses))
    report.checked = std::max(report.checked, form.checked);
}

void AddressWriter::leave_out(const AccessCopy& copy, const std::string& why) {
  auto& report = reports_[copy.index];
  report.kind = AddressReport::Kind::NotFound;
  report.why = why;
}

void AddressWriter::write_samples(const AccessCopy& copy, const Accesses& accesses, Kernel& kernel) {
  const auto array = accesses.front().array;
  if (array == kNoArray || std::ranges::any_of(accesses, [&](const auto& one) { return one.array != array; }))
    return leave_out(copy, array == kNoArray ? "it is in no array of the launch" : "it is in several arrays");
  auto sampled = sample_addresses(input_.log, accesses, input_.launch.block, input_.launch.grid, copies_[copy.index]);
  sampled.array = array_of(array, kernel);
  for (auto& lanes : sampled.executions)
    for (auto& address : lanes)
      if (address != AccessPattern::kNotActive) address += input_.log.arrays()[array].before;
  auto shown = fmt::format("{}: {} executions", kernel.arrays[sampled.array].name, sampled.executions.size());
  if (sampled.shift_bytes != 0) shown += fmt::format(", each time {} bytes further", sampled.shift_bytes);
  if (sampled.again_bytes != 0) shown += fmt::format(", {} in a warp", sampled.again_bytes);
  auto& report = reports_[copy.index];
  report.kind = std::max(report.kind, AddressReport::Kind::Sampled);
  report.why = why_unknown(copy.index);
  note_text(copy.index, std::move(shown));
  const auto& access = *input_.program.instructions[copy.index].access;
  kernel.instructions[copy.instruction].access =
      AccessPattern{Expression(access.bytes), std::move(sampled), access.past_unit};
}

}  // namespace warpipe::isa
