// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The events of collectives.
#pragma once

#include <cstdint>

#include "workloads/recorder/recording.h"

namespace fabrictwin::recorder {

/// What one side of a collective moves: one count, or one for each member, with one datatype or one for each member.
struct CollectiveSide {
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int* counts = nullptr;          ///< Of each member; nullptr: as many zeros, if `each`.
  const MPI_Datatype* types = nullptr;  ///< Of each member: the trace has bytes.
  bool each = false;
};

/// Where MPI ignores an argument, events have what the other ranks know: nobody needs to look at another rank's event.
/// Each returns the number of the request that a collective which does not block starts, else 0.
uint64_t record_barrier(Recording& recording, Action action, MPI_Comm comm);
/// MPI_Bcast.
uint64_t record_bcast(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide side);
/// MPI_Reduce.
uint64_t record_reduce(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide side);
/// Reductions without a root. The time of the reduction itself is not known: 0.
uint64_t record_reduction(Recording& recording, Action action, MPI_Comm comm, CollectiveSide side);
/// Allgather(v) and alltoall(v).
uint64_t record_all(Recording& recording, Action action, MPI_Comm comm, CollectiveSide sent, CollectiveSide received);
/// Gather(v) and scatter(v).
uint64_t record_rooted(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide sent,
                       CollectiveSide received);

/// The number of members and the own rank; nothing if the communicator is not known.
inline int members_of(Recording& recording, MPI_Comm comm) {
  const Communicator* const communicator = recording.communicator(comm);
  return communicator == nullptr ? 0 : communicator->size();
}
inline int rank_in(Recording& recording, MPI_Comm comm) {
  const Communicator* const communicator = recording.communicator(comm);
  return communicator == nullptr ? 0 : communicator->rank;
}

}  // namespace fabrictwin::recorder
