#pragma once

#include <cstddef>
#include <set>

namespace warpipe::programs {

/// A context of the driver. Memory, modules and streams are the device's: no context has its own.
struct Context {
  unsigned flags = 0;
};

/// The contexts of a device, and which of them is current to a thread: the top of a stack that each thread has.
class Contexts {
 public:
  bool is_initialised() const { return is_initialised_; }
  void initialise() { is_initialised_ = true; }

  Context* make(unsigned flags);
  /// Takes it off the thread's stack, too, where it is on top.
  /// @return false for a handle that is none, and for the primary context
  bool destroy(Context* context);
  bool has(Context* context) const { return context == &primary_ || all_.contains(context); }

  /// That of the runtime, which counts who holds it.
  Context& primary() { return primary_; }
  std::size_t& holders() { return holders_; }
  /// As a call of the runtime does: the primary context becomes current where none is.
  void use_primary();

  /// @return null where none is current to the thread
  Context* current() const;
  void push(Context* context);
  /// @return the one that was on top; null where there was none
  Context* pop();

 private:
  bool is_initialised_ = false;
  Context primary_;
  std::size_t holders_ = 0;
  std::set<Context*> all_;  ///< without the primary
};

}  // namespace warpipe::programs
