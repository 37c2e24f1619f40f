#include "warpipe/programs/options.hpp"

#include <limits>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/json_node.hpp"
#include "warpipe/idg/json_writer.hpp"

namespace warpipe::programs {

std::string write_options(const Options& options) {
  JsonWriter json;
  json.begin_object();
  json.member("executes", options.executes);
  json.member("folder", options.folder);
  json.member("form", options.form);
  json.member("records", options.records);
  json.member("execute_seconds", options.execute_seconds);
  json.member("predict_seconds", options.predict_seconds);
  json.member("link_bytes_per_second", options.link_bytes_per_second);
  json.member("device", write_device_json(options.device));
  json.end_object();
  return json.text();
}

Options read_options(std::string_view text, const std::string& file) {
  Diagnostics problems;
  const JsonDocument document(text, file, problems);
  const auto root = document.root();
  const auto text_of = [&](const char* key) {
    const auto node = root.require(key);
    return node ? node->string().value_or("") : std::string();
  };
  const auto number_of = [&](const char* key) {
    const auto node = root.require(key);
    return node ? node->number(0, std::numeric_limits<double>::max()).value_or(0) : 0;
  };
  Options options;
  if (const auto node = root.require("executes")) options.executes = node->boolean().value_or(false);
  if (const auto node = root.require("records")) options.records = node->boolean().value_or(true);
  options.folder = text_of("folder");
  options.form = text_of("form");
  options.execute_seconds = number_of("execute_seconds");
  options.predict_seconds = number_of("predict_seconds");
  options.link_bytes_per_second = number_of("link_bytes_per_second");
  const auto device = text_of("device");
  problems.throw_if_any();
  options.device = read_device_json(device, file);
  return options;
}

}  // namespace warpipe::programs
