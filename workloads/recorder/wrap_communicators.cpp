// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Wrappers of calls that make and free communicators.
#include <tuple>

#include "workloads/recorder/profiled.h"

using namespace fabrictwin::recorder;  // NOLINT(google-build-using-namespace): MPI's functions are in no namespace

namespace {

// Ends a call that made `comm`, on each of its members; MPI_COMM_NULL on other ranks.
int made(const Call& call, int code, const MPI_Comm* comm) {
  if (code != MPI_SUCCESS || *comm == MPI_COMM_NULL || Recording::get() == nullptr) return call.leave(code);
  if (!call) {
    CommunicatorTable::add_unrecorded(*comm);
    return code;
  }
  const uint32_t number = call->communicators().add(*comm);
  if (number == 0) {
    call->refuse_call(call.name(), "there are more communicators at a time than a trace can have");
    return call.leave(code);
  }
  const Communicator& communicator = *call->communicators().find(*comm);
  call->write(Action::kCommCreate, communicator.members.size() + 2, 0, [&](EventEncoder& event) {
    event.number(number).number(communicator.members.size());
    for (const int32_t member : communicator.members) event.number(static_cast<uint64_t>(member));
  });
  return call.leave(code);
}

void record_free(Recording& recording, MPI_Comm comm) {
  const Communicator* const communicator = recording.communicators().find(comm);
  if (communicator == nullptr || comm == MPI_COMM_WORLD) return;
  recording.write(Action::kCommFree, 1, 0, [&](EventEncoder& event) { event.number(communicator->number); });
  recording.communicators().remove(comm);
}

// Wraps MPI_Comm_free and similar calls.
template <auto kFunction, Name kName>
int frees(MPI_Comm* comm) {
  const Call call(kName.text);
  if (call) record_free(*call, *comm);
  return call.leave(kFunction(comm));
}

// Wraps calls whose last argument is the communicator that they make.
template <auto kFunction, Name kName, typename... Arguments>
int makes(Arguments... arguments) {
  const Call call(kName.text);
  const MPI_Comm* const comm = std::get<sizeof...(arguments) - 1>(std::tuple(arguments...));
  return made(call, kFunction(arguments...), comm);
}

}  // namespace

FABRICTWIN_WRAP(frees, Comm_free)
FABRICTWIN_WRAP(frees, Comm_disconnect)
FABRICTWIN_WRAP(makes, Comm_dup)
FABRICTWIN_WRAP(makes, Comm_dup_with_info)
FABRICTWIN_WRAP(makes, Comm_split)
FABRICTWIN_WRAP(makes, Comm_split_type)
FABRICTWIN_WRAP(makes, Comm_create)
FABRICTWIN_WRAP(makes, Comm_create_group)
FABRICTWIN_WRAP(makes, Cart_create)
FABRICTWIN_WRAP(makes, Cart_sub)
FABRICTWIN_WRAP(makes, Graph_create)
FABRICTWIN_WRAP(makes, Dist_graph_create)
FABRICTWIN_WRAP(makes, Dist_graph_create_adjacent)
