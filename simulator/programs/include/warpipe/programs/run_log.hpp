#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpipe::programs {

/// The log of an executed program, in its order.
struct RunEvents {
  struct Launch {
    std::string kernel;
    std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    std::size_t stream = 0;
    double begin = 0, end = 0;   ///< seconds of the timeline
    std::optional<double> time;  ///< seconds; nothing where it is not predicted
    std::string time_from;       ///< "prediction", "same launch", "other launches", "none"
    std::string limiter;
    std::int64_t assumptions = 0, recorded_groups = 0;
    std::string first_assumption, problem;
    bool is_executed = false;
    std::int64_t warp_instructions = 0, lane_instructions = 0;
    double host_seconds = 0;  ///< spent on its execution here
    std::string execution_problem;
  };
  struct Copy {
    std::string call, direction;  ///< "cudaMemcpy", "host to device"
    bool is_set = false;
    std::int64_t bytes = 0;
    std::size_t stream = 0;
    double begin = 0, end = 0;
  };
  std::vector<Launch> launches;
  std::vector<Copy> copies;
};

/// @param lines  of the logs; lines without one of these events are passed over
RunEvents read_events(const std::vector<std::string>& lines);

}  // namespace warpipe::programs
