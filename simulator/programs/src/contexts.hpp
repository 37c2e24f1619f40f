#pragma once

#include <cstddef>
#include <set>

namespace warpipe::programs {

/// A context of the driver. Memory, modules and streams are the device's: no context has its own.
struct Context {
  unsigned flags = 0;
};

/// The contexts of a device, with a stack per thread: the top of a thread's stack is its current context.
class Contexts {
 public:
  bool is_initialised() const { return is_initialised_; }
  void initialise() { is_initialised_ = true; }

  Context* make(unsigned flags);
  /// Takes it off the thread's stack, too, where it is on top.
  /// @return false for an invalid handle, and for the primary context
  bool destroy(Context* context);
  bool has(Context* context) const { return context == &primary_ || all_.contains(context); }

  /// The context of the runtime, which counts its holders.
  Context& primary() { return primary_; }
  std::size_t& holders() { return holders_; }
  /// As a call of the runtime does: the primary context becomes current where none is.
  void use_primary();

  /// @return null where none is current to the thread
  Context* current() const;
  void push(Context* context);
  /// @return the former top of the stack; null where it was empty
  Context* pop();

 private:
  bool is_initialised_ = false;
  Context primary_;
  std::size_t holders_ = 0;
  std::set<Context*> all_;  ///< without the primary
};

}  // namespace warpipe::programs
