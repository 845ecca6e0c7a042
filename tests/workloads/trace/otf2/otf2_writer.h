// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes small OTF2 archives with the writer of the OTF2 library.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fabrictwin {

/// Nanoseconds since the start; the clock of the archives ticks in them.
using Otf2Ticks = uint64_t;

/// The references that definitions have in archives written here.
enum Otf2Reference : uint32_t { kOtf2World = 0, kOtf2Self = 1, kOtf2Odd = 2, kOtf2Duplicate = 3, kOtf2Between = 4 };

/// The records of one location, each `gap` nanoseconds after the one before. Not thread-safe.
class Otf2Location {
 public:
  /// Its numbers of regions and communicators may be its own.
  Otf2Location(OTF2_EvtWriter* writer, bool own_numbers) : writer_(writer), own_numbers_(own_numbers) {}

  /// The time of the next record.
  Otf2Ticks now = 1000;
  OTF2_EvtWriter* writer() const { return writer_; }

  void enter(std::string_view region);
  void leave(std::string_view region);
  /// A region with one record.
  void in(std::string_view region, const std::function<void()>& record) {
    enter(region);
    now += 10;
    record();
    now += 10;
    leave(region);
  }
  void send(uint32_t to, uint32_t tag, uint64_t bytes, uint32_t communicator = kOtf2World) {
    OTF2_EvtWriter_MpiSend(writer_, nullptr, now, to, number_of(communicator), tag, bytes);
  }
  void receive(uint32_t from, uint32_t tag, uint64_t bytes, uint32_t communicator = kOtf2World) {
    OTF2_EvtWriter_MpiRecv(writer_, nullptr, now, from, number_of(communicator), tag, bytes);
  }
  void isend(uint64_t request, uint32_t to, uint32_t tag, uint64_t bytes, uint32_t communicator = kOtf2World) {
    OTF2_EvtWriter_MpiIsend(writer_, nullptr, now, to, number_of(communicator), tag, bytes, request);
  }
  void isend_complete(uint64_t request) { OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, now, request); }
  void irecv_request(uint64_t request) { OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, now, request); }
  void irecv(uint64_t request, uint32_t from, uint32_t tag, uint64_t bytes, uint32_t communicator = kOtf2World) {
    OTF2_EvtWriter_MpiIrecv(writer_, nullptr, now, from, number_of(communicator), tag, bytes, request);
  }
  /// Region, begin and end of a collective.
  void collective(std::string_view region, OTF2_CollectiveOp operation, uint64_t sent, uint64_t received,
                  uint32_t root = OTF2_COLLECTIVE_ROOT_NONE, uint32_t communicator = kOtf2World);

 private:
  uint32_t number_of(uint32_t communicator) const { return own_numbers_ ? kOtf2Between - communicator : communicator; }

  OTF2_EvtWriter* writer_;
  bool own_numbers_;
};

/// What an archive holds besides the events of its ranks.
struct Otf2Layout {
  uint32_t ranks = 2;
  uint32_t threads = 0;  ///< Locations 100, 101, ... of rank 0.
  bool clock = true;
  bool mpi = true;  ///< Whether the locations are ranks of MPI.
  /// As EZTrace 2.0 writes it: all regions are the user's, the world is group 0 as the locations are, locations are far
  /// apart and promise 2 events, and there is a region of its own.
  bool eztrace = false;
  /// As Score-P does it: locations count regions and communicators in their own way and say how, and have clocks of
  /// their own.
  bool own_numbers = false;
  int64_t extra_events = 0;  ///< How many more than there are the definitions promise.
};

/// Writes FOLDER/traces.otf2; `record` is called for each rank, then for each thread with ranks, ranks + 1, ... Returns
/// the anchor. Communicators are those of Otf2Reference: all ranks, oneself, odd ranks, all once more, and one
/// between two groups.
std::string write_otf2(const std::string& folder, const Otf2Layout& layout,
                       const std::function<void(uint32_t rank, Otf2Location& location)>& record);

}  // namespace fabrictwin
