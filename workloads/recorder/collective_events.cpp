// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/collective_events.h"

namespace fabrictwin::recorder {
namespace {

constexpr int kNoRoot = -1;

// A side of a collective in the form of a trace.
struct SideForm {
  CollectiveSide side;
  ElementForm elements;

  SideForm(Recording& recording, const CollectiveSide& what) : side(what) {
    if (side.types == nullptr && side.type != MPI_DATATYPE_NULL) elements = recording.datatypes().find(side.type);
  }
  static uint64_t positive(MPI_Count count) { return count < 0 ? 0 : static_cast<uint64_t>(count); }

  void put(Recording& recording, EventEncoder& event, const Communicator& communicator) const {
    if (!side.each) {
      event.number(positive(side.count) * elements.elements);
      return;
    }
    if (communicator.number != 0) event.number(communicator.members.size());
    for (size_t i = 0; i < communicator.members.size(); ++i) {
      uint64_t count = side.counts == nullptr ? 0 : positive(side.counts[i]) * elements.elements;
      if (side.types != nullptr && count > 0) count *= bytes_of(recording, side.types[i]);
      event.number(count);
    }
  }
  static uint64_t bytes_of(Recording& recording, MPI_Datatype type) {
    static constexpr uint64_t kBytes[] = {1, 1, 2, 4, 4, 8, 8, 8, 4, 8};
    const ElementForm form = recording.datatypes().find(type);
    return form.elements * kBytes[static_cast<size_t>(form.datatype)];
  }
};

// Writes the values of an event in order: communicator, root, counts, datatypes, duration.
uint64_t record(Recording& recording, Action action, MPI_Comm comm, int root, const CollectiveSide* sent,
                const CollectiveSide* received, bool reduces) {
  const Communicator* const communicator = recording.communicator(comm);
  if (communicator == nullptr) return 0;
  // This call will fail.
  if (root != kNoRoot && (root < 0 || root >= communicator->size())) return 0;
  size_t numbers = 6;
  for (const CollectiveSide* side : {sent, received}) {
    if (side != nullptr && side->each) numbers += communicator->members.size() + 1;
  }
  recording.write(action, numbers, 2, [&](EventEncoder& event) {
    event.number(communicator->number);
    if (root != kNoRoot) event.signed_number(communicator->members[static_cast<size_t>(root)]);
    if (sent == nullptr) return;
    const SideForm first(recording, *sent);
    first.put(recording, event, *communicator);
    if (received != nullptr) {
      const SideForm second(recording, *received);
      second.put(recording, event, *communicator);
      event.datatype(first.elements.datatype).datatype(second.elements.datatype);
    } else {
      event.datatype(first.elements.datatype);
    }
    if (reduces) event.number(0);
  });
  return is_nonblocking_collective(action) ? recording.start_request() : 0;
}

}  // namespace

uint64_t record_barrier(Recording& recording, Action action, MPI_Comm comm) {
  return record(recording, action, comm, kNoRoot, nullptr, nullptr, false);
}

uint64_t record_bcast(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide side) {
  return record(recording, action, comm, root, &side, nullptr, false);
}

uint64_t record_reduce(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide side) {
  return record(recording, action, comm, root, &side, nullptr, true);
}

uint64_t record_reduction(Recording& recording, Action action, MPI_Comm comm, CollectiveSide side) {
  return record(recording, action, comm, kNoRoot, &side, nullptr, true);
}

uint64_t record_all(Recording& recording, Action action, MPI_Comm comm, CollectiveSide sent, CollectiveSide received) {
  return record(recording, action, comm, kNoRoot, &sent, &received, false);
}

uint64_t record_rooted(Recording& recording, Action action, MPI_Comm comm, int root, CollectiveSide sent,
                       CollectiveSide received) {
  return record(recording, action, comm, root, &sent, &received, false);
}

}  // namespace fabrictwin::recorder
