#pragma once

#include <memory>
#include <string>

#include "session.hpp"

namespace warpipe::programs {

/// Bytes per second.
struct Rates {
  double link = 0;             ///< of the host's link, each way
  double copy = 0, write = 0;  ///< of device memory: moved by a copy, written by a set
};

/// Executes and predicts the launches of a program.
class Runner {
 public:
  Runner() = default;
  virtual ~Runner() = default;
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Predicts a launch, then executes it, and writes down its time.
  /// @return the error as a device would report it
  virtual cuda::Error run(const LaunchCall& call) = 0;
  /// @return the address of an image's variable; null where its code has no such name
  virtual void* address_of(Image& image, const std::string& name) = 0;
  /// Lets kernels reach memory of this process and some room behind it, and ends the access.
  virtual void add_memory(const void* begin, std::size_t bytes, std::size_t room) = 0;
  virtual void remove_memory(const void* begin) = 0;
  /// Lets kernels reach texels by the returned number, and ends the access.
  virtual std::uint64_t add_texture(const machine::Texture& texture) = 0;
  virtual void remove_texture(std::uint64_t number) = 0;
  virtual const Rates& rates() const = 0;
};

std::unique_ptr<Runner> make_runner(Session& session);

}  // namespace warpipe::programs
