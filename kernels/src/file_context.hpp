#pragma once

#include <span>
#include <string>
#include <string_view>

#include "warpipe/idg/expression.hpp"
#include "warpipe/idg/json_node.hpp"

/// The parts common to the whole kernel reader: the list of problems, and the reading of names and numbers.

namespace warpipe {

/// The file to read and the list of its problems.
struct FileContext {
  std::string file;
  Diagnostics& diagnostics;

  /// Adds a problem at `node` not explained by the value of the node alone.
  void fail(const JsonNode& node, std::string problem, std::string found, std::string advice) const;
};

/// Diagnoses a name forbidden by the format for ids, loops and parameters.
/// @param node  the place to blame
/// @param what  "an id", "a loop", "a parameter"
/// @source formats, "Names"
void check_name(const FileContext& context, const JsonNode& node, std::string_view what, std::string_view name);

/// Reads numbers that may be expressions, all with the same visible names.
class ExpressionReader {
 public:
  /// @param visible  the names visible to the expressions; outlives the reader
  ExpressionReader(const FileContext& context, std::span<const std::string> visible)
      : context_(context), visible_(visible) {}

  /// @return a whole number in [least, 2^53] or an expression; 0 where a problem was added
  Expression whole(const JsonNode& node, std::int64_t least) const;

  /// @return a finite number of at least `least` or an expression; 0 where a problem was added
  Expression number(const JsonNode& node, double least) const;

  /// The names visible to the expressions.
  std::span<const std::string> visible() const { return visible_; }

 private:
  Expression parse(const JsonNode& node) const;

  const FileContext& context_;
  std::span<const std::string> visible_;
};

}  // namespace warpipe
