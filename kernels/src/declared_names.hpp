#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/idg/json_node.hpp"

namespace warpipe {

/// The ids, loops, arrays and signals of a kernel file, collected before any reference is resolved: `after` may name an
/// instruction further down, when a loop carries the dependence.
struct DeclaredNames {
  struct Declaration {
    std::size_t index;  ///< its number among its sort, in program order
    std::string path;   ///< JSON path of its first appearance
  };

  std::map<std::string, Declaration, std::less<>> ids;
  std::map<std::string, Declaration, std::less<>> loops;
  std::vector<std::string> id_list;  ///< program order, for suggestions
  std::vector<std::string> arrays;   ///< in the order of the file
  std::vector<std::string> signals;  ///< likewise
};

/// Collects the names without any diagnosis: the reader proper finds the problems.
/// @param body    the kernel's body
/// @param arrays, signals  their names
/// @return        every id and loop with its first appearance. Where the file has no problem, the index of an id is the
///                index of its instruction.
/// @complexity    linear in the items, times the logarithm of their number
DeclaredNames collect_names(const JsonNode& body, std::vector<std::string> arrays, std::vector<std::string> signals);

}  // namespace warpipe
