#include "warpipe/isa/control_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <map>
#include <set>

#include "warpipe/idg/error.hpp"

namespace warpipe::isa {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

constexpr int kDeepestLoop = 32;
constexpr std::size_t kMostBlocks = 20'000;      // the library's dominators recurse
constexpr std::size_t kMostMembers = 2'000'000;  // blocks of all loops, counted once per loop

/// A loop as a set of blocks, before loops are put into loops.
struct Members {
  std::uint32_t header = 0;
  std::set<std::uint32_t> blocks;
};

class Analysis {
 public:
  explicit Analysis(const Program& program) : program_(program) {}

  ControlFlow run() {
    cut_blocks();
    connect();
    search();
    dominate();
    find_loops();
    flow_.regions = nest({order_.begin(), order_.end()}, kNoBlock, 0);
    return std::move(flow_);
  }

 private:
  [[noreturn]] void fail(std::uint32_t instruction, std::string rule, std::string found, std::string advice) const {
    const auto line = program_.instructions.empty() ? 0 : program_.instructions[instruction].line;
    throw InputError(Diagnostic{at_line(program_.file, line), std::move(rule), std::move(found), std::move(advice)});
  }

  void cut_blocks() {
    const auto count = static_cast<std::uint32_t>(program_.instructions.size());
    if (count == 0)
      throw InputError(
          Diagnostic{program_.file, fmt::format("the entry \"{}\" has no instructions", program_.name), "", ""});
    std::vector<bool> begins(count + 1, false);
    begins[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const auto target : program_.instructions[i].targets) begins[target] = true;
      const auto& instruction = program_.instructions[i];
      if (is_jump(instruction) || writes_mask(program_, instruction)) begins[i + 1] = true;
    }
    flow_.block_of.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (begins[i]) {
        if (flow_.blocks.size() >= kMostBlocks)
          fail(i, fmt::format("a kernel has at most {} basic blocks", kMostBlocks), "found more", "");
        flow_.blocks.push_back({i, i, {}, false, kNoBlock});
      }
      flow_.blocks.back().last = i + 1;
      flow_.block_of[i] = static_cast<std::uint32_t>(flow_.blocks.size() - 1);
    }
  }

  /// The block at an instruction; behind the last instruction a kernel ends.
  std::uint32_t block_at(std::uint32_t instruction) const {
    return instruction < flow_.block_of.size() ? flow_.block_of[instruction] : kNoBlock;
  }

  void connect() {
    for (auto& block : flow_.blocks) {
      const auto& last = program_.instructions[block.last - 1];
      const bool ends = last.flow == Instruction::Flow::Exit, jumps = is_jump(last) && !ends;
      if (jumps)
        for (const auto target : last.targets) go(block, block_at(target));
      if (ends) block.leaves = true;
      if ((!jumps && !ends) || last.guard) go(block, block_at(block.last));
    }
  }

  static void go(Block& block, std::uint32_t to) {
    if (to == kNoBlock) {
      block.leaves = true;
      return;
    }
    block.successors.push_back(to);
  }

  struct Search : boost::default_dfs_visitor {
    std::vector<std::uint32_t>* finished;
    std::vector<std::pair<std::uint32_t, std::uint32_t>>* retreating;
    void finish_vertex(Graph::vertex_descriptor vertex, const Graph&) const {
      finished->push_back(static_cast<std::uint32_t>(vertex));
    }
    void back_edge(Graph::edge_descriptor edge, const Graph& graph) const {
      retreating->emplace_back(boost::source(edge, graph), boost::target(edge, graph));
    }
  };

  /// Orders the blocks with every edge but the retreating edges forward; earlier text first where there is a choice.
  void search() {
    graph_ = Graph(flow_.blocks.size());
    for (std::uint32_t from = 0; from < flow_.blocks.size(); ++from) {
      auto successors = flow_.blocks[from].successors;
      std::ranges::sort(successors, std::greater<>());
      successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
      for (const auto to : successors) boost::add_edge(from, to, graph_);
    }
    Search visitor;
    visitor.finished = &order_;
    visitor.retreating = &retreating_;
    std::vector<boost::default_color_type> colours(flow_.blocks.size());
    boost::depth_first_visit(
        graph_, 0, visitor,
        boost::make_iterator_property_map(colours.begin(), boost::get(boost::vertex_index, graph_)));
    std::ranges::reverse(order_);
    rank_.assign(flow_.blocks.size(), kNoBlock);
    for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
    for (std::uint32_t i = 0; i < flow_.blocks.size(); ++i)
      if (rank_[i] == kNoBlock) boost::clear_vertex(i, graph_);
  }

  void dominate() {
    std::vector<Graph::vertex_descriptor> dominators(flow_.blocks.size(), Graph::null_vertex());
    boost::lengauer_tarjan_dominator_tree(
        graph_, 0, boost::make_iterator_property_map(dominators.begin(), boost::get(boost::vertex_index, graph_)));
    for (std::size_t i = 0; i < dominators.size(); ++i)
      if (dominators[i] != Graph::null_vertex()) flow_.blocks[i].dominator = static_cast<std::uint32_t>(dominators[i]);
  }

  bool dominates(std::uint32_t above, std::uint32_t below) const {
    while (below != kNoBlock && rank_[below] > rank_[above]) below = flow_.blocks[below].dominator;
    return below == above;
  }

  void find_loops() {
    std::map<std::uint32_t, Members> by_header;
    std::size_t counted = 0;
    for (const auto& [tail, header] : retreating_) {
      if (!dominates(header, tail))
        fail(flow_.blocks[header].first, "a loop is entered at one place (reducible control flow)",
             fmt::format("found the loop at {} entered at another, too",
                         place_name(program_, flow_.blocks[header].first)),
             "compile without jumps into loops");
      auto& loop = by_header[header];
      loop.header = header;
      loop.blocks.insert(header);
      std::vector<std::uint32_t> waiting{tail};
      while (!waiting.empty()) {
        const auto block = waiting.back();
        waiting.pop_back();
        if (!loop.blocks.insert(block).second) continue;
        if (++counted > kMostMembers)
          fail(flow_.blocks[header].first, "loops are smaller in sum", "found 2 million blocks", "");
        for (auto [edge, end] = boost::in_edges(block, graph_); edge != end; ++edge)
          waiting.push_back(static_cast<std::uint32_t>(boost::source(*edge, graph_)));
      }
    }
    for (auto& [header, loop] : by_header) loops_.push_back(std::move(loop));
    // The larger loops first: an outer loop comes before its inner loops.
    std::ranges::stable_sort(loops_, std::greater<>(), [](const Members& loop) { return loop.blocks.size(); });
    flow_.loops = loops_.size();
  }

  /// Puts the blocks of a region in order, with the outermost of its loops as regions of their own.
  std::vector<Region> nest(const std::set<std::uint32_t>& blocks, std::uint32_t header, int depth) {
    if (depth > kDeepestLoop)
      fail(flow_.blocks[header].first, fmt::format("loops are nested at most {} deep", kDeepestLoop), "found more", "");
    std::vector<std::uint32_t> in_order(blocks.begin(), blocks.end());
    std::ranges::sort(in_order, {}, [&](std::uint32_t block) { return rank_[block]; });
    std::set<std::uint32_t> placed;
    std::vector<Region> regions;
    for (const auto block : in_order) {
      if (placed.contains(block)) continue;
      const Members* loop = block == header ? nullptr : outermost_loop(block, blocks);
      if (loop == nullptr) {
        regions.push_back({block});
        continue;
      }
      placed.insert(loop->blocks.begin(), loop->blocks.end());
      regions.push_back(
          {NaturalLoop{block, place_name(program_, flow_.blocks[block].first), nest(loop->blocks, block, depth + 1)}});
    }
    return regions;
  }

  const Members* outermost_loop(std::uint32_t header, const std::set<std::uint32_t>& inside) const {
    const auto is_it = [&](const Members& loop) {
      return loop.header == header && loop.blocks.size() <= inside.size();
    };
    const auto found = std::ranges::find_if(loops_, is_it);
    return found == loops_.end() ? nullptr : &*found;
  }

  const Program& program_;
  ControlFlow flow_;
  Graph graph_;
  std::vector<std::uint32_t> order_, rank_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> retreating_;
  std::vector<Members> loops_;
};

}  // namespace

ControlFlow analyse_control_flow(const Program& program) { return Analysis(program).run(); }

}  // namespace warpipe::isa
