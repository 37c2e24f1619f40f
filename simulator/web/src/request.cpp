#include "request.hpp"

#include <nlohmann/json.hpp>

namespace warpipe::web {

Request read_request(std::string_view json) {
  const auto root = nlohmann::json::parse(json);
  return {root.at("arguments").get<std::vector<std::string>>(),
          root.at("files").get<std::map<std::string, std::string>>(), root.value("with_surroundings", false)};
}

}  // namespace warpipe::web
