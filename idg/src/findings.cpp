#include "warpipe/idg/findings.hpp"

#include <mutex>
#include <utility>

namespace warpipe {
namespace {

struct Listening {
  std::mutex mutex;
  FindingListener listener;
};

Listening& listening() {
  static Listening one;
  return one;
}

}  // namespace

void tell_findings_to(FindingListener listener) {
  const std::scoped_lock lock(listening().mutex);
  listening().listener = std::move(listener);
}

void tell(const Finding& finding) {
  const std::scoped_lock lock(listening().mutex);
  if (listening().listener) listening().listener(finding);
}

}  // namespace warpipe
