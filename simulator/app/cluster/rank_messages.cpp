#include "cluster/rank_messages.hpp"

#include <nlohmann/json.hpp>

namespace warpipe::app {

using Json = nlohmann::json;

Bytes pack(const ToLead& message) {
  return Json::to_cbor(Json{message.saying, message.thread, message.seconds, message.results, message.computer,
                            message.text, message.inputs, message.is_fatal});
}

ToLead unpack_to_lead(const Bytes& bytes) {
  const auto json = Json::from_cbor(bytes);
  return {json[0], json[1], json[2], json[3], json[4], json[5], json[6], json[7]};
}

Bytes pack(const Items& items) { return Json::to_cbor(Json{items.of_range, items.seconds}); }

Items unpack_items(const Bytes& bytes) {
  const auto json = Json::from_cbor(bytes);
  return {json[0], json[1]};
}

std::uint64_t fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace warpipe::app
