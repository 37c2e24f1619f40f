#include "warpipe/idg/json_node.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "warpipe/idg/findings.hpp"
#include "warpipe/idg/nearest_name.hpp"
#include "warpipe/idg/units.hpp"

namespace warpipe {
namespace {

using Json = nlohmann::ordered_json;  // keeps the file's order of keys

constexpr std::size_t kDeepest = 200;     // readers walk documents recursively
constexpr std::size_t kMostKeys = 10000;  // an ordered object is searched key by key
constexpr std::size_t kLargestFile = std::size_t{256} << 20;

const Json& json(const void* value) { return *static_cast<const Json*>(value); }

/// A key as a token of a JSON pointer (RFC 6901).
std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) token += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return token;
}

/// nlohmann's message without its own prefix: "line 1, column 5: syntax error ...".
std::string parser_message(const std::exception& error) {
  std::string text = error.what();
  if (const auto end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  if (text.starts_with("parse error at ")) text.erase(0, std::strlen("parse error at "));
  return text;
}

/// Builds the value of a document from the parser's events, and reports faults not visible in the value: duplicate
/// keys, and depth before it hurts. (The library's parser with a callback also works, but behind each object of an
/// array it walks over all elements before it.)
class DocumentBuilder final : public Json::json_sax_t {
 public:
  DocumentBuilder(Json& root, const std::string& file, Diagnostics& diagnostics)
      : root_(root), file_(file), diagnostics_(diagnostics) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // text has none

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    require_depth();
    Level& level = open_.back();
    level.key = std::move(key);
    if (level.value->size() == kMostKeys) refuse(fmt::format("an object has more than {} keys", kMostKeys));
    if (level.value->contains(level.key))
      diagnostics_.add({file_ + ": " + path(), fmt::format("the key \"{}\" is there twice", level.key), "",
                        "remove one of the two"});
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override {
    throw InputError(Diagnostic{file_, "not JSON: " + parser_message(error), "", "correct it there"});
  }

 private:
  /// An object or array that has not ended. Elements become the array at its end: adding them one by one, the library
  /// would walk over all elements before each.
  struct Level {
    Json* value;
    std::string key = {};         ///< of an object, the latest
    Json::array_t elements = {};  ///< of an array
  };

  Json& place(Json value) {
    require_depth();
    if (open_.empty()) return root_ = std::move(value);
    Level& level = open_.back();
    if (!level.value->is_array()) return (*level.value)[level.key] = std::move(value);
    level.elements.push_back(std::move(value));
    return level.elements.back();
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json empty) {
    Json& value = place(std::move(empty));
    open_.push_back({&value});
    return true;
  }

  bool close() {
    Level& level = open_.back();
    if (level.value->is_array()) *level.value = Json(std::move(level.elements));
    open_.pop_back();
    return true;
  }

  void require_depth() const {
    if (open_.size() > kDeepest) refuse(fmt::format("values are nested more than {} levels deep", kDeepest));
  }

  /// The path to the next value.
  std::string path() const {
    std::string path;
    for (const Level& level : open_) {
      const bool is_last = &level == &open_.back();
      path += '/' + (level.value->is_array() ? std::to_string(level.elements.size() - (is_last ? 0 : 1))
                                             : pointer_token(level.key));
    }
    return path;
  }

  [[noreturn]] void refuse(const std::string& problem) const {
    constexpr std::size_t kLongest = 60;
    std::string place = path();
    if (place.size() > kLongest) place = place.substr(0, place.rfind('/', kLongest)) + "/...";
    throw InputError(Diagnostic{fmt::format("{}: {}", file_, place), problem, "", "simplify the file"});
  }

  Json& root_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  std::vector<Level> open_;
};

/// "this is a kernel file, a device file is needed here" of two formats of this program.
std::string wrong_format(std::string_view found, std::string_view wanted) {
  constexpr std::string_view kOwn = "warpipe-";
  if (!found.starts_with(kOwn) || !wanted.starts_with(kOwn))
    return fmt::format("the format \"{}\" is unknown, \"{}\" is needed here", found, wanted);
  const auto noun = [&](std::string_view format) {
    format.remove_prefix(kOwn.size());
    const bool has_vowel = std::string_view("aeiou").find(format.substr(0, 1)) != std::string_view::npos;
    return fmt::format("{} {} file", has_vowel ? "an" : "a", format);
  };
  return fmt::format("this is {}, {} is needed here", noun(found), noun(wanted));
}

std::string limits_text(double least, double most) {
  if (std::isfinite(most)) return fmt::format("a number from {} to {}", least, most);
  if (std::isfinite(least)) return fmt::format("a number of at least {}", least);
  return "a finite number";
}

}  // namespace

struct JsonDocument::Parsed {
  Json root;
};

JsonDocument::JsonDocument(std::string_view text, std::string file, Diagnostics& diagnostics)
    : file_(std::move(file)), diagnostics_(diagnostics), parsed_(std::make_unique<Parsed>()) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(Diagnostic{file_, "the file is empty", "", ""});
  DocumentBuilder builder(parsed_->root, file_, diagnostics_);
  Json::sax_parse(text, &builder);
}

JsonDocument::~JsonDocument() = default;

JsonNode JsonDocument::root() const { return JsonNode(*this, &parsed_->root, ""); }

bool JsonDocument::expect_format(std::string_view format, std::int64_t version) const {
  const JsonNode top = root();
  if (!top.is_object()) {
    top.fail(fmt::format("the file must hold one object of format \"{}\"", format));
    return false;
  }
  const auto found_format = top.require("format");
  const auto found_version = top.require("version");
  if (!found_format || !found_version) return false;
  if (found_format->string() != std::string(format)) {
    if (const auto text = found_format->is_string() ? found_format->string() : std::nullopt)
      diagnostics_.add({file_ + ": /format", wrong_format(*text, format), "", ""});
    return false;
  }
  if (const auto number = found_version->whole(1); number && *number != version) {
    found_version->fail(fmt::format("only version {} can be read", version), "convert the file or use a newer program");
    return false;
  }
  return true;
}

bool JsonNode::is_object() const { return json(value_).is_object(); }
bool JsonNode::is_array() const { return json(value_).is_array(); }
bool JsonNode::is_string() const { return json(value_).is_string(); }
bool JsonNode::is_null() const { return json(value_).is_null(); }
bool JsonNode::is_number() const { return json(value_).is_number(); }

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  std::vector<std::pair<std::string, JsonNode>> members;
  if (!is_object()) {
    fail("an object is expected");
    return members;
  }
  for (const auto& [key, value] : json(value_).items())
    members.emplace_back(key, JsonNode(*document_, &value, path_ + '/' + pointer_token(key)));
  return members;
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> elements;
  if (!is_array()) {
    fail("an array is expected");
    return elements;
  }
  for (const Json& value : json(value_))
    elements.push_back(JsonNode(*document_, &value, fmt::format("{}/{}", path_, elements.size())));
  return elements;
}

std::optional<JsonNode> JsonNode::find(std::string_view key) const {
  if (!is_object()) return std::nullopt;
  if (const auto found = json(value_).find(std::string(key)); found != json(value_).end())
    return JsonNode(*document_, &*found, path_ + '/' + pointer_token(key));
  return std::nullopt;
}

std::optional<JsonNode> JsonNode::require(std::string_view key) const {
  auto found = find(key);
  if (!found && is_object())
    document_->diagnostics_.add({fmt::format("{}: {}", document_->file_, path_.empty() ? "/" : path_),
                                 fmt::format("the key \"{}\" is missing", key), "", "add it"});
  return found;
}

bool JsonNode::allow_keys(std::span<const std::string_view> allowed) const {
  if (!is_object()) {
    fail("an object is expected");
    return false;
  }
  const std::vector<std::string> names(allowed.begin(), allowed.end());
  const auto is_allowed = [&](const std::string& key) { return std::ranges::find(names, key) != names.end(); };
  for (const auto& [key, value] : json(value_).items())
    if (!is_allowed(key))
      document_->diagnostics_.add({fmt::format("{}: {}/{}", document_->file_, path_, pointer_token(key)),
                                   fmt::format("unknown key \"{}\"", key), "", suggest(key, names)});
  return true;
}

std::optional<std::string> JsonNode::string() const {
  if (is_string()) return json(value_).get<std::string>();
  fail("a string is expected");
  return std::nullopt;
}

std::optional<bool> JsonNode::boolean() const {
  if (json(value_).is_boolean()) return json(value_).get<bool>();
  fail("true or false is expected");
  return std::nullopt;
}

std::optional<double> JsonNode::number(double least, double most) const {
  if (is_number()) {
    const double value = json(value_).get<double>();
    if (std::isfinite(value) && value >= least && value <= most) return value;
  }
  fail(limits_text(least, most) + " is expected");
  return std::nullopt;
}

std::optional<std::int64_t> JsonNode::whole(std::int64_t least, std::int64_t most) const {
  if (is_number()) {
    const double value = json(value_).get<double>();
    // As a double, 2^53 + 1 would pass for 2^53.
    const bool beyond = json(value_).is_number_integer() && json(value_) > Json(most);
    if (!beyond && std::floor(value) == value && value >= static_cast<double>(least) &&
        value <= static_cast<double>(most))
      return static_cast<std::int64_t>(value);
  }
  fail(fmt::format("a whole number from {} to {} is expected", least,
                   most == kLargestWhole ? "2^53" : fmt::to_string(most)));
  return std::nullopt;
}

void JsonNode::fail(std::string problem, std::string advice) const {
  document_->diagnostics_.add({fmt::format("{}: {}", document_->file_, path_.empty() ? "/" : path_), std::move(problem),
                               "found " + shown(), std::move(advice)});
}

std::string JsonNode::shown() const {
  const Json& value = json(value_);
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t kLongest = 60;
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside a UTF-8 sequence
  return text.substr(0, end) + "...";
}

std::string read_text_file(const std::string& path) {
  const bool is_standard_input = path == "-";
  const std::string name = is_standard_input ? "standard input" : path;
  const auto refuse = [&](const std::string& problem) {
    tell({Finding::Kind::Other, path, {}});
    return InputError(Diagnostic{name, problem, "", ""});
  };
  const auto cannot_read = [&](int error) {
    return refuse(error == ENOENT ? "no such file" : fmt::format("the file cannot be read: {}", std::strerror(error)));
  };
  std::FILE* file = is_standard_input ? stdin : std::fopen(path.c_str(), "rb");
  if (file == nullptr) throw cannot_read(errno);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> closer(
      file, is_standard_input ? [](std::FILE*) { return 0; } : [](std::FILE* opened) { return std::fclose(opened); });
  std::string text;
  std::vector<char> block(std::size_t{1} << 16);
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file)) {
    text.append(block.data(), count);
    if (text.size() > kLargestFile) throw refuse(fmt::format("the file is larger than {} MiB", kLargestFile >> 20));
  }
  if (std::ferror(file) != 0) throw cannot_read(errno);
  tell({is_standard_input ? Finding::Kind::Other : Finding::Kind::Text, path, text});
  return text;
}

}  // namespace warpipe
