#include <algorithm>
#include <chrono>

#include "calls.hpp"

namespace warpipe::programs {
namespace {

using namespace cuda;

double seconds_of_host() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Event* find_event(Session& session, void* handle) {
  auto* const event = static_cast<Event*>(handle);
  return session.events().contains(event) ? event : nullptr;
}

template <class Body>
Error answer_of(void* handle, Body&& body) {
  return answer([&](Session& session) {
    auto* const event = find_event(session, handle);
    return event == nullptr ? kInvalidHandle : body(session, *event);
  });
}

Error make_stream(void** handle, unsigned flags, int priority) {
  return answer([&](Session& session) {
    if (handle == nullptr || flags > 1) return kInvalidValue;
    auto* const stream = new Stream;
    stream->number = session.new_stream_number();
    stream->flags = static_cast<int>(flags);
    stream->priority = priority;
    session.streams().insert(stream);
    *handle = stream;
    return kSuccess;
  });
}

Error make_event(void** handle, unsigned flags) {
  return answer([&](Session& session) {
    if (handle == nullptr || flags > 7) return kInvalidValue;
    auto* const event = new Event;
    event->has_times = (flags & 2) == 0;
    session.events().insert(event);
    *handle = event;
    return kSuccess;
  });
}

Error record(void* handle, void* stream_handle) {
  return answer_on(stream_handle, [&](Session& session, Stream& stream) {
    auto* const event = find_event(session, handle);
    if (event == nullptr) return kInvalidHandle;
    if (stream.captures != nullptr) {
      event->captured = stream.captures;
      return kSuccess;
    }
    event->captured = nullptr;
    event->is_recorded = true;
    event->seconds = session.options().executes ? session.timeline().ready(stream.number) : seconds_of_host();
    // Where the host's own work counts, a stream may have been idle meanwhile.
    if (session.clock().is_virtual()) event->seconds = std::max(event->seconds, session.timeline().host());
    return kSuccess;
  });
}

Error wait(void* stream_handle, void* handle) {
  return answer_on(stream_handle, [&](Session& session, Stream& stream) {
    auto* const event = find_event(session, handle);
    if (event == nullptr) return kInvalidHandle;
    if (event->captured != nullptr)
      stream.captures = event->captured;  // joins the capture
    else if (event->is_recorded && stream.captures == nullptr)
      session.timeline().stream_waits(stream.number, session.options().executes ? event->seconds : 0);
    return kSuccess;
  });
}

Error elapsed(float* milliseconds, void* from, void* to) {
  return answer([&](Session& session) {
    const auto *const first = find_event(session, from), *const second = find_event(session, to);
    if (milliseconds == nullptr) return kInvalidValue;
    if (first == nullptr || second == nullptr || !first->has_times || !second->has_times) return kInvalidHandle;
    if (!first->is_recorded || !second->is_recorded) return kInvalidHandle;
    *milliseconds = static_cast<float>((second->seconds - first->seconds) * 1e3);
    return kSuccess;
  });
}

}  // namespace

// ---- streams ----

WARPIPE_CALL Error cudaStreamCreate(void** handle) { return make_stream(handle, 0, 0); }
WARPIPE_CALL Error cudaStreamCreateWithFlags(void** handle, unsigned flags) { return make_stream(handle, flags, 0); }
WARPIPE_CALL Error cudaStreamCreateWithPriority(void** handle, unsigned flags, int priority) {
  return make_stream(handle, flags, priority);
}
WARPIPE_CALL Error cudaStreamDestroy(void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    if (!session.streams().contains(&stream)) return kInvalidHandle;  // the permanent streams
    session.streams().erase(&stream);
    delete &stream;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaStreamSynchronize(void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    if (stream.captures != nullptr) return kCaptureUnsupported;
    session.timeline().host_waits(session.timeline().ready(stream.number));
    return kSuccess;
  });
}
WARPIPE_ALSO(cudaStreamSynchronize_ptsz, cudaStreamSynchronize);
WARPIPE_CALL Error cudaStreamQuery(void* handle) {
  return answer_on(handle, [](Session&, Stream&) { return kSuccess; });
}
WARPIPE_ALSO(cudaStreamQuery_ptsz, cudaStreamQuery);
WARPIPE_CALL Error cudaStreamWaitEvent(void* handle, void* event, unsigned /*flags*/) { return wait(handle, event); }
WARPIPE_ALSO(cudaStreamWaitEvent_ptsz, cudaStreamWaitEvent);
WARPIPE_CALL Error cudaStreamGetFlags(void* handle, unsigned* flags) {
  return answer_on(handle, [&](Session&, Stream& stream) { return put(flags, static_cast<unsigned>(stream.flags)); });
}
WARPIPE_ALSO(cudaStreamGetFlags_ptsz, cudaStreamGetFlags);
WARPIPE_CALL Error cudaStreamGetPriority(void* handle, int* priority) {
  return answer_on(handle, [&](Session&, Stream& stream) { return put(priority, stream.priority); });
}
WARPIPE_ALSO(cudaStreamGetPriority_ptsz, cudaStreamGetPriority);
WARPIPE_CALL Error cudaStreamGetId(void* handle, unsigned long long* id) {
  return answer_on(
      handle, [&](Session&, Stream& stream) { return put(id, static_cast<unsigned long long>(stream.number + 1)); });
}
WARPIPE_ALSO(cudaStreamGetId_ptsz, cudaStreamGetId);
WARPIPE_CALL Error cudaStreamGetDevice(void* handle, int* device) {
  return answer_on(handle, [&](Session&, Stream&) { return put(device, 0); });
}
WARPIPE_ALSO(cudaStreamGetDevice_ptsz, cudaStreamGetDevice);
WARPIPE_CALL Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return answer([&](Session&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaStreamSetAttribute(void* handle) {
  return answer_on(handle, [](Session&, Stream&) { return kSuccess; });
}
WARPIPE_ALSO(cudaStreamSetAttribute_ptsz, cudaStreamSetAttribute);
WARPIPE_CALL Error cudaLaunchHostFunc(void* handle, void (*function)(void*), void* data) {
  if (function == nullptr) return noted(kInvalidValue);
  bool is_now = false;
  const auto error = answer_on(handle, [&](Session& session, Stream& stream) {
    if (stream.captures != nullptr)
      return session.submit(stream, [function, data] {
        function(data);
        return kSuccess;
      });
    is_now = true;
    return kSuccess;
  });
  if (error == kSuccess && is_now) function(data);  // it may wait for another thread, which may call
  return error;
}
WARPIPE_ALSO(cudaLaunchHostFunc_ptsz, cudaLaunchHostFunc);
WARPIPE_CALL Error cudaStreamAddCallback(void* handle, void (*function)(void*, Error, void*), void* data,
                                         unsigned /*flags*/) {
  if (function == nullptr) return noted(kInvalidValue);
  const auto error = answer_on(
      handle, [](Session&, Stream& stream) { return stream.captures == nullptr ? kSuccess : kCaptureUnsupported; });
  if (error == kSuccess) function(handle, kSuccess, data);
  return error;
}
WARPIPE_ALSO(cudaStreamAddCallback_ptsz, cudaStreamAddCallback);

// ---- events ----

WARPIPE_CALL Error cudaEventCreate(void** handle) { return make_event(handle, 0); }
WARPIPE_CALL Error cudaEventCreateWithFlags(void** handle, unsigned flags) { return make_event(handle, flags); }
WARPIPE_CALL Error cudaEventDestroy(void* handle) {
  return answer_of(handle, [](Session& session, Event& event) {
    session.events().erase(&event);
    delete &event;
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaEventRecord(void* handle, void* stream) { return record(handle, stream); }
WARPIPE_ALSO(cudaEventRecord_ptsz, cudaEventRecord);
WARPIPE_CALL Error cudaEventRecordWithFlags(void* handle, void* stream, unsigned /*flags*/) {
  return record(handle, stream);
}
WARPIPE_ALSO(cudaEventRecordWithFlags_ptsz, cudaEventRecordWithFlags);
WARPIPE_CALL Error cudaEventSynchronize(void* handle) {
  return answer_of(handle, [](Session& session, Event& event) {
    if (session.options().executes && event.is_recorded) session.timeline().host_waits(event.seconds);
    return kSuccess;
  });
}
WARPIPE_CALL Error cudaEventQuery(void* handle) {
  return answer_of(handle, [](Session&, Event&) { return kSuccess; });
}
WARPIPE_CALL Error cudaEventElapsedTime(float* milliseconds, void* from, void* to) {
  return elapsed(milliseconds, from, to);
}
WARPIPE_ALSO(cudaEventElapsedTime_v2, cudaEventElapsedTime);

// ---- graphs: the captured work of a stream, done again by each launch ----

WARPIPE_CALL Error cudaStreamBeginCapture(void* handle, int mode) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    if (mode < 0 || mode > 2) return kInvalidValue;
    if (handle == nullptr || stream.captures != nullptr) return kCaptureUnsupported;
    stream.captures = new Graph;
    stream.begins_capture = true;
    session.graphs().insert(stream.captures);
    return kSuccess;
  });
}
WARPIPE_ALSO(cudaStreamBeginCapture_ptsz, cudaStreamBeginCapture);
WARPIPE_CALL Error cudaStreamEndCapture(void* handle, void** graph) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    if (graph == nullptr) return kInvalidValue;
    if (stream.captures == nullptr || !stream.begins_capture) return kCaptureUnmatched;
    auto* const made = stream.captures;
    for (auto* const other : session.streams())
      if (other->captures == made) other->captures = nullptr;
    stream.captures = nullptr;
    stream.begins_capture = false;
    for (auto* const event : session.events())
      if (event->captured == made) event->captured = nullptr;
    *graph = made;
    return kSuccess;
  });
}
WARPIPE_ALSO(cudaStreamEndCapture_ptsz, cudaStreamEndCapture);
WARPIPE_CALL Error cudaStreamIsCapturing(void* handle, int* status) {
  return answer_on(handle, [&](Session&, Stream& stream) { return put(status, stream.captures != nullptr ? 1 : 0); });
}
WARPIPE_ALSO(cudaStreamIsCapturing_ptsz, cudaStreamIsCapturing);
WARPIPE_CALL Error cudaThreadExchangeStreamCaptureMode(int* mode) {
  return answer([&](Session&) { return put(mode, 0); });
}
WARPIPE_CALL Error cudaGraphInstantiate(void** made, void* graph) {
  return answer([&](Session& session) {
    auto* const of = static_cast<Graph*>(graph);
    if (made == nullptr || !session.graphs().contains(of)) return kInvalidValue;
    auto* const copy = new Graph(*of);
    session.graphs().insert(copy);
    *made = copy;
    return kSuccess;
  });
}
WARPIPE_ALSO(cudaGraphInstantiateWithFlags, cudaGraphInstantiate);
WARPIPE_CALL Error cudaGraphLaunch(void* graph, void* handle) {
  return answer_on(handle, [&](Session& session, Stream& stream) {
    auto* const of = static_cast<Graph*>(graph);
    if (!session.graphs().contains(of)) return kInvalidValue;
    for (const auto& work : of->works)
      if (const auto error = session.submit(stream, work); error != kSuccess) return error;
    return kSuccess;
  });
}
WARPIPE_ALSO(cudaGraphLaunch_ptsz, cudaGraphLaunch);
WARPIPE_CALL Error cudaGraphUpload(void* graph) {
  return answer([&](Session& session) {
    return session.graphs().contains(static_cast<Graph*>(graph)) ? kSuccess : kInvalidValue;
  });
}
WARPIPE_ALSO(cudaGraphUpload_ptsz, cudaGraphUpload);
WARPIPE_CALL Error cudaGraphDestroy(void* graph) {
  return answer([&](Session& session) {
    auto* const of = static_cast<Graph*>(graph);
    if (session.graphs().erase(of) == 0) return kInvalidValue;
    delete of;
    return kSuccess;
  });
}
WARPIPE_ALSO(cudaGraphExecDestroy, cudaGraphDestroy);

}  // namespace warpipe::programs
