#include "fast/stream_outline.hpp"

namespace warpipe {

StreamOutline::StreamOutline(const InstructionStream& stream)
    : loop_at(stream.steps.size(), kNoLoop), loop_around(stream.trips.size(), kNoLoop) {
  std::vector<const LoopEnd*> open;  // the loops around a step, the innermost last
  for (std::size_t i = stream.steps.size(); i-- > 0;) {
    const Step& step = stream.steps[i];
    for (std::uint32_t end = step.loop_ends.end; end-- > step.loop_ends.begin;) {
      const LoopEnd& loop = stream.loop_ends[end];
      if (!open.empty()) loop_around[loop.counter] = open.back()->counter;
      open.push_back(&loop);
    }
    if (!open.empty()) loop_at[i] = open.back()->counter;
    while (!open.empty() && open.back()->first == i) open.pop_back();
  }
  for (std::uint32_t i = 0; i < stream.steps.size(); ++i)
    if (stream.steps[i].score.depth > 0) producers.push_back(i);
}

}  // namespace warpipe
