#include "contexts.hpp"

#include <vector>

namespace warpipe::programs {
namespace {

thread_local std::vector<Context*> stack;

}  // namespace

Context* Contexts::make(unsigned flags) {
  auto* const made = new Context{flags};
  all_.insert(made);
  return made;
}

bool Contexts::destroy(Context* context) {
  if (all_.erase(context) == 0) return false;
  if (current() == context) pop();
  return true;  // its address is never given again: other threads may have it on their stacks
}

void Contexts::use_primary() {
  initialise();
  if (!stack.empty()) return;
  push(&primary_);
  if (holders_ == 0) holders_ = 1;
}

Context* Contexts::current() const { return stack.empty() ? nullptr : stack.back(); }

void Contexts::push(Context* context) { stack.push_back(context); }

Context* Contexts::pop() {
  auto* const top = current();
  if (top != nullptr) stack.pop_back();
  return top;
}

}  // namespace warpipe::programs
