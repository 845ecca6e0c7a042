// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2_event_callbacks.h"

#include "fmt/format.h"

namespace fabrictwin {
namespace {

Otf2EventState& state_of(void* user) { return *static_cast<Otf2EventState*>(user); }

OTF2_CallbackCode finish(Otf2EventState& state, absl::Status status) {
  state.status = std::move(status);
  return state.status.ok() ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

// A record that has no form in a trace.
OTF2_CallbackCode refuse(void* user, std::string_view name, uint64_t time) {
  Otf2EventState& state = state_of(user);
  Otf2Record record{.name = name, .number = state.records++, .time = time};
  if (state.events == nullptr) {
    return finish(
        state, absl::UnimplementedError(fmt::format("location {}, record {} ({}): only the thread that is a rank may "
                                                    "communicate, and this is another one",
                                                    state.location, record.number, name)));
  }
  return finish(state,
                absl::UnimplementedError(state.events->at(record, "is not supported: a trace has no form for it")));
}

// A record that says nothing of communication.
template <typename... Rest>
OTF2_CallbackCode pass_over(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*, Rest...) {
  Otf2EventState& state = state_of(user);
  Otf2Record record{.name = "other", .number = state.records++, .time = time};
  return finish(state, state.events == nullptr ? absl::OkStatus() : state.events->other(record));
}

using Method = absl::Status (Otf2RankEvents::*)(const Otf2Record&);

OTF2_CallbackCode handle(void* user, std::string_view name, OTF2_TimeStamp time, Otf2Record record, Method method) {
  Otf2EventState& state = state_of(user);
  record.name = name;
  record.number = state.records++;
  record.time = time;
  return finish(state, (state.events->*method)(record));
}

OTF2_CallbackCode on_unknown(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*) {
  return refuse(user, "an unknown record", time);
}

// Declares ON_NAME, which refuses the record NAME whatever it carries.
#define FABRICTWIN_REFUSE(name)                                                                                     \
  template <typename... Rest>                                                                                       \
  OTF2_CallbackCode refuse_##name(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*, \
                                  Rest...) {                                                                        \
    return refuse(user, #name, time);                                                                               \
  }
FABRICTWIN_REFUSE(MpiSend)
FABRICTWIN_REFUSE(MpiIsend)
FABRICTWIN_REFUSE(MpiIsendComplete)
FABRICTWIN_REFUSE(MpiIrecvRequest)
FABRICTWIN_REFUSE(MpiRecv)
FABRICTWIN_REFUSE(MpiIrecv)
FABRICTWIN_REFUSE(MpiRequestCancelled)
FABRICTWIN_REFUSE(MpiCollectiveBegin)
FABRICTWIN_REFUSE(MpiCollectiveEnd)
FABRICTWIN_REFUSE(NonBlockingCollectiveRequest)
FABRICTWIN_REFUSE(NonBlockingCollectiveComplete)
FABRICTWIN_REFUSE(RmaWinCreate)
FABRICTWIN_REFUSE(RmaWinDestroy)
FABRICTWIN_REFUSE(RmaCollectiveBegin)
FABRICTWIN_REFUSE(RmaCollectiveEnd)
FABRICTWIN_REFUSE(RmaGroupSync)
FABRICTWIN_REFUSE(RmaRequestLock)
FABRICTWIN_REFUSE(RmaAcquireLock)
FABRICTWIN_REFUSE(RmaTryLock)
FABRICTWIN_REFUSE(RmaReleaseLock)
FABRICTWIN_REFUSE(RmaSync)
FABRICTWIN_REFUSE(RmaWaitChange)
FABRICTWIN_REFUSE(RmaPut)
FABRICTWIN_REFUSE(RmaGet)
FABRICTWIN_REFUSE(RmaAtomic)
FABRICTWIN_REFUSE(RmaOpCompleteBlocking)
FABRICTWIN_REFUSE(RmaOpCompleteNonBlocking)
FABRICTWIN_REFUSE(RmaOpTest)
FABRICTWIN_REFUSE(RmaOpCompleteRemote)
FABRICTWIN_REFUSE(CallingContextEnter)
FABRICTWIN_REFUSE(CallingContextLeave)
#undef FABRICTWIN_REFUSE

OTF2_CallbackCode on_measurement(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                 OTF2_MeasurementMode mode) {
  // What happens while nothing is recorded is missing.
  if (mode == OTF2_MEASUREMENT_OFF) return refuse(user, "MeasurementOnOff: off", time);
  return handle(user, "MeasurementOnOff", time, {}, &Otf2RankEvents::other);
}
OTF2_CallbackCode on_flush(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                           OTF2_TimeStamp stop) {
  return handle(user, "BufferFlush", time, {.stop = stop}, &Otf2RankEvents::flushed);
}
OTF2_CallbackCode on_enter(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                           OTF2_RegionRef region) {
  return handle(user, "Enter", time, {.region = region}, &Otf2RankEvents::enter);
}
OTF2_CallbackCode on_leave(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                           OTF2_RegionRef region) {
  return handle(user, "Leave", time, {.region = region}, &Otf2RankEvents::leave);
}
OTF2_CallbackCode on_send(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                          uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes) {
  return handle(user, "MpiSend", time, {.peer = receiver, .communicator = communicator, .tag = tag, .bytes = bytes},
                &Otf2RankEvents::send);
}
OTF2_CallbackCode on_isend(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                           uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes,
                           uint64_t request) {
  return handle(user, "MpiIsend", time,
                {.peer = receiver, .communicator = communicator, .tag = tag, .bytes = bytes, .request = request},
                &Otf2RankEvents::isend);
}
OTF2_CallbackCode on_isend_complete(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                    uint64_t request) {
  return handle(user, "MpiIsendComplete", time, {.request = request}, &Otf2RankEvents::send_complete);
}
OTF2_CallbackCode on_irecv_request(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                   uint64_t request) {
  return handle(user, "MpiIrecvRequest", time, {.request = request}, &Otf2RankEvents::receive_request);
}
OTF2_CallbackCode on_recv(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                          uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes) {
  return handle(user, "MpiRecv", time, {.peer = sender, .communicator = communicator, .tag = tag, .bytes = bytes},
                &Otf2RankEvents::receive);
}
OTF2_CallbackCode on_irecv(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                           uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes, uint64_t request) {
  return handle(user, "MpiIrecv", time,
                {.peer = sender, .communicator = communicator, .tag = tag, .bytes = bytes, .request = request},
                &Otf2RankEvents::receive_complete);
}
OTF2_CallbackCode on_cancelled(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                               uint64_t request) {
  return handle(user, "MpiRequestCancelled", time, {.request = request}, &Otf2RankEvents::cancelled);
}
OTF2_CallbackCode on_collective_end(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                    OTF2_CollectiveOp operation, OTF2_CommRef communicator, uint32_t root,
                                    uint64_t sent, uint64_t received) {
  return handle(user, "MpiCollectiveEnd", time, {.collective = {operation, communicator, root, sent, received}},
                &Otf2RankEvents::collective);
}
OTF2_CallbackCode on_collective_request(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user,
                                        OTF2_AttributeList*, uint64_t request) {
  return handle(user, "NonBlockingCollectiveRequest", time, {.request = request}, &Otf2RankEvents::collective_request);
}
OTF2_CallbackCode on_collective_complete(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user,
                                         OTF2_AttributeList*, OTF2_CollectiveOp operation, OTF2_CommRef communicator,
                                         uint32_t root, uint64_t sent, uint64_t received, uint64_t request) {
  return handle(user, "NonBlockingCollectiveComplete", time,
                {.request = request, .collective = {operation, communicator, root, sent, received}},
                &Otf2RankEvents::collective_complete);
}
OTF2_CallbackCode on_comm_destroy(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                  OTF2_CommRef communicator) {
  return handle(user, "CommDestroy", time, {.communicator = communicator}, &Otf2RankEvents::communicator_freed);
}

#define FABRICTWIN_PASS_OVER(name) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, pass_over)
#define FABRICTWIN_REFUSED(name) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, refuse_##name)

void refuse_one_sided(OTF2_EvtReaderCallbacks* callbacks) {
  FABRICTWIN_REFUSED(RmaWinCreate);
  FABRICTWIN_REFUSED(RmaWinDestroy);
  FABRICTWIN_REFUSED(RmaCollectiveBegin);
  FABRICTWIN_REFUSED(RmaCollectiveEnd);
  FABRICTWIN_REFUSED(RmaGroupSync);
  FABRICTWIN_REFUSED(RmaRequestLock);
  FABRICTWIN_REFUSED(RmaAcquireLock);
  FABRICTWIN_REFUSED(RmaTryLock);
  FABRICTWIN_REFUSED(RmaReleaseLock);
  FABRICTWIN_REFUSED(RmaSync);
  FABRICTWIN_REFUSED(RmaWaitChange);
  FABRICTWIN_REFUSED(RmaPut);
  FABRICTWIN_REFUSED(RmaGet);
  FABRICTWIN_REFUSED(RmaAtomic);
  FABRICTWIN_REFUSED(RmaOpCompleteBlocking);
  FABRICTWIN_REFUSED(RmaOpCompleteNonBlocking);
  FABRICTWIN_REFUSED(RmaOpTest);
  FABRICTWIN_REFUSED(RmaOpCompleteRemote);
}

void pass_over_threads(OTF2_EvtReaderCallbacks* callbacks) {
  FABRICTWIN_PASS_OVER(OmpFork);
  FABRICTWIN_PASS_OVER(OmpJoin);
  FABRICTWIN_PASS_OVER(OmpAcquireLock);
  FABRICTWIN_PASS_OVER(OmpReleaseLock);
  FABRICTWIN_PASS_OVER(OmpTaskCreate);
  FABRICTWIN_PASS_OVER(OmpTaskSwitch);
  FABRICTWIN_PASS_OVER(OmpTaskComplete);
  FABRICTWIN_PASS_OVER(ThreadFork);
  FABRICTWIN_PASS_OVER(ThreadJoin);
  FABRICTWIN_PASS_OVER(ThreadTeamBegin);
  FABRICTWIN_PASS_OVER(ThreadTeamEnd);
  FABRICTWIN_PASS_OVER(ThreadAcquireLock);
  FABRICTWIN_PASS_OVER(ThreadReleaseLock);
  FABRICTWIN_PASS_OVER(ThreadTaskCreate);
  FABRICTWIN_PASS_OVER(ThreadTaskSwitch);
  FABRICTWIN_PASS_OVER(ThreadTaskComplete);
  FABRICTWIN_PASS_OVER(ThreadCreate);
  FABRICTWIN_PASS_OVER(ThreadBegin);
  FABRICTWIN_PASS_OVER(ThreadWait);
  FABRICTWIN_PASS_OVER(ThreadEnd);
}

void pass_over_measurements(OTF2_EvtReaderCallbacks* callbacks) {
  FABRICTWIN_PASS_OVER(Metric);
  FABRICTWIN_PASS_OVER(ParameterString);
  FABRICTWIN_PASS_OVER(ParameterInt);
  FABRICTWIN_PASS_OVER(ParameterUnsignedInt);
  FABRICTWIN_PASS_OVER(CallingContextSample);
  FABRICTWIN_PASS_OVER(ProgramBegin);
  FABRICTWIN_PASS_OVER(ProgramEnd);
  FABRICTWIN_PASS_OVER(MpiRequestTest);
  FABRICTWIN_PASS_OVER(CommCreate);
}

void pass_over_files(OTF2_EvtReaderCallbacks* callbacks) {
  FABRICTWIN_PASS_OVER(IoCreateHandle);
  FABRICTWIN_PASS_OVER(IoDestroyHandle);
  FABRICTWIN_PASS_OVER(IoDuplicateHandle);
  FABRICTWIN_PASS_OVER(IoSeek);
  FABRICTWIN_PASS_OVER(IoChangeStatusFlags);
  FABRICTWIN_PASS_OVER(IoDeleteFile);
  FABRICTWIN_PASS_OVER(IoOperationBegin);
  FABRICTWIN_PASS_OVER(IoOperationTest);
  FABRICTWIN_PASS_OVER(IoOperationIssued);
  FABRICTWIN_PASS_OVER(IoOperationComplete);
  FABRICTWIN_PASS_OVER(IoOperationCancelled);
  FABRICTWIN_PASS_OVER(IoAcquireLock);
  FABRICTWIN_PASS_OVER(IoReleaseLock);
  FABRICTWIN_PASS_OVER(IoTryLock);
}

OTF2_EvtReaderCallbacks* common_callbacks() {
  OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, on_unknown);
  refuse_one_sided(callbacks);
  pass_over_threads(callbacks);
  pass_over_measurements(callbacks);
  pass_over_files(callbacks);
  return callbacks;
}

}  // namespace

OTF2_EvtReaderCallbacks* rank_event_callbacks() {
  OTF2_EvtReaderCallbacks* callbacks = common_callbacks();
  OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_measurement);
  OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
  FABRICTWIN_PASS_OVER(MpiCollectiveBegin);  // The end says what it was.
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_collective_request);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_complete);
  OTF2_EvtReaderCallbacks_SetCommDestroyCallback(callbacks, on_comm_destroy);
  FABRICTWIN_REFUSED(CallingContextEnter);
  FABRICTWIN_REFUSED(CallingContextLeave);
  return callbacks;
}

OTF2_EvtReaderCallbacks* thread_event_callbacks() {
  OTF2_EvtReaderCallbacks* callbacks = common_callbacks();
  FABRICTWIN_PASS_OVER(MeasurementOnOff);
  FABRICTWIN_PASS_OVER(BufferFlush);
  FABRICTWIN_PASS_OVER(Enter);
  FABRICTWIN_PASS_OVER(Leave);
  FABRICTWIN_PASS_OVER(CallingContextEnter);
  FABRICTWIN_PASS_OVER(CallingContextLeave);
  FABRICTWIN_PASS_OVER(CommDestroy);
  FABRICTWIN_REFUSED(MpiSend);
  FABRICTWIN_REFUSED(MpiIsend);
  FABRICTWIN_REFUSED(MpiIsendComplete);
  FABRICTWIN_REFUSED(MpiIrecvRequest);
  FABRICTWIN_REFUSED(MpiRecv);
  FABRICTWIN_REFUSED(MpiIrecv);
  FABRICTWIN_REFUSED(MpiRequestCancelled);
  FABRICTWIN_REFUSED(MpiCollectiveBegin);
  FABRICTWIN_REFUSED(MpiCollectiveEnd);
  FABRICTWIN_REFUSED(NonBlockingCollectiveRequest);
  FABRICTWIN_REFUSED(NonBlockingCollectiveComplete);
  return callbacks;
}

#undef FABRICTWIN_PASS_OVER
#undef FABRICTWIN_REFUSED

}  // namespace fabrictwin
