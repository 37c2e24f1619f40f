#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernel/access_finder.hpp"
#include "kernel/address_text.hpp"
#include "kernel/slot_values.hpp"
#include "survey/address_form.hpp"
#include "survey/survey.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/isa/import_report.hpp"

namespace warpipe::isa {

/// Writes the addresses of a kernel's accesses: as an expression of thread, group and loops where the program's
/// arithmetic gives it, else where a fitted expression gives every executed address, else as samples.
class AddressWriter {
 public:
  /// @param values  gets the numbers that differ by kind of group; outlives this, as does the input
  AddressWriter(const AddressInput& input, SlotValues& values)
      : input_(input), values_(values), reader_(input.log, input.launch.block, input.launch.grid, input.forms.forms) {}

  /// Gives instructions of the kernel their accesses, and the kernel the arrays.
  /// @param copies  all accesses to write
  void write(const std::vector<AccessCopy>& copies, Kernel& kernel);

  /// The forms of all addresses of an instruction, by instruction of the program.
  std::map<std::uint32_t, AddressForm> whole_forms() const;

  /// Reports on addresses, by instruction of the program.
  const std::map<std::uint32_t, AddressReport>& reports() const { return reports_; }

 private:
  using Accesses = std::vector<LoggedAccess>;

  void write(const AccessCopy& copy, Kernel& kernel);
  bool tells_of_groups(const Accesses& accesses, double groups) const;
  double groups_of(const AccessCopy& copy) const;
  /// A form of all accesses of an instruction, or none.
  struct Whole {
    std::optional<AddressForm> form;
    bool is_noted = false;  ///< in the report
  };
  Whole& form_of_all(std::uint32_t index);
  const AccessForm* access_form(std::uint32_t index) const;
  std::string why_unknown(std::uint32_t index) const;
  std::optional<AddressForm> proven_form(std::uint32_t index, const Accesses& accesses);
  bool write_form_of(const AccessCopy& copy, const Accesses& accesses, Kernel& kernel);
  bool write_form(AddressForm form, const AccessCopy& copy, Kernel& kernel);
  const Expression& expression_of(const std::string& text, const std::vector<LoopText>& loops);
  void note_text(std::uint32_t index, std::string text);
  void note_form(const AddressForm& form, std::uint32_t index, const Accesses& accesses);
  std::vector<LoopText> loop_texts(const AccessCopy& copy);
  void write_samples(const AccessCopy& copy, const Accesses& accesses, Kernel& kernel);
  void leave_out(const AccessCopy& copy, const std::string& why);
  std::size_t array_of(std::uint32_t array, Kernel& kernel);

  const AddressInput& input_;
  SlotValues& values_;
  AddressReader reader_;
  std::map<std::uint32_t, std::size_t> copies_;            ///< by instruction: how many
  std::map<std::uint32_t, Whole> forms_;                   ///< by instruction
  std::map<std::uint32_t, std::size_t> without_form_;      ///< by instruction: copies since the last with a form
  std::map<std::uint32_t, AccessFinder> finders_;          ///< by instruction
  std::map<std::uint32_t, std::size_t> arrays_;            ///< by array of the log: array of the kernel
  std::map<std::string, Expression> expressions_;          ///< by text
  std::set<std::pair<std::uint32_t, std::string>> noted_;  ///< texts of reports, by instruction
  std::map<std::uint32_t, AddressReport> reports_;
};

/// The kinds of the groups in a log, by the ways of their warps.
std::vector<std::optional<std::size_t>> kinds_of(const AddressLog& log, const std::vector<GroupKind>& kinds);

}  // namespace warpipe::isa
