#pragma once

#include "declared_names.hpp"
#include "file_context.hpp"
#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// The context of the items of a body.
struct BodyContext {
  const FileContext& file;
  const DeclaredNames& names;
  ExpressionReader expressions;         ///< with the names visible in a body
  std::vector<std::string> loops = {};  ///< names of the loops around the items, the outermost first
};

/// Diagnoses a name already taken by an earlier item of the same sort.
/// @param declared  first appearances
/// @param what      "ids", "loop names"
void check_unique(const FileContext& context, const JsonNode& node, const std::string& name,
                  const std::map<std::string, DeclaredNames::Declaration, std::less<>>& declared,
                  std::string_view what);

/// Reads an item of a body that has an `op`; problems go to the context.
/// @source formats, "Kernel (an IDG)", the row "instruction"
Instruction read_instruction(const JsonNode& node, const BodyContext& context);

}  // namespace warpipe
