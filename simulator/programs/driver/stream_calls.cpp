#include "../cudart/runtime_calls.hpp"
#include "calls.hpp"

namespace warpipe::programs {

using cuda::Error;

// ---- streams ----

WARPIPE_CALL Error cuStreamCreate(void** stream, unsigned flags) {
  return as(cudaStreamCreateWithPriority, stream, flags, 0);
}
WARPIPE_CALL Error cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return as(cudaStreamCreateWithPriority, stream, flags, priority);
}
WARPIPE_CALL Error cuStreamDestroy_v2(void* stream) { return as(cudaStreamDestroy, stream); }  // NOLINT: its name
WARPIPE_CALL Error cuStreamSynchronize(void* stream) { return as(cudaStreamSynchronize, stream); }
WARPIPE_ALSO(cuStreamSynchronize_ptsz, cuStreamSynchronize);
WARPIPE_CALL Error cuStreamQuery(void* stream) { return as(cudaStreamQuery, stream); }
WARPIPE_ALSO(cuStreamQuery_ptsz, cuStreamQuery);
WARPIPE_CALL Error cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return as(cudaStreamWaitEvent, stream, event, flags);
}
WARPIPE_ALSO(cuStreamWaitEvent_ptsz, cuStreamWaitEvent);
WARPIPE_CALL Error cuStreamGetFlags(void* stream, unsigned* flags) { return as(cudaStreamGetFlags, stream, flags); }
WARPIPE_ALSO(cuStreamGetFlags_ptsz, cuStreamGetFlags);
WARPIPE_CALL Error cuStreamGetPriority(void* stream, int* priority) {
  return as(cudaStreamGetPriority, stream, priority);
}
WARPIPE_ALSO(cuStreamGetPriority_ptsz, cuStreamGetPriority);
WARPIPE_CALL Error cuStreamGetCtx(void* stream, void** context) {
  return drive_on(stream, [&](Session& session, Stream&) {
    return put(context, static_cast<void*>(session.contexts().current()));
  });
}
WARPIPE_ALSO(cuStreamGetCtx_ptsz, cuStreamGetCtx);
WARPIPE_CALL Error cuLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  return as(cudaLaunchHostFunc, stream, function, data);
}
WARPIPE_ALSO(cuLaunchHostFunc_ptsz, cuLaunchHostFunc);
WARPIPE_CALL Error cuStreamAddCallback(void* stream, void (*function)(void*, Error, void*), void* data,
                                       unsigned flags) {
  return as(cudaStreamAddCallback, stream, function, data, flags);
}
WARPIPE_ALSO(cuStreamAddCallback_ptsz, cuStreamAddCallback);

// ---- events ----

WARPIPE_CALL Error cuEventCreate(void** event, unsigned flags) { return as(cudaEventCreateWithFlags, event, flags); }
WARPIPE_CALL Error cuEventDestroy_v2(void* event) { return as(cudaEventDestroy, event); }  // NOLINT
WARPIPE_CALL Error cuEventRecord(void* event, void* stream) { return as(cudaEventRecord, event, stream); }
WARPIPE_ALSO(cuEventRecord_ptsz, cuEventRecord);
WARPIPE_CALL Error cuEventRecordWithFlags(void* event, void* stream, unsigned /*flags*/) {
  return as(cudaEventRecord, event, stream);
}
WARPIPE_ALSO(cuEventRecordWithFlags_ptsz, cuEventRecordWithFlags);
WARPIPE_CALL Error cuEventSynchronize(void* event) { return as(cudaEventSynchronize, event); }
WARPIPE_CALL Error cuEventQuery(void* event) { return as(cudaEventQuery, event); }
WARPIPE_CALL Error cuEventElapsedTime(float* milliseconds, void* from, void* to) {
  return as(cudaEventElapsedTime, milliseconds, from, to);
}
WARPIPE_ALSO(cuEventElapsedTime_v2, cuEventElapsedTime);

// ---- graphs ----

WARPIPE_CALL Error cuStreamBeginCapture_v2(void* stream, int mode) {  // NOLINT
  return as(cudaStreamBeginCapture, stream, mode);
}
WARPIPE_ALSO(cuStreamBeginCapture_v2_ptsz, cuStreamBeginCapture_v2);
WARPIPE_CALL Error cuStreamEndCapture(void* stream, void** graph) { return as(cudaStreamEndCapture, stream, graph); }
WARPIPE_ALSO(cuStreamEndCapture_ptsz, cuStreamEndCapture);
WARPIPE_CALL Error cuStreamIsCapturing(void* stream, int* status) { return as(cudaStreamIsCapturing, stream, status); }
WARPIPE_ALSO(cuStreamIsCapturing_ptsz, cuStreamIsCapturing);
WARPIPE_CALL Error cuGraphInstantiateWithFlags(void** made, void* graph) {
  return as(cudaGraphInstantiate, made, graph);
}
WARPIPE_CALL Error cuGraphLaunch(void* graph, void* stream) { return as(cudaGraphLaunch, graph, stream); }
WARPIPE_ALSO(cuGraphLaunch_ptsz, cuGraphLaunch);
WARPIPE_CALL Error cuGraphDestroy(void* graph) { return as(cudaGraphDestroy, graph); }
WARPIPE_ALSO(cuGraphExecDestroy, cuGraphDestroy);

}  // namespace warpipe::programs
