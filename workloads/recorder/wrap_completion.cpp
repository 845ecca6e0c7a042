// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrappers of waits and tests.
#include "workloads/recorder/message_events.h"
#include "workloads/recorder/profiled.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

// Copies the requests before the library changes them.
const MPI_Request* copy(const Call& call, int count, const MPI_Request* requests) {
  if (!call) return nullptr;
  call->scratch().assign(requests, requests + (count > 0 ? count : 0));
  return call->scratch().data();
}

void record_some(const Call& call, const MPI_Request* before, int count, const int* indices) {
  for (int i = 0; call && count != MPI_UNDEFINED && i < count; ++i) record_wait(*call, before[indices[i]]);
}

}  // namespace

extern "C" {

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Call call("MPI_Wait");
  if (call) record_wait(*call, *request);
  return call.leave(PMPI_Wait(request, status));
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  const Call call("MPI_Waitall");
  if (call) record_waits(*call, count, requests);
  return call.leave(PMPI_Waitall(count, requests, statuses));
}

int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  const Call call("MPI_Waitany");
  const MPI_Request* const before = copy(call, count, requests);
  const int code = PMPI_Waitany(count, requests, index, status);
  if (code == MPI_SUCCESS && *index != MPI_UNDEFINED) record_some(call, before, 1, index);
  return call.leave(code);
}

int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  const Call call("MPI_Waitsome");
  const MPI_Request* const before = copy(call, count, requests);
  const int code = PMPI_Waitsome(count, requests, done, indices, statuses);
  if (code == MPI_SUCCESS) record_some(call, before, *done, indices);
  return call.leave(code);
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const Call call("MPI_Test");
  const MPI_Request before = *request;
  const int code = PMPI_Test(request, flag, status);
  if (call && code == MPI_SUCCESS && *flag != 0) record_wait(*call, before);
  return call.leave(code);
}

int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  const Call call("MPI_Testall");
  const MPI_Request* const before = copy(call, count, requests);
  const int code = PMPI_Testall(count, requests, flag, statuses);
  if (call && code == MPI_SUCCESS && *flag != 0) record_waits(*call, count, before);
  return call.leave(code);
}

int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  const Call call("MPI_Testany");
  const MPI_Request* const before = copy(call, count, requests);
  const int code = PMPI_Testany(count, requests, index, flag, status);
  if (code == MPI_SUCCESS && *flag != 0 && *index != MPI_UNDEFINED) record_some(call, before, 1, index);
  return call.leave(code);
}

int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  const Call call("MPI_Testsome");
  const MPI_Request* const before = copy(call, count, requests);
  const int code = PMPI_Testsome(count, requests, done, indices, statuses);
  if (code == MPI_SUCCESS) record_some(call, before, *done, indices);
  return call.leave(code);
}

int MPI_Request_free(MPI_Request* request) {
  const Call call("MPI_Request_free");
  if (call && *request != MPI_REQUEST_NULL) {
    // What the request has started goes on, but is not waited for.
    const uint64_t key = handle_key(*request);
    uint64_t start = 0;
    if (call->persistent().find(key) != nullptr) {
      call->persistent().erase(key);
    } else {
      call->requests().take(key, start);
    }
  }
  return call.leave(PMPI_Request_free(request));
}

}  // extern "C"

FABRICTWIN_PROFILED(Wait)
FABRICTWIN_PROFILED(Waitall)
FABRICTWIN_PROFILED(Waitany)
FABRICTWIN_PROFILED(Waitsome)
FABRICTWIN_PROFILED(Test)
FABRICTWIN_PROFILED(Testall)
FABRICTWIN_PROFILED(Testany)
FABRICTWIN_PROFILED(Testsome)
FABRICTWIN_PROFILED(Request_free)
