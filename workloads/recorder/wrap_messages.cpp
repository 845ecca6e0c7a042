// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrappers of sends, receives and probes.
#include "workloads/recorder/message_events.h"
#include "workloads/recorder/profiled.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

uint64_t record(const Call& call, Action action, MPI_Comm comm, int peer, int tag, int count, MPI_Datatype type) {
  return call ? record_message(*call, action, {comm, peer, tag, count, type}) : 0;
}

// Wraps MPI_Send and its modes, MPI_Isend and its modes, and MPI_Irecv.
template <auto kFunction, Name kName, Action kAction, typename Buffer, typename... Request>
int message(Buffer buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, Request... request) {
  const Call call(kName.text);
  const uint64_t start = record(call, kAction, comm, peer, tag, count, type);
  return call.leave(kFunction(buffer, count, type, peer, tag, comm, request...), start, request...);
}

// Wraps MPI_Send_init and its modes, and MPI_Recv_init.
template <auto kFunction, Name kName, Action kAction, typename Buffer>
int persistent(Buffer buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request* request) {
  const Call call(kName.text);
  const int code = kFunction(buffer, count, type, peer, tag, comm, request);
  if (call && code == MPI_SUCCESS) {
    call->persistent()[handle_key(*request)] = message_form(*call, kAction, {comm, peer, tag, count, type});
  }
  return call.leave(code);
}

void record_start(Recording& recording, MPI_Request request) {
  Recording::Persistent* const persistent = recording.persistent().find(handle_key(request));
  if (persistent == nullptr) return recording.refuse("a persistent request is started that no recorded call has made");
  persistent->start = record_message(recording, *persistent);
}

void keep_message(Recording& recording, MPI_Comm comm, MPI_Message message, const MPI_Status& status) {
  const Recording::Persistent form =
      message_form(recording, Action::kRecv, {comm, status.MPI_SOURCE, status.MPI_TAG, 0, MPI_BYTE});
  if (!form.nothing) recording.matched()[handle_key(message)] = {form.communicator, form.peer, form.tag};
}

// Records the receive of a message that was found before.
uint64_t record_matched(Recording& recording, Action action, MPI_Message message, int count, MPI_Datatype type) {
  const Recording::Matched* const matched = recording.matched().find(handle_key(message));
  if (matched == nullptr) return 0;
  const ElementForm elements = recording.datatypes().find(type);
  const uint64_t start = record_message(recording, {.action = action,
                                                    .communicator = matched->communicator,
                                                    .peer = matched->source,
                                                    .tag = matched->tag,
                                                    .count = static_cast<uint64_t>(count) * elements.elements,
                                                    .datatype = elements.datatype});
  recording.matched().erase(handle_key(message));
  return start;
}

}  // namespace

FABRICTWIN_WRAP(message, Send, Action::kSend)
FABRICTWIN_WRAP(message, Ssend, Action::kSsend)
FABRICTWIN_WRAP(message, Bsend, Action::kBsend)
FABRICTWIN_WRAP(message, Rsend, Action::kSend)
FABRICTWIN_WRAP(message, Isend, Action::kIsend)
FABRICTWIN_WRAP(message, Issend, Action::kIssend)
FABRICTWIN_WRAP(message, Ibsend, Action::kIbsend)
FABRICTWIN_WRAP(message, Irsend, Action::kIsend)
FABRICTWIN_WRAP(message, Irecv, Action::kIrecv)
FABRICTWIN_WRAP(persistent, Send_init, Action::kIsend)
FABRICTWIN_WRAP(persistent, Ssend_init, Action::kIssend)
FABRICTWIN_WRAP(persistent, Bsend_init, Action::kIbsend)
FABRICTWIN_WRAP(persistent, Rsend_init, Action::kIsend)
FABRICTWIN_WRAP(persistent, Recv_init, Action::kIrecv)

extern "C" {

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status* status) {
  const Call call("MPI_Recv");
  record(call, Action::kRecv, comm, peer, tag, count, type);
  return call.leave(PMPI_Recv(buffer, count, type, peer, tag, comm, status));
}

int MPI_Start(MPI_Request* request) {
  const Call call("MPI_Start");
  if (call) record_start(*call, *request);
  return call.leave(PMPI_Start(request));
}

int MPI_Startall(int count, MPI_Request requests[]) {
  const Call call("MPI_Startall");
  for (int i = 0; call && i < count; ++i) record_start(*call, requests[i]);
  return call.leave(PMPI_Startall(count, requests));
}

int MPI_Sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int destination, int send_tag,
                 void* receive_buffer, int receive_count, MPI_Datatype receive_type, int source, int receive_tag,
                 MPI_Comm comm, MPI_Status* status) {
  const Call call("MPI_Sendrecv");
  if (call) {
    record_exchange(*call, {comm, destination, send_tag, send_count, send_type},
                    {comm, source, receive_tag, receive_count, receive_type});
  }
  return call.leave(PMPI_Sendrecv(send_buffer, send_count, send_type, destination, send_tag, receive_buffer,
                                  receive_count, receive_type, source, receive_tag, comm, status));
}

int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int destination, int send_tag, int source,
                         int receive_tag, MPI_Comm comm, MPI_Status* status) {
  const Call call("MPI_Sendrecv_replace");
  if (call) {
    record_exchange(*call, {comm, destination, send_tag, count, type}, {comm, source, receive_tag, count, type});
  }
  return call.leave(
      PMPI_Sendrecv_replace(buffer, count, type, destination, send_tag, source, receive_tag, comm, status));
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  const Call call("MPI_Probe");
  if (call) record_probe(*call, comm, source, tag);
  return call.leave(PMPI_Probe(source, tag, comm, status));
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  const Call call("MPI_Iprobe");
  const int code = PMPI_Iprobe(source, tag, comm, flag, status);
  if (call && code == MPI_SUCCESS && *flag != 0) record_probe(*call, comm, source, tag);
  return call.leave(code);
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  const Call call("MPI_Mprobe");
  MPI_Status found;
  if (status == MPI_STATUS_IGNORE) status = &found;
  if (call) record_probe(*call, comm, source, tag);
  const int code = PMPI_Mprobe(source, tag, comm, message, status);
  if (call && code == MPI_SUCCESS) keep_message(*call, comm, *message, *status);
  return call.leave(code);
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  const Call call("MPI_Improbe");
  MPI_Status found;
  if (status == MPI_STATUS_IGNORE) status = &found;
  const int code = PMPI_Improbe(source, tag, comm, flag, message, status);
  if (call && code == MPI_SUCCESS && *flag != 0) {
    record_probe(*call, comm, source, tag);
    keep_message(*call, comm, *message, *status);
  }
  return call.leave(code);
}

int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  const Call call("MPI_Mrecv");
  if (call) record_matched(*call, Action::kRecv, *message, count, type);
  return call.leave(PMPI_Mrecv(buffer, count, type, message, status));
}

int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  const Call call("MPI_Imrecv");
  const uint64_t start = call ? record_matched(*call, Action::kIrecv, *message, count, type) : 0;
  return call.leave(PMPI_Imrecv(buffer, count, type, message, request), start, request);
}

}  // extern "C"

FABRICTWIN_PROFILED(Recv)
FABRICTWIN_PROFILED(Start)
FABRICTWIN_PROFILED(Startall)
FABRICTWIN_PROFILED(Sendrecv)
FABRICTWIN_PROFILED(Sendrecv_replace)
FABRICTWIN_PROFILED(Probe)
FABRICTWIN_PROFILED(Iprobe)
FABRICTWIN_PROFILED(Mprobe)
FABRICTWIN_PROFILED(Improbe)
FABRICTWIN_PROFILED(Mrecv)
FABRICTWIN_PROFILED(Imrecv)
