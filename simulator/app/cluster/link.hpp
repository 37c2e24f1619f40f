#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpipe::app {

using Bytes = std::vector<std::uint8_t>;

/// Messages between the processes of a job, called ranks and numbered from 0. May be used by several threads.
class Link {
 public:
  struct Message {
    std::size_t from = 0;
    Bytes bytes;
  };

  Link() = default;
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  /// Messages with the same sender and tag arrive in the order in which they were sent.
  virtual void send(std::size_t to, int tag, const Bytes& bytes) = 0;
  /// @return the next message with this tag, from any rank; nothing if there is none now
  virtual std::optional<Message> receive(int tag) = 0;
};

/// Joins the other processes started by the same launcher of MPI.
/// @return nothing where it was started alone: then MPI is not touched
/// @throws UsageError where it was started with others, and this program has no MPI or another MPI
std::unique_ptr<Link> open_link();

/// "MPI: Open MPI 4.1.4", or "built without MPI".
std::string name_of_mpi();

}  // namespace warpipe::app
