#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "address_form.hpp"
#include "address_text.hpp"
#include "execution.hpp"
#include "slot_values.hpp"
#include "warpipe/idg/kernel.hpp"
#include "warpipe/isa/import_report.hpp"

namespace warpipe::isa {

/// Some iterations of a loop of the program, as one loop of the kernel.
struct LoopPart {
  struct Iterations {
    std::uint32_t slot = 0;
    std::int64_t first = 0;  ///< of the program's loop, that is the part's first one
    std::int64_t count = 0;
  };
  std::string counter;            ///< the name of the kernel's loop; empty where it goes round once
  std::vector<Iterations> slots;  ///< ascending
  bool in_order = true;           ///< the part has just these iterations; else others that do as much stand for them
};

/// A memory instruction of the kernel.
struct AccessCopy {
  std::size_t instruction = 0;                         ///< of the kernel
  std::uint32_t index = 0;                             ///< of the program
  Slots slots;                                         ///< of the warps that execute it
  std::vector<std::shared_ptr<const LoopPart>> loops;  ///< around it, the outermost first
};

/// What the addresses of a launch are found from.
struct AddressInput {
  const Program& program;
  const AddressLog& log;
  const Launch& launch;
  const std::vector<GroupKind>& kinds;
  std::vector<std::optional<std::size_t>> kind_of;  ///< by group of the log; nothing where it is like none
};

/// Writes where the accesses of a kernel are: as an expression of thread, group and loops where one gives every address
/// that was executed, as samples where none does.
class AddressWriter {
 public:
  /// @param values  gets the numbers that differ by kind of group; outlives this, as does the input
  AddressWriter(const AddressInput& input, SlotValues& values)
      : input_(input), values_(values), fitter_(input.log, input.launch.block, input.launch.grid) {}

  /// Gives instructions of the kernel their accesses, and the kernel the arrays.
  /// @param copies  all that are to be written
  void write(const std::vector<AccessCopy>& copies, Kernel& kernel);

  /// What was found, by instruction of the program.
  const std::map<std::uint32_t, AddressReport>& reports() const { return reports_; }

 private:
  using Accesses = std::vector<LoggedAccess>;

  void write(const AccessCopy& copy, Kernel& kernel);
  Accesses accesses_of(const AccessCopy& copy) const;
  bool takes_part(const AccessCopy& copy, LoggedAccess& access) const;
  bool tells_of_groups(const Accesses& accesses, double groups) const;
  double groups_of(const AccessCopy& copy) const;
  /// A form of all accesses of an instruction, or none.
  struct Whole {
    std::optional<AddressForm> form;
    bool is_noted = false;  ///< in the report
  };
  Whole& form_of_all(std::uint32_t index);
  std::optional<AddressForm> form_of(const AccessCopy& copy, const Accesses& accesses);
  std::optional<AddressForm> form_of_most(const AccessCopy& copy, const Accesses& accesses);
  bool write_form(const AddressForm& form, const AccessCopy& copy, Kernel& kernel);
  void note_form(const AddressForm& form, std::uint32_t index, const Accesses& accesses);
  std::vector<LoopText> loop_texts(const AccessCopy& copy);
  void write_samples(const AccessCopy& copy, const Accesses& accesses, Kernel& kernel);
  void leave_out(const AccessCopy& copy, const std::string& why);
  std::size_t array_of(std::uint32_t array, Kernel& kernel);

  const AddressInput& input_;
  SlotValues& values_;
  AddressFitter fitter_;
  std::map<std::uint32_t, std::size_t> copies_;  ///< by instruction: how many
  std::map<std::uint32_t, Whole> forms_;         ///< by instruction
  std::map<std::uint32_t, std::size_t> arrays_;  ///< of the log: those of the kernel
  std::map<std::uint32_t, AddressReport> reports_;
};

/// The kinds that groups of a log are of, by what their warps did.
std::vector<std::optional<std::size_t>> kinds_of(const AddressLog& log, const std::vector<GroupKind>& kinds);

}  // namespace warpipe::isa
