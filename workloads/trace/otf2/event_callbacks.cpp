// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2/event_callbacks.h"

#include <algorithm>

#include "fmt/format.h"

namespace fabrictwin::trace::otf2 {
namespace {

EventState& state_of(void* user) { return *static_cast<EventState*>(user); }

OTF2_CallbackCode finish(EventState& state, absl::Status status) {
  state.status = std::move(status);
  return state.status.ok() ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

// Refuses a record that a trace cannot express.
OTF2_CallbackCode refuse(void* user, std::string_view name, uint64_t time) {
  EventState& state = state_of(user);
  Record record{.name = name, .number = state.records++, .time = time};
  if (state.events == nullptr) {
    return finish(
        state, absl::UnimplementedError(fmt::format("location {}, record {} ({}): only the thread that is a rank may "
                                                    "communicate, and this is another one",
                                                    state.location, record.number, name)));
  }
  return finish(state,
                absl::UnimplementedError(state.events->at(record, "is not supported: a trace has no form for it")));
}

// Handles a record that does not concern communication.
template <typename... Rest>
OTF2_CallbackCode pass_over(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*, Rest...) {
  EventState& state = state_of(user);
  Record record{.name = "other", .number = state.records++, .time = time};
  return finish(state, state.events == nullptr ? absl::OkStatus() : state.events->other(record));
}

using Method = absl::Status (RankEvents::*)(const Record&);

OTF2_CallbackCode handle(void* user, std::string_view name, OTF2_TimeStamp time, Record record, Method method) {
  EventState& state = state_of(user);
  record.name = name;
  record.number = state.records++;
  record.time = time;
  return finish(state, (state.events->*method)(record));
}

OTF2_CallbackCode on_unknown(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*) {
  return refuse(user, "an unknown record", time);
}

// A name as a template argument.
template <size_t kSize>
struct Name {
  constexpr Name(const char (&name)[kSize]) { std::copy_n(name, kSize, text); }  // NOLINT(google-explicit-constructor)
  char text[kSize];
};

// Refuses the record kName whatever it carries.
template <Name kName, typename... Rest>
OTF2_CallbackCode refuse_record(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                Rest...) {
  return refuse(user, kName.text, time);
}

// Passes the record kName to kMethod; kFields are the members for the record's values, in order.
template <Name kName, Method kMethod, auto... kFields>
struct Read {
  template <typename... Values>
  static OTF2_CallbackCode record(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                  Values... values) {
    Record record;
    ((record.*kFields = values), ...);
    return handle(user, kName.text, time, record, kMethod);
  }
};

OTF2_CallbackCode on_measurement(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                 OTF2_MeasurementMode mode) {
  // Events are missing while nothing is recorded.
  if (mode == OTF2_MEASUREMENT_OFF) return refuse(user, "MeasurementOnOff: off", time);
  return handle(user, "MeasurementOnOff", time, {}, &RankEvents::other);
}
OTF2_CallbackCode on_collective_end(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user, OTF2_AttributeList*,
                                    OTF2_CollectiveOp operation, OTF2_CommRef communicator, uint32_t root,
                                    uint64_t sent, uint64_t received) {
  return handle(user, "MpiCollectiveEnd", time, {.collective = {operation, communicator, root, sent, received}},
                &RankEvents::collective);
}
OTF2_CallbackCode on_collective_complete(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* user,
                                         OTF2_AttributeList*, OTF2_CollectiveOp operation, OTF2_CommRef communicator,
                                         uint32_t root, uint64_t sent, uint64_t received, uint64_t request) {
  return handle(user, "NonBlockingCollectiveComplete", time,
                {.request = request, .collective = {operation, communicator, root, sent, received}},
                &RankEvents::collective_complete);
}

#define FABRICTWIN_PASS_OVER(name) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, pass_over)
#define FABRICTWIN_REFUSED(name) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, refuse_record<#name>)
#define FABRICTWIN_READ(name, method, ...) \
  OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, Read<#name, &RankEvents::method, __VA_ARGS__>::record)

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
  using Record = Record;
  FABRICTWIN_READ(BufferFlush, flushed, &Record::stop);
  FABRICTWIN_READ(Enter, enter, &Record::region);
  FABRICTWIN_READ(Leave, leave, &Record::region);
  FABRICTWIN_READ(MpiSend, send, &Record::peer, &Record::communicator, &Record::tag, &Record::bytes);
  FABRICTWIN_READ(MpiIsend, isend, &Record::peer, &Record::communicator, &Record::tag, &Record::bytes,
                  &Record::request);
  FABRICTWIN_READ(MpiIsendComplete, send_complete, &Record::request);
  FABRICTWIN_READ(MpiIrecvRequest, receive_request, &Record::request);
  FABRICTWIN_READ(MpiRecv, receive, &Record::peer, &Record::communicator, &Record::tag, &Record::bytes);
  FABRICTWIN_READ(MpiIrecv, receive_complete, &Record::peer, &Record::communicator, &Record::tag, &Record::bytes,
                  &Record::request);
  FABRICTWIN_READ(MpiRequestCancelled, cancelled, &Record::request);
  FABRICTWIN_READ(NonBlockingCollectiveRequest, collective_request, &Record::request);
  FABRICTWIN_READ(CommDestroy, communicator_freed, &Record::communicator);
  FABRICTWIN_PASS_OVER(MpiCollectiveBegin);  // The record of the end has the operation.
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_complete);
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
#undef FABRICTWIN_READ
#undef FABRICTWIN_REFUSED

}  // namespace fabrictwin::trace::otf2
