#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "warpipe/views/records.hpp"

namespace warpipe {

/// A Vega-Lite specification of charts/, to be filled in.
class Chart {
 public:
  /// @param name  "roofline"
  explicit Chart(std::string_view name);
  ~Chart();
  Chart(Chart&&) noexcept;
  Chart& operator=(Chart&&) noexcept;

  /// Fills a named data set of the specification.
  Chart& data(const std::string& name, const Records& records);
  /// Sets a value of the specification.
  /// @param pointer  a JSON pointer: "/encoding/x/title"
  Chart& set(const char* pointer, const Cell& value);
  Chart& set(const char* pointer, const std::vector<double>& values);
  Chart& set(const char* pointer, const std::vector<std::string>& values);
  /// Adds the description for readers who do not see the chart, where Vega expects it, and returns all as JSON.
  std::string text(const std::string& description);

 private:
  struct Specification;
  std::unique_ptr<Specification> specification_;
};

}  // namespace warpipe
