#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "warpipe/amdgcn/module.hpp"
#include "warpipe/isa/entry.hpp"
#include "warpipe/isa/import_options.hpp"
#include "warpipe/isa/listing.hpp"
#include "warpipe/isa/make_kernel.hpp"
#include "warpipe/ptx/module.hpp"
#include "warpipe/sass/module.hpp"

/// A module of kernels in any language: a file as a compiler makes it.

namespace warpipe::code {

/// A file after reading.
class Module {
 public:
  using Language = std::variant<ptx::Module, sass::Module, amdgcn::Module>;
  /// @throws InputError where it has no kernel
  Module(Language language);  // NOLINT: each of them is one

  const std::string& file() const { return file_; }  ///< for messages
  std::string language() const;                      ///< "PTX 9.0", "machine code by ptxas 13.0", "assembly"
  std::string target() const;                        ///< "sm_80"
  /// Names of its source files.
  std::vector<std::string> sources() const;
  /// Whether instructions issue as they stand: no rule of a compiler is to be applied, and registers are known.
  bool is_machine_code() const;

  const std::vector<isa::Entry>& entries() const { return entries_; }
  /// @param name  as of isa::find_symbol; empty: the only entry, where entries of included headers do not count beside
  ///              the file's own
  const isa::Entry& find_entry(std::string_view name) const;

  /// Names the PTX behind machine code. Parameters are then called as in the PTX, and unknown sizes are guessed from
  /// its comparisons, where machine code has reciprocals and counts of trips.
  /// @param replaces  whether the PTX is imported, with a note, where the machine code cannot be
  void made_of(Module ptx, bool replaces);

  /// Makes the kernel of an entry for one launch. A note is added for code of another generation, which the device does
  /// not run but whose times can be told.
  /// @throws as ptx::import_ptx; ModelError for code of another maker than the device's, or whose warps have other
  ///         lanes
  isa::Import import(const isa::ImportOptions& options) const;

  /// The listing of an entry of machine code: its instructions as text.
  /// @throws InputError for PTX
  std::vector<isa::ListingLine> listing(const std::string& symbol) const;

 private:
  isa::Import import_as_it_is(const isa::ImportOptions& options) const;
  isa::Import import_with_sizes_of_ptx(const isa::ImportOptions& options) const;

  Language language_;
  std::string file_;
  std::shared_ptr<const Module> ptx_;  ///< of made_of
  bool ptx_replaces_ = false;
  std::vector<isa::Entry> entries_;
};

/// Whether a file holds code: not if it is a kernel file, which is JSON. By the ending of its name, else by its text.
bool is_code(std::string_view name, std::string_view text);

/// @param name    of the file, for its ending and for messages
/// @param device  as compilers call it, "sm_80": of a fat binary the code for this device counts, else the first
/// @throws InputError for an unreadable file, or a file without a kernel
Module read_module(std::string_view text, const std::string& name, std::string_view device = {});

}  // namespace warpipe::code
