#include "kernel/fetched_code.hpp"

#include <utility>
#include <variant>

namespace warpipe::isa {
namespace {

class Walk {
 public:
  Walk(const Program& program, const std::vector<std::int64_t>& issued, const Tally& all, FetchedCode& code)
      : program_(program), issued_(issued), all_(all), code_(code) {}

  /// @return bytes of a list of regions
  std::size_t bytes_of(const std::vector<Region>& regions) {
    std::size_t bytes = 0;
    for (const auto& region : regions) {
      const auto* loop = std::get_if<NaturalLoop>(&region.node);
      bytes += loop ? bytes_of(*loop) : bytes_of(std::get<std::uint32_t>(region.node));
    }
    return bytes;
  }

  void give_rest(std::size_t bytes) {
    for (const auto block : open_) code_.of_block[block] = bytes;
    open_.clear();
  }

 private:
  std::size_t bytes_of(const NaturalLoop& loop) {
    auto around = std::exchange(open_, {});
    const auto bytes = bytes_of(loop.body);
    const auto found = all_.loops.find(loop.header);
    if (found != all_.loops.end() && found->second.iterations.most > 1) give_rest(bytes);
    open_.insert(open_.end(), around.begin(), around.end());
    return bytes;
  }

  std::size_t bytes_of(std::uint32_t block) {
    if (all_.runs[block] == 0) return 0;
    open_.push_back(block);
    return static_cast<std::size_t>(issued_[block]) * program_.instruction_bytes;
  }

  const Program& program_;
  const std::vector<std::int64_t>& issued_;
  const Tally& all_;
  FetchedCode& code_;
  std::vector<std::uint32_t> open_;  ///< blocks outside all loops with several iterations, so far
};

}  // namespace

FetchedCode fetched_code(const Program& program, const ControlFlow& flow, const std::vector<std::int64_t>& issued,
                         const Tally& all) {
  FetchedCode code;
  code.of_block.resize(flow.blocks.size());
  Walk walk(program, issued, all, code);
  code.report.bytes = walk.bytes_of(flow.regions);
  walk.give_rest(code.report.bytes);
  double runs = 0, far = 0;
  for (std::size_t block = 0; block < flow.blocks.size(); ++block) {
    const auto here = all.runs[block] * static_cast<double>(issued[block]);
    runs += here;
    if (code.of_block[block] > kNearCode) far += here;
  }
  if (runs > 0) code.report.fetched_share = far / runs;
  return code;
}

}  // namespace warpipe::isa
