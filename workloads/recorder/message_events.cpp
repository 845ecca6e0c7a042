// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/message_events.h"

namespace fabrictwin::recorder {
namespace {

// The rank of the world; -1 for any. Sets `known` to false if there is no such rank, as the call will fail then.
int32_t world_rank(const Communicator& communicator, int rank, bool& known) {
  if (rank == MPI_ANY_SOURCE) return -1;
  known = rank >= 0 && rank < communicator.size();
  return known ? communicator.members[static_cast<size_t>(rank)] : 0;
}

bool starts(Action action) {
  return action == Action::kIsend || action == Action::kIrecv || action == Action::kIssend || action == Action::kIbsend;
}

// Takes the number of the request, 0 if it moves nothing or has been waited for already. False if it is unknown.
bool take(Recording& recording, MPI_Request request, uint64_t& start) {
  const uint64_t key = handle_key(request);
  if (recording.requests().take(key, start)) return true;
  Recording::Persistent* const persistent = recording.persistent().find(key);
  if (persistent != nullptr) {
    start = persistent->start;
    persistent->start = 0;
    return true;
  }
  start = 0;
  if (!recording.unknown_requests()) recording.refuse("a request is waited for that no recorded call has started");
  return false;
}

}  // namespace

Recording::Persistent message_form(Recording& recording, Action action, const MessageArguments& arguments) {
  Recording::Persistent form{.action = action};
  form.nothing = true;
  if (arguments.peer == MPI_PROC_NULL) return form;
  const Communicator* const communicator = recording.communicator(arguments.comm);
  bool known = true;
  if (communicator == nullptr) return form;
  form.peer = world_rank(*communicator, arguments.peer, known);
  if (!known) return form;
  const ElementForm elements = recording.datatypes().find(arguments.type);
  form.nothing = false;
  form.communicator = communicator->number;
  form.tag = arguments.tag == MPI_ANY_TAG ? -1 : arguments.tag;
  form.count = arguments.count < 0 ? 0 : static_cast<uint64_t>(arguments.count) * elements.elements;
  form.datatype = elements.datatype;
  return form;
}

uint64_t record_message(Recording& recording, const Recording::Persistent& form) {
  if (form.nothing) return 0;
  recording.write(form.action, 4, 1, [&](EventEncoder& event) {
    event.number(form.communicator).signed_number(form.peer).signed_number(form.tag).number(form.count);
    event.datatype(form.datatype);
  });
  return starts(form.action) ? recording.start_request() : 0;
}

void record_exchange(Recording& recording, const MessageArguments& sent, const MessageArguments& received) {
  if (sent.peer == MPI_PROC_NULL) {
    record_message(recording, Action::kRecv, received);
    return;
  }
  if (received.peer == MPI_PROC_NULL) {
    record_message(recording, Action::kSend, sent);
    return;
  }
  const uint64_t receive = record_message(recording, Action::kIrecv, received);
  const uint64_t send = record_message(recording, Action::kIsend, sent);
  recording.waited(receive);
  recording.waited(send);
}

void record_probe(Recording& recording, MPI_Comm comm, int source, int tag) {
  const Recording::Persistent form = message_form(recording, Action::kProbe, {comm, source, tag, 0, MPI_BYTE});
  if (form.nothing) return;
  recording.write(Action::kProbe, 3, 0, [&](EventEncoder& event) {
    event.number(form.communicator).signed_number(form.peer).signed_number(form.tag);
  });
}

void record_wait(Recording& recording, MPI_Request request) {
  uint64_t start = 0;
  if (request != MPI_REQUEST_NULL && take(recording, request, start)) recording.waited(start);
}

void record_waits(Recording& recording, int count, const MPI_Request* requests) {
  std::vector<uint64_t>& all = recording.starts();
  all.clear();
  for (int i = 0; i < count; ++i) {
    uint64_t start = 0;
    if (requests[i] != MPI_REQUEST_NULL && take(recording, requests[i], start) && start != 0) all.push_back(start);
  }
  recording.waited_all(all);
}

}  // namespace fabrictwin::recorder
