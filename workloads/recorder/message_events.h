// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The events of sends, receives, probes and waits.
#pragma once

#include <cstdint>

#include "workloads/recorder/recording.h"

namespace fabrictwin::recorder {

/// What a send or receive moves, as an application says it.
struct MessageArguments {
  MPI_Comm comm;
  int peer;
  int tag;
  MPI_Count count;
  MPI_Datatype type;
};

/// How a trace says it.
Recording::Persistent message_form(Recording& recording, Action action, const MessageArguments& arguments);
/// Writes a message that has the form `form`. The number of the request if it starts one, else 0.
uint64_t record_message(Recording& recording, const Recording::Persistent& form);
inline uint64_t record_message(Recording& recording, Action action, const MessageArguments& arguments) {
  return record_message(recording, message_form(recording, action, arguments));
}

/// A send and a receive at the same time.
void record_exchange(Recording& recording, const MessageArguments& sent, const MessageArguments& received);

void record_probe(Recording& recording, MPI_Comm comm, int source, int tag);

/// Writes that a request has been waited for, or found done.
void record_wait(Recording& recording, MPI_Request request);
/// Several, all of them.
void record_waits(Recording& recording, int count, const MPI_Request* requests);

}  // namespace fabrictwin::recorder
