#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/idg/kernel.hpp"

namespace warpipe::isa {

using Warps = std::vector<std::int64_t>;  ///< ascending

/// An expression of `warp`, not zero for exactly these warps of `all`.
/// @param some  a part of `all`, not empty
std::string warp_condition(const Warps& some, const Warps& all);

/// An expression of `warp` with the given value for each warp; a plain number where all are alike.
/// @param values  by warp; not empty
std::string warp_table(const std::map<std::int64_t, std::int64_t>& values);

/// Warps of kinds of groups, ascending: warp + kind x warps of a group.
using Slots = std::vector<std::uint32_t>;

/// Writes differences between warps and between kinds of groups as expressions: of `warp` where it alone decides, else
/// as a value of the kinds.
class SlotValues {
 public:
  SlotValues(std::size_t kinds, std::size_t warps) : kinds_(kinds), warps_(warps) {}

  std::size_t kinds() const { return kinds_; }
  std::size_t kind_of(std::uint32_t slot) const { return slot / warps_; }
  std::int64_t warp_of(std::uint32_t slot) const { return static_cast<std::int64_t>(slot % warps_); }
  std::uint32_t slot(std::size_t kind, std::int64_t warp) const {
    return static_cast<std::uint32_t>(kind * warps_ + static_cast<std::size_t>(warp));
  }

  /// An expression, not zero for exactly these slots of `all`.
  /// @param some   a part of `all`, neither empty nor all of it
  /// @param about  its meaning, for a name
  Expression condition(const Slots& some, const Slots& all, const std::string& about);

  /// An expression with the given value for each slot; a plain number where all are alike.
  /// @param values     by slot, ascending; not empty
  /// @param of_others  the value of all further slots: unused, but seen by all checks
  Expression number(const std::vector<std::pair<std::uint32_t, std::int64_t>>& values, const std::string& about,
                    std::int64_t of_others = 0);

  /// Whether an expression is a value of the kinds.
  bool is_of_kinds(const Expression& expression) const { return columns_.contains(expression.text()); }

  /// The values of the kinds, by name.
  const std::map<std::string, GroupKinds::Column, std::less<>>& columns() const { return columns_; }

 private:
  Expression column(GroupKinds::Column column, const std::string& about);

  std::size_t kinds_, warps_;
  std::map<std::string, GroupKinds::Column, std::less<>> columns_;
  std::map<GroupKinds::Column, std::string> names_;
};

}  // namespace warpipe::isa
