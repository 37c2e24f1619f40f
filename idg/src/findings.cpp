#include "warpipe/idg/findings.hpp"

#include <mutex>
#include <utility>

namespace warpipe {
namespace {

struct Listening {
  std::mutex mutex;
  FindingObserver observer;
};

Listening& listening() {
  static Listening one;
  return one;
}

}  // namespace

void tell_findings_to(FindingObserver observer) {
  const std::scoped_lock lock(listening().mutex);
  listening().observer = std::move(observer);
}

void tell(const Finding& finding) {
  const std::scoped_lock lock(listening().mutex);
  if (listening().observer) listening().observer(finding);
}

}  // namespace warpipe
