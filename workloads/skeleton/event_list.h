// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the list of a rank's calls.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "workloads/skeleton/host_profile.h"
#include "workloads/trace/format/event.h"

namespace fabrictwin::skeleton {

/// Appends events to a list. Not thread-safe.
class EventList {
 public:
  explicit EventList(std::vector<trace::format::Event>& events) : events_(events) {}

  void call(v1::TraceAction action) { add(action); }
  /// Adds a collective that sends `count` elements and, if it has a receive count, receives as many.
  void collective(v1::TraceAction action, uint64_t count, v1::TraceDatatype datatype, int32_t root = 0);
  /// Adds an alltoallv of `count` elements from each rank to each of `ranks`.
  void alltoallv(uint32_t ranks, uint64_t count, v1::TraceDatatype datatype);
  /// Adds a computation, unless it takes no time.
  void compute(Time duration);
  void compute(const Computation& computation);

  /// Exchanges one int with each of two ranks.
  void swap_int(int32_t to, int32_t from);
  /// Exchanges doubles: receive, blocking send, wait. LAMMPS uses tag 0.
  void swap(int32_t to, uint64_t sent, int32_t from, uint64_t received);
  void irecv(int32_t from, uint64_t count, int32_t tag = 0) { message(v1::IRECV, from, count, tag); }
  void send(int32_t to, uint64_t count, int32_t tag = 0) { message(v1::SEND, to, count, tag); }
  void wait(int32_t from, int32_t tag = 0);

  /// Adds collectives in a short notation, separated by spaces: "A6d" is an allreduce of 6 doubles; letters are B
  /// bcast, A allreduce, R reduce, S scan, G allgather, T alltoall; types d double, i int, l long long, b byte, c char.
  /// "|" is a barrier. A number alone is a line of input that rank 0 reads and broadcasts: its length, one int, then
  /// that many characters. "*3" repeats. `script` must be valid.
  void script(std::string_view script);

 private:
  trace::format::Event& add(v1::TraceAction action);
  void message(v1::TraceAction action, int32_t peer, uint64_t count, int32_t tag);
  void token(std::string_view token);

  std::vector<trace::format::Event>& events_;
};

}  // namespace fabrictwin::skeleton
