#pragma once

#include <memory>
#include <string>
#include <vector>

#include "address_streams.hpp"

namespace warpipe {

/// Flattens the body of a kernel for warps with the same values.
class ProgramBuilder {
 public:
  /// @param kind  of the groups
  /// @param warp  its index in its group
  ProgramBuilder(AddressStreams& streams, std::int64_t kind, std::int64_t warp);

  std::shared_ptr<WarpProgram> build();

 private:
  void set_names(std::int64_t warp);
  void walk(const std::vector<Item>& items);
  void add_loop(const Loop& loop);
  void leave_out_loop(std::size_t node, std::size_t index);
  void add_instruction(std::size_t index);
  void add_waits(const Instruction& instruction);
  void add_wait(const WarpProgram::Awaited& awaited);
  void add_access(std::size_t index, std::size_t number);
  std::vector<Range> everywhere() const;

  AddressStreams& streams_;
  Values values_;
  std::vector<std::string> coordinates_;  ///< names; empty for loops not around the place
  std::vector<std::size_t> around_;       ///< loops
  std::shared_ptr<WarpProgram> program_ = std::make_shared<WarpProgram>();
};

}  // namespace warpipe
