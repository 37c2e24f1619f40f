#include "minimize.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <nlopt.hpp>
#include <random>

namespace warpipe {
namespace {

constexpr std::uint64_t kSeed = 20190213;
constexpr double kFirstStep = 0.2;    // of a search from a start
constexpr double kFineStep = 0.03;    // of a search around the best
constexpr double kPolishStep = 0.01;  // of the last search
constexpr std::size_t kScanned = 12;  // places to each side of the start, in each coordinate
constexpr double kTolerance = 1e-4;   // of a coordinate
constexpr double kPolishTolerance = 1e-5;

/// A function with a count of its calls; its exceptions are carried past the library, which would lose them.
class Counted {
 public:
  explicit Counted(const std::function<double(const std::vector<double>&)>& function) : function_(function) {}

  double operator()(const std::vector<double>& at) {
    ++calls_;
    return function_(at);
  }
  std::size_t calls() const { return calls_; }

  static double call(const std::vector<double>& at, std::vector<double>& /*gradient*/, void* self) {
    auto& counted = *static_cast<Counted*>(self);
    try {
      return counted(at);
    } catch (...) {
      counted.thrown_ = std::current_exception();
      throw nlopt::forced_stop();
    }
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  const std::function<double(const std::vector<double>&)>& function_;
  std::size_t calls_ = 0;
  std::exception_ptr thrown_;
};

struct Box {
  std::vector<double> low, high;
};

Box box_around(const std::vector<double>& start, double half_width) {
  Box box{start, start};
  for (double& x : box.low) x -= half_width;
  for (double& x : box.high) x += half_width;
  return box;
}

struct Point {
  std::vector<double> at;
  double value;
};

struct LocalSearch {
  nlopt::algorithm algorithm;
  double first_step, tolerance;
  std::size_t evaluations;  ///< at most
};

Point search(Counted& function, const Point& start, const Box& box, const LocalSearch& local) {
  nlopt::opt optimizer(local.algorithm, static_cast<unsigned>(start.at.size()));
  optimizer.set_min_objective(Counted::call, &function);
  optimizer.set_lower_bounds(box.low);
  optimizer.set_upper_bounds(box.high);
  optimizer.set_initial_step(local.first_step);
  optimizer.set_xtol_abs(local.tolerance);
  optimizer.set_maxeval(static_cast<int>(local.evaluations));
  Point found = start;
  try {
    optimizer.optimize(found.at, found.value);
  } catch (const nlopt::roundoff_limited&) {
    found.value = optimizer.last_optimum_value();  // as near as numbers allow, and in `at`
  } catch (const nlopt::forced_stop&) {
    function.rethrow();
    throw;
  }
  return found.value < start.value ? found : start;
}

/// Points around the start, each coordinate drawn evenly. The generator's own numbers are the same everywhere; the
/// library's distributions are not.
std::vector<Point> draw(Counted& function, const std::vector<double>& start, double spread, std::size_t count) {
  std::mt19937_64 generator(kSeed);
  std::vector<Point> points;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> at = start;
    for (double& x : at) x += spread * (2 * static_cast<double>(generator() >> 11) * 0x1p-53 - 1);
    const double value = function(at);
    points.push_back({std::move(at), value});
  }
  std::ranges::stable_sort(points, {}, &Point::value);
  return points;
}

/// Goes along one coordinate after the other to the best of places over the whole range: out of plains where a value
/// does not matter until it is much larger. A search from their midst cannot see their end.
Point scan(Counted& function, const Point& start, double half_width) {
  Point best = start;
  for (std::size_t i = 0; i < start.at.size(); ++i) {
    const Point base = best;
    for (std::size_t place = 1; place <= kScanned; ++place) {
      for (const double side : {-1.0, 1.0}) {
        std::vector<double> at = base.at;
        at[i] += side * half_width * static_cast<double>(place) / static_cast<double>(kScanned);
        const double value = function(at);
        if (value < best.value) best = {std::move(at), value};
      }
    }
  }
  return best;
}

std::size_t most_in_coarse(std::size_t dimensions) { return 30 + 8 * dimensions; }
std::size_t most_in_fine(std::size_t dimensions) { return 30 + 10 * dimensions; }
std::size_t most_in_polish(std::size_t dimensions) { return 20 + 20 * dimensions; }
std::size_t calls_of_scan(std::size_t dimensions) { return 2 * kScanned * dimensions; }

}  // namespace

std::size_t most_evaluations(std::size_t dimensions, const SearchEffort& effort) {
  return 1 + calls_of_scan(dimensions) + effort.samples + (effort.starts + 2) * most_in_coarse(dimensions) +
         most_in_fine(dimensions) + most_in_polish(dimensions);
}

Minimum minimize(const std::function<double(const std::vector<double>&)>& function, const std::vector<double>& start,
                 double spread, const SearchEffort& effort) {
  Counted counted(function);
  const std::size_t dimensions = start.size();
  const Box box = box_around(start, 3 * spread);
  const Point given{start, counted(start)};
  std::vector<Point> starts{given, scan(counted, given, 3 * spread)};
  for (Point& point : draw(counted, start, spread, effort.samples)) {
    if (starts.size() < effort.starts + 2) starts.push_back(std::move(point));
  }
  // BOBYQA needs two dimensions.
  const nlopt::algorithm algorithm = dimensions > 1 ? nlopt::LN_BOBYQA : nlopt::LN_SBPLX;
  const LocalSearch coarse{algorithm, kFirstStep, kTolerance, most_in_coarse(dimensions)};
  const LocalSearch fine{algorithm, kFineStep, kTolerance, most_in_fine(dimensions)};
  const LocalSearch polish{nlopt::LN_SBPLX, kPolishStep, kPolishTolerance, most_in_polish(dimensions)};
  Point best = starts.front();
  for (const Point& point : starts) {
    const Point found = search(counted, point, box, coarse);
    if (found.value < best.value) best = found;
  }
  for (const LocalSearch& last : {fine, polish}) best = search(counted, best, box, last);
  return {best.at, best.value, counted.calls()};
}

}  // namespace warpipe
