#include "warpipe/idg/old_names.hpp"

#include <mutex>
#include <set>
#include <utility>

namespace warpipe {
namespace {

class Renamings {
 public:
  void add(Renaming renaming) {
    const std::lock_guard lock(mutex_);
    all_.insert(std::move(renaming));
  }

  std::vector<Renaming> take() {
    const std::lock_guard lock(mutex_);
    const std::set<Renaming> taken = std::exchange(all_, {});
    return {taken.begin(), taken.end()};
  }

 private:
  std::mutex mutex_;
  std::set<Renaming> all_;
};

Renamings& renamings() {
  static Renamings all;
  return all;
}

std::string replaced(std::string_view text, std::string_view old_part, std::string_view new_part) {
  const auto at = text.find(old_part);
  if (at == std::string_view::npos) return std::string(text);
  std::string result(text);
  return result.replace(at, old_part.size(), new_part);
}

/// The name with each part between dots that is `local` replaced.
std::string with_shared_parts(std::string_view name) {
  std::string result;
  for (bool more = true; more;) {
    const auto dot = name.find('.');
    const std::string_view part = name.substr(0, dot);
    result += part == "local" ? "shared" : part;
    more = dot != std::string_view::npos;
    if (more) result += '.';
    name.remove_prefix(more ? dot + 1 : name.size());
  }
  return result;
}

std::string translated(std::string_view name) {
  for (const std::string_view id : {"local_load_", "local_store_", "local_atomic_"})
    if (name.starts_with(id)) return replaced(name, "local", "shared");
  return replaced(replaced(with_shared_parts(name), "local_memory", "shared_memory"), "local-memory", "shared-memory");
}

}  // namespace

void note_renaming(Renaming renaming) { renamings().add(std::move(renaming)); }

std::string current_name(std::string_view name) {
  if (name.find("local") == std::string_view::npos) return std::string(name);
  std::string present = translated(name);
  if (present != name) note_renaming({std::string(name), present});
  return present;
}

std::optional<std::string> old_key(std::string_view key) {
  std::string before = replaced(key, "shared_memory", "local_memory");
  if (before == key) return std::nullopt;
  return before;
}

std::vector<Renaming> take_renamings() { return renamings().take(); }

}  // namespace warpipe
