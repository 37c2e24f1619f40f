#include "warpipe/kernels/write_kernel.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace warpipe {
namespace {

using Json = nlohmann::ordered_json;

/// A plain number as a number, whole numbers without ".0"; anything else as its text.
Json value_of(const Expression& expression) {
  const auto& text = expression.text();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return text;
  if (std::floor(number) == number && std::abs(number) <= static_cast<double>(kLargestWhole))
    return static_cast<std::int64_t>(number);
  return number;
}

Json value_of(Cycles cycles) { return value_of(Expression(cycles.count)); }

template <class Value>
void put(Json& object, const char* key, const std::optional<Value>& value) {
  if (value) object[key] = value_of(*value);
}

void put(Json& object, const char* key, const std::string& text) {
  if (!text.empty()) object[key] = text;
}

void put(Json& object, const char* key, Json value) {
  if (!value.empty()) object[key] = std::move(value);
}

class Writer {
 public:
  explicit Writer(const Kernel& kernel) : kernel_(kernel) {}

  std::string write() {
    Json head{{"format", "warpipe-kernel"}, {"version", 1}, {"name", kernel_.name}};
    put(head, "description", kernel_.description);
    put(head, "origin", kernel_.origin);
    put(head, "form", kernel_.form);
    if (kernel_.policy) head["policy"] = to_string(*kernel_.policy);
    put(head, "parameters", parameters());
    put(head, "launch", launch());
    put(head, "resources", resources());
    put(head, "work", work());
    put(head, "arrays", arrays());
    put(head, "signals", signals());
    if (const auto& sizes = kernel_.counted_for)
      head["counted_for"] = Json{{"sector_bytes", sizes->sector_bytes},
                                 {"line_bytes", sizes->line_bytes},
                                 {"banks", sizes->banks},
                                 {"bank_bytes", sizes->bank_bytes}};
    if (kernel_.kinds) put(head, "kinds", kinds(*kernel_.kinds));
    text_ = "{\n";
    for (const auto& [key, value] : head.items()) text_ += fmt::format("  \"{}\": {},\n", key, shown(value));
    text_ += "  \"body\": [\n";
    items(kernel_.body, 2);
    return std::move(text_) + "  ]\n}\n";
  }

 private:
  /// Replaces invalid UTF-8, which may stand in the text of a program.
  static std::string shown(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

  Json parameters() const {
    Json object = Json::object();
    for (const auto& [name, value] : kernel_.parameters) object[name] = value_of(Expression(value));
    return object;
  }

  Json launch() const {
    Json object = Json::object();
    put(object, "group_size", kernel_.launch.group_size);
    put(object, "groups", kernel_.launch.groups);
    put(object, "concurrent_groups", kernel_.launch.concurrent_groups);
    put(object, "block", sizes(kernel_.launch.block));
    put(object, "grid", sizes(kernel_.launch.grid));
    return object;
  }

  static Json sizes(const std::vector<Expression>& along) {
    Json array = Json::array();
    for (const Expression& size : along) array.push_back(value_of(size));
    return array;
  }

  Json arrays() const {
    Json object = Json::object();
    for (const Array& array : kernel_.arrays) {
      Json& written = object[array.name] = Json{{"bytes", value_of(array.bytes)}};
      if (array.thread_private) written["thread_private"] = true;
    }
    return object;
  }

  Json signals() const {
    Json object = Json::object();
    for (const Signal& signal : kernel_.signals) {
      Json& written = object[signal.name] = Json{{"arrivals", value_of(signal.arrivals)}};
      if (signal.open != Expression(0)) written["open"] = value_of(signal.open);
    }
    return object;
  }

  Json resources() const {
    Json object = Json::object();
    put(object, "registers_per_thread", kernel_.resources.registers_per_thread);
    put(object, "shared_memory_per_group", kernel_.resources.shared_memory_per_group);
    return object;
  }

  Json work() const {
    Json object = Json::object();
    put(object, "flops", kernel_.work.flops);
    put(object, "bytes", kernel_.work.bytes);
    put(object, "compulsory_bytes", kernel_.work.compulsory_bytes);
    return object;
  }

  static Json kinds(const GroupKinds& kinds) {
    Json object = Json::object();
    if (const auto* expression = std::get_if<Expression>(&kinds.of_group)) {
      object["of_group"] = value_of(*expression);
    } else {
      auto& runs = object["of_group"] = Json::array();
      for (const auto& run : std::get<std::vector<GroupKinds::Run>>(kinds.of_group))
        runs.push_back({run.kind, run.groups});
    }
    for (const auto& [name, column] : kinds.values) {
      auto& written = object["values"][name] = Json::array();
      for (const auto& of_kind : column)
        written.push_back(of_kind.size() == 1 ? number(of_kind.front()) : list(of_kind));
    }
    if (kinds.uncertain > 0) object["uncertain"] = kinds.uncertain;
    return object;
  }

  static Json number(double value) { return value_of(Expression(value)); }

  static Json list(const std::vector<double>& values) {
    Json array = Json::array();
    for (const double value : values) array.push_back(number(value));
    return array;
  }

  Json after(const Instruction& instruction) const {
    Json list = Json::array();
    for (const auto& dependence : instruction.after) {
      const auto& id = kernel_.instructions[dependence.producer].id;
      if (dependence.back == Expression(1) && !dependence.latency) {
        list.push_back(id);
        continue;
      }
      Json entry{{"id", id}};
      if (dependence.back != Expression(1)) entry["back"] = value_of(dependence.back);
      put(entry, "latency", dependence.latency);
      list.push_back(std::move(entry));
    }
    return list;
  }

  Json access(const AccessPattern& access) const {
    Json object{{"width_bytes", value_of(access.width_bytes)}};
    if (const auto* strided = std::get_if<AccessPattern::Strided>(&access.lanes))
      object["stride_bytes"] = value_of(strided->stride_bytes);
    if (std::holds_alternative<AccessPattern::Broadcast>(access.lanes)) object["pattern"] = "broadcast";
    if (const auto* lanes = std::get_if<AccessPattern::PerLane>(&access.lanes))
      object["lane_offsets_bytes"] = sizes(lanes->offsets_bytes);
    if (const auto* addressed = std::get_if<AccessPattern::Addressed>(&access.lanes)) {
      object["array"] = kernel_.arrays[addressed->array].name;
      object["address"] = value_of(addressed->address);
    }
    if (const auto* sampled = std::get_if<AccessPattern::Sampled>(&access.lanes)) {
      object["array"] = kernel_.arrays[sampled->array].name;
      if (sampled->executions_per_warp != std::ssize(sampled->executions))
        object["executions_per_warp"] = sampled->executions_per_warp;
      if (sampled->shift_bytes != 0) object["shift_bytes"] = sampled->shift_bytes;
      if (sampled->again_bytes != 0) object["again_bytes"] = sampled->again_bytes;
      if (!sampled->fixed.empty()) object["fixed"] = sampled->fixed;
      object["addresses"] = executions(*sampled);
    }
    if (access.past_unit) object["past_unit"] = true;
    return object;
  }

  static Json executions(const AccessPattern::Sampled& sampled) {
    Json list = Json::array();
    for (const auto& lanes : sampled.executions) {
      Json& written = list.emplace_back(Json::array());
      for (const std::int64_t address : lanes)
        written.push_back(address == AccessPattern::kNotActive ? Json() : Json(address));
    }
    return list;
  }

  static Json levels(const std::vector<LevelUse>& levels) {
    Json object = Json::object();
    for (const LevelUse& use : levels) {
      Json& written = object[use.level] = Json::object();
      put(written, "share", use.share);
      put(written, "sectors", use.sectors);
    }
    return object;
  }

  std::string instruction(const Instruction& instruction) const {
    Json object{{"id", instruction.id}, {"op", instruction.op}};
    put(object, "after", after(instruction));
    put(object, "conflict_degree", instruction.conflict_degree);
    put(object, "transactions", instruction.transactions);
    put(object, "issue_latency", instruction.issue_latency);
    put(object, "completion_latency", instruction.completion_latency);
    put(object, "lines", instruction.lines);
    put(object, "turns", instruction.turns);
    if (instruction.register_reads > 1) object["register_reads"] = instruction.register_reads;
    if (instruction.stall > 0) object["stall"] = instruction.stall;
    if (instruction.code_bytes > 0) object["code_bytes"] = instruction.code_bytes;
    if (instruction.access) object["access"] = access(*instruction.access);
    put(object, "levels", levels(instruction.levels));
    if (instruction.arrives) object["arrives"] = kernel_.signals[*instruction.arrives].name;
    if (instruction.awaits) object["awaits"] = kernel_.signals[*instruction.awaits].name;
    put(object, "text", instruction.text);
    return shown(object);
  }

  void items(const std::vector<Item>& body, int depth) {
    const std::string margin(static_cast<std::size_t>(2 * depth), ' ');
    for (std::size_t i = 0; i < body.size(); ++i) {
      text_ += margin;
      if (const auto* index = std::get_if<std::size_t>(&body[i].node))
        text_ += instruction(kernel_.instructions[*index]);
      if (const auto* loop = std::get_if<Loop>(&body[i].node)) {
        text_ += fmt::format("{{ \"loop\": {}, \"trip_count\": {}, \"body\": [\n", shown(loop->name),
                             shown(value_of(loop->trip_count)));
        items(loop->body, depth + 1);
        text_ += margin + "] }";
      }
      if (const auto* when = std::get_if<When>(&body[i].node)) {
        text_ += fmt::format("{{ \"when\": {}, \"body\": [\n", shown(value_of(when->condition)));
        items(when->body, depth + 1);
        text_ += margin + "] }";
      }
      text_ += i + 1 < body.size() ? ",\n" : "\n";
    }
  }

  const Kernel& kernel_;
  std::string text_;
};

}  // namespace

std::string write_kernel_json(const Kernel& kernel) { return Writer(kernel).write(); }

}  // namespace warpipe
