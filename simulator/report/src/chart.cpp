#include "chart.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "resources.hpp"

namespace warpipe {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* cycles = std::get_if<Ticks>(&cell)) return to_cycles(*cycles).count;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

}  // namespace

struct Chart::Specification {
  Json json;
};

Chart::Chart(std::string_view name)
    : specification_(new Specification{Json::parse(resource(fmt::format("{}.vl.json", name)))}) {}
Chart::~Chart() = default;
Chart::Chart(Chart&&) noexcept = default;
Chart& Chart::operator=(Chart&&) noexcept = default;

Chart& Chart::data(const std::string& name, const Records& records) {
  Json rows = Json::array();
  for (const auto& row : records.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[records.names[i]] = to_json(row[i]);
    rows.push_back(std::move(object));
  }
  specification_->json["datasets"][name] = std::move(rows);
  return *this;
}

Chart& Chart::set(const char* pointer, const Cell& value) {
  specification_->json[Json::json_pointer(pointer)] = to_json(value);
  return *this;
}

Chart& Chart::set(const char* pointer, const std::vector<double>& values) {
  specification_->json[Json::json_pointer(pointer)] = values;
  return *this;
}

Chart& Chart::set(const char* pointer, const std::vector<std::string>& values) {
  specification_->json[Json::json_pointer(pointer)] = values;
  return *this;
}

std::string Chart::text(const std::string& description) {
  specification_->json["description"] = description;
  return specification_->json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpipe
