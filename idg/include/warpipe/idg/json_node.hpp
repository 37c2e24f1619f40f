#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "warpipe/idg/error.hpp"
#include "warpipe/idg/units.hpp"

/// Strict reading of JSON with a diagnosis for every fault. Hides the JSON library from all other headers.

namespace warpipe {

class JsonDocument;

/// A value of a JSON document and the path to it. An accessor that meets an unexpected value adds a diagnostic and
/// returns nothing, so a reader goes on and reports all problems of a file at once. Valid while its JsonDocument lives.
class JsonNode {
 public:
  const std::string& path() const noexcept { return path_; }

  bool is_object() const;
  bool is_array() const;
  bool is_string() const;
  bool is_number() const;
  bool is_null() const;

  /// Members in file order; diagnoses a value that is no object.
  std::vector<std::pair<std::string, JsonNode>> members() const;
  /// Elements in order; diagnoses a value that is no array.
  std::vector<JsonNode> elements() const;
  /// The member with this key; nothing, without a diagnosis, if there is none or the value is no object.
  std::optional<JsonNode> find(std::string_view key) const;
  /// The member with this key; diagnoses its absence.
  std::optional<JsonNode> require(std::string_view key) const;
  /// Diagnoses every member whose key is not in `allowed` (with the nearest name), and a value that is no object.
  /// @return whether the value is an object
  bool allow_keys(std::span<const std::string_view> allowed) const;
  bool allow_keys(std::initializer_list<std::string_view> allowed) const {
    return allow_keys(std::span(allowed.begin(), allowed.size()));
  }

  std::optional<std::string> string() const;
  std::optional<bool> boolean() const;
  /// A finite number in [least, most].
  std::optional<double> number(double least, double most) const;
  /// A number with an integral value (2, 2.0, 1e9) in [least, most].
  std::optional<std::int64_t> whole(std::int64_t least, std::int64_t most = kLargestWhole) const;

  /// Adds a diagnostic at this value, with the value as the text found.
  void fail(std::string problem, std::string advice = {}) const;

  /// The value as text for a message, cut after some 60 characters.
  std::string shown() const;

 private:
  friend class JsonDocument;
  JsonNode(const JsonDocument& document, const void* value, std::string path)
      : document_(&document), value_(value), path_(std::move(path)) {}
  const JsonDocument* document_;
  const void* value_;
  std::string path_;  ///< JSON pointer: "/body/2/op"; empty for the root
};

/// A parsed file. Duplicate keys, nesting deeper than 200 levels, invalid UTF-8, numbers outside the range of a double
/// and any text after the value are problems of the file.
class JsonDocument {
 public:
  /// @param text         the file's content
  /// @param file         its name, for messages
  /// @param diagnostics  takes all problems found through this document; outlives it
  /// @throws InputError  where the text is no JSON at all, with line and column
  JsonDocument(std::string_view text, std::string file, Diagnostics& diagnostics);
  ~JsonDocument();
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;

  JsonNode root() const;
  const std::string& file() const noexcept { return file_; }

  /// Checks `format` and `version` of the root.
  /// @return whether the rest is worth reading
  bool expect_format(std::string_view format, std::int64_t version) const;

 private:
  friend class JsonNode;
  struct Parsed;
  std::string file_;
  Diagnostics& diagnostics_;
  std::unique_ptr<Parsed> parsed_;
};

/// Reads a whole file; "-" is standard input.
/// @throws InputError where it cannot be read
std::string read_text_file(const std::string& path);

}  // namespace warpipe
