#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "warpipe/idg/kernel.hpp"

/// A kernel as a graph: its instructions, and their dependences over iterations of loops. The only header that includes
/// Boost.Graph; code passing a graph on declares `struct Idg;`. A simulation does not need it.

namespace warpipe {

/// An instruction. Its vertex descriptor is its index into Kernel::instructions, and so its place in program order.
struct IdgNode {
  std::string id;
  std::string op;
  std::string text;                     ///< the source line; may be empty
  std::optional<std::size_t> loop;      ///< the innermost loop around it, an index into Idg::loops
  std::vector<std::string> conditions;  ///< of the `when` blocks around it, outermost first
};

/// A dependence, from the producer to the consumer.
struct IdgEdge {
  std::size_t index = 0;            ///< in the order of consumers and their `after`
  std::int64_t back = 1;            ///< waits for the back-th most recent execution of the producer
  std::int64_t distance = 0;        ///< iterations of `loop` from the producer's execution to the consumer's
  std::optional<std::size_t> loop;  ///< the innermost loop around both; empty if there is none
  std::optional<Cycles> latency;    ///< replaces the producer's completion latency

  bool loop_carried() const { return distance > 0; }
};

/// A loop. Its instructions, inner loops included, are [first, last) in program order.
struct IdgLoop {
  std::string name;
  std::string trip_count;             ///< as written
  std::optional<std::size_t> parent;  ///< the loop around it; its index is smaller
  std::size_t first = 0;
  std::size_t last = 0;
};

/// The instruction dependence graph of one warp.
struct Idg {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, IdgNode, IdgEdge>;

  std::string kernel;          ///< its name
  std::vector<IdgLoop> loops;  ///< in program order, an outer loop before its inner loops
  Graph graph;                 ///< parallel edges are allowed
};

/// Makes the graph of a kernel. All loops and `when` blocks count as entered.
///
/// The distance of a dependence counts iterations of the innermost loop L around both ends. A producer in loops inside
/// L runs several times per iteration of L, T in all, so
///   distance = floor((back - 1) / T), plus 1 unless the producer comes before the consumer.
/// Outside all loops an execution one "iteration" ago does not exist: such a dependence never waits and is left out.
/// @param kernel  read and checked
/// @param values  the values for the body's expressions: parameters, group_size, warps, warp; needed only for names in
///                a `back`, or in the trip count of a loop that a `back` above 1 reaches into
/// @return        the graph; edges in the order of the file
/// @throws ModelError for a `back` or such a trip count without a value, or with a value that is not whole
/// @complexity    (V + E) x depth of the loop nest
/// @source        rule 3 of the model
Idg build_idg(const Kernel& kernel, const Values& values);

}  // namespace warpipe
