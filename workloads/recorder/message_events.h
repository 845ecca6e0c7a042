// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the events of sends, receives, probes and waits.
#pragma once

#include <cstdint>

#include "workloads/recorder/recording.h"

namespace fabrictwin::recorder {

/// The arguments of a send or receive of the application.
struct MessageArguments {
  MPI_Comm comm;
  int peer;
  int tag;
  MPI_Count count;
  MPI_Datatype type;
};

/// The message in the terms of a trace.
Recording::Persistent message_form(Recording& recording, Action action, const MessageArguments& arguments);
/// Records the message `form`. Returns the number of the request if it starts one, else 0.
uint64_t record_message(Recording& recording, const Recording::Persistent& form);
inline uint64_t record_message(Recording& recording, Action action, const MessageArguments& arguments) {
  return record_message(recording, message_form(recording, action, arguments));
}

/// Records a send and a receive at the same time.
void record_exchange(Recording& recording, const MessageArguments& sent, const MessageArguments& received);

void record_probe(Recording& recording, MPI_Comm comm, int source, int tag);

/// Records that a request has been waited for, or found complete.
void record_wait(Recording& recording, MPI_Request request);
/// Records that all of several requests have been waited for.
void record_waits(Recording& recording, int count, const MPI_Request* requests);

}  // namespace fabrictwin::recorder
