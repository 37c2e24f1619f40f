#include "warpipe/graph/idg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "warpipe/idg/error.hpp"

namespace warpipe {
namespace {

/// A whole number of the kernel; an error names its place.
std::int64_t whole_at(const Expression& expression, const Values& values, std::int64_t least, const Kernel& kernel,
                      const std::string& where) {
  try {
    return expression.evaluate_whole(values, least);
  } catch (const ModelError& error) {
    Diagnostic diagnostic = error.diagnostics().front();
    diagnostic.where = kernel.file.empty() ? where : kernel.file + ": " + where;
    throw ModelError(std::move(diagnostic));
  }
}

class Builder {
 public:
  Builder(const Kernel& kernel, const Values& values) : kernel_(kernel), values_(values) {
    idg_.kernel = kernel.name;
    for (std::size_t i = 0; i < kernel.instructions.size(); ++i) boost::add_vertex(idg_.graph);
  }

  Idg build() && {
    add_nodes(kernel_.body, std::nullopt);
    assert(next_ == kernel_.instructions.size());
    for (std::size_t consumer = 0; consumer < kernel_.instructions.size(); ++consumer) add_dependences(consumer);
    return std::move(idg_);
  }

 private:
  void add_nodes(const std::vector<Item>& body, std::optional<std::size_t> loop) {
    for (const Item& item : body) {
      if (const auto* index = std::get_if<std::size_t>(&item.node)) {
        add_node(*index, loop);
      } else if (const auto* inner = std::get_if<Loop>(&item.node)) {
        add_loop(*inner, loop);
      } else {
        const When& when = std::get<When>(item.node);
        conditions_.push_back(when.condition.text());
        add_nodes(when.body, loop);
        conditions_.pop_back();
      }
    }
  }

  void add_node(std::size_t index, std::optional<std::size_t> loop) {
    assert(index == next_ && "instructions stand in program order");
    const Instruction& instruction = kernel_.instructions[index];
    idg_.graph[index] = IdgNode{instruction.id, instruction.op, instruction.text, loop, conditions_};
    ++next_;
  }

  void add_loop(const Loop& loop, std::optional<std::size_t> parent) {
    const std::size_t index = idg_.loops.size();
    idg_.loops.push_back(IdgLoop{loop.name, loop.trip_count.text(), parent, next_, next_});
    sources_.push_back(&loop);
    add_nodes(loop.body, index);
    idg_.loops[index].last = next_;
  }

  void add_dependences(std::size_t consumer) {
    const Instruction& instruction = kernel_.instructions[consumer];
    for (std::size_t i = 0; i < instruction.after.size(); ++i) {
      const Dependence& dependence = instruction.after[i];
      const std::size_t producer = dependence.producer;
      IdgEdge edge;
      edge.back = whole_at(dependence.back, values_, 1, kernel_, fmt::format("{}/after/{}/back", instruction.where, i));
      edge.loop = common_loop(producer, consumer);
      edge.distance = executions_back_in_loop(producer, edge.back - 1, edge.loop) + (producer < consumer ? 0 : 1);
      edge.latency = dependence.latency;
      if (!edge.loop && edge.loop_carried()) continue;
      edge.index = boost::num_edges(idg_.graph);
      boost::add_edge(producer, consumer, edge, idg_.graph);
    }
  }

  /// The innermost loop around both instructions: climb from the inner loop until they meet. A parent's index is
  /// smaller than its child's, and no loop at all is less than any.
  std::optional<std::size_t> common_loop(std::size_t producer, std::size_t consumer) const {
    std::optional<std::size_t> a = idg_.graph[producer].loop;
    std::optional<std::size_t> b = idg_.graph[consumer].loop;
    while (a != b) {
      std::optional<std::size_t>& inner = a > b ? a : b;
      inner = idg_.loops[*inner].parent;
    }
    return a;
  }

  /// Converts executions of the producer, counted back from its last one in an iteration, to iterations of `loop`.
  std::int64_t executions_back_in_loop(std::size_t producer, std::int64_t executions,
                                       std::optional<std::size_t> loop) const {
    for (auto inner = idg_.graph[producer].loop; inner != loop && executions > 0; inner = idg_.loops[*inner].parent) {
      const Loop& source = *sources_[*inner];
      const std::int64_t trips = whole_at(source.trip_count, values_, 0, kernel_, source.where + "/trip_count");
      executions /= std::max<std::int64_t>(trips, 1);
    }
    return executions;
  }

  const Kernel& kernel_;
  const Values& values_;
  Idg idg_;
  std::size_t next_ = 0;                 ///< the next instruction in program order
  std::vector<std::string> conditions_;  ///< around the current item
  std::vector<const Loop*> sources_;     ///< of Idg::loops
};

}  // namespace

Idg build_idg(const Kernel& kernel, const Values& values) { return Builder(kernel, values).build(); }

}  // namespace warpipe
