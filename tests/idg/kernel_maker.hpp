#pragma once

#include <algorithm>
#include <cassert>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "warpipe/idg/kernel.hpp"

namespace warpipe {

/// Writes kernels down in a test, in program order.
class KernelMaker {
 public:
  struct After {
    After(const char* producer) : id(producer) {}  // lets lists of plain ids read as in a file
    After(const char* producer, double how_far, std::optional<Cycles> own = {})
        : id(producer), back(how_far), latency(own) {}
    After(const char* producer, Expression how_far) : id(producer), back(std::move(how_far)) {}
    std::string id;
    Expression back{1};
    std::optional<Cycles> latency;
  };

  using Body = std::function<void(KernelMaker&)>;

  KernelMaker& instruction(std::string id, std::vector<After> after = {}, std::string op = "fadd",
                           std::string text = "") {
    Instruction made;
    made.where = "/" + id;
    made.id = std::move(id);
    made.op = std::move(op);
    made.text = std::move(text);
    body_->emplace_back().node = kernel_.instructions.size();
    kernel_.instructions.push_back(std::move(made));
    after_.push_back(std::move(after));
    return *this;
  }

  KernelMaker& loop(std::string name, Expression trip_count, const Body& body) {
    Loop made{name, std::move(trip_count), {}, "/" + name};
    fill(made.body, body);
    body_->emplace_back().node = std::move(made);
    return *this;
  }

  KernelMaker& when(Expression condition, const Body& body) {
    When made{std::move(condition), {}, "/when"};
    fill(made.body, body);
    body_->emplace_back().node = std::move(made);
    return *this;
  }

  Kernel make(std::string name = "test") {
    kernel_.name = std::move(name);
    for (std::size_t i = 0; i < after_.size(); ++i)
      for (const After& after : after_[i])
        kernel_.instructions[i].after.push_back(Dependence{index_of(after.id), after.back, after.latency});
    return kernel_;
  }

 private:
  void fill(std::vector<Item>& inner, const Body& body) {
    std::vector<Item>* const outer = std::exchange(body_, &inner);
    body(*this);
    body_ = outer;
  }

  std::size_t index_of(const std::string& id) const {
    const auto found = std::find_if(kernel_.instructions.begin(), kernel_.instructions.end(),
                                    [&id](const Instruction& instruction) { return instruction.id == id; });
    assert(found != kernel_.instructions.end());
    return static_cast<std::size_t>(found - kernel_.instructions.begin());
  }

  Kernel kernel_;
  std::vector<std::vector<After>> after_;
  std::vector<Item>* body_ = &kernel_.body;
};

}  // namespace warpipe
