#pragma once

#include <stdexcept>
#include <string>
#include <vector>

/// Exceptions for bad input, files and models, each with diagnostics. The library never prints and never exits: the
/// application alone turns an exception into a message and an exit status.

namespace warpipe {

/// One problem, described for a user to mend it. Every part is true as it stands: it states the fault, or a requirement
/// ("must"), and never a rule as if it held.
///
/// A field of the options is written between backquotes, with its value if any: "`group_size`", "`units = all`", "`set
/// ffma.issue`". A program with a command line may show the option of the field instead.
struct Diagnostic {
  std::string where;    ///< file and JSON path or line, or the field: "saxpy.json: /body/2/op", "`group_size`"
  std::string problem;  ///< the fault, or a requirement: "no op \"fmaa\"", "an op must be a name"
  std::string found;    ///< details, such as the value in its place: "found 3"; may be empty
  std::string advice;   ///< the way out: "write a name such as \"fadd\""; may be empty
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// @return "where: problem; found; advice" without empty parts
std::string to_string(const Diagnostic& diagnostic);

/// Base of all errors that a user can mend. Holds at least one diagnostic.
class Error : public std::runtime_error {
 public:
  explicit Error(std::vector<Diagnostic> diagnostics);
  explicit Error(Diagnostic diagnostic) : Error(std::vector{std::move(diagnostic)}) {}
  const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// The command line is wrong, or has a name that is not in the files (exit status 2).
class UsageError : public Error {
  using Error::Error;
};

/// A file cannot be read or parsed or is wrong in itself, or an output cannot be created (exit status 3).
class InputError : public Error {
  using Error::Error;
};

/// Each file is good, but the files do not fit together (exit status 4).
class ModelError : public Error {
  using Error::Error;
};

/// A gate failed, or two engines disagree (exit status 5).
class GateError : public Error {
  using Error::Error;
};

/// A write failed, for example on a full disk (exit status 1).
class OutputError : public Error {
  using Error::Error;
};

/// Collects the problems of a file, to report them all at once.
class Diagnostics {
 public:
  void add(Diagnostic diagnostic) { list_.push_back(std::move(diagnostic)); }
  bool empty() const noexcept { return list_.empty(); }
  const std::vector<Diagnostic>& list() const noexcept { return list_; }

  /// @throws InputError with all added diagnostics, if there are any
  void throw_if_any() const;

 private:
  std::vector<Diagnostic> list_;
};

}  // namespace warpipe
