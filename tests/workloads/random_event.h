// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Random events for property tests.
#pragma once

#include <rapidcheck.h>

#include "workloads/trace/format/event.h"

namespace fabrictwin {

inline uint64_t random_count() {
  return *rc::gen::oneOf(rc::gen::inRange<uint64_t>(0, 100),
                         rc::gen::inRange<uint64_t>(0, trace::format::kMaxMessageBytes / 8));
}

inline std::vector<uint64_t> random_counts(uint32_t ranks) {
  std::vector<uint64_t> counts(ranks);
  for (uint64_t& count : counts) count = random_count();
  return counts;
}

/// Any well-formed event of a trace of `ranks` ranks. Fields that the action does not carry keep their defaults.
inline trace::format::Event random_event(uint32_t ranks) {
  trace::format::Event event;
  event.action = static_cast<v1::TraceAction>(*rc::gen::inRange(1, trace::format::kActions));
  const trace::format::ActionShape& shape = trace::format::action_shape(event.action);
  if (shape.communicator && *rc::gen::arbitrary<bool>())
    event.communicator = *rc::gen::inRange(1u, trace::format::kMaxCommunicator + 1);
  const uint32_t members = event.communicator == 0 ? ranks : *rc::gen::inRange(1u, ranks + 1);
  if (shape.peers >= 1) event.peer = *rc::gen::inRange(shape.any_source ? -1 : 0, static_cast<int>(ranks));
  if (shape.peers >= 2) event.receive_peer = *rc::gen::inRange(0, static_cast<int>(ranks));
  if (shape.tag)
    event.tag = *rc::gen::oneOf(rc::gen::inRange(0, 200), rc::gen::just(std::numeric_limits<int32_t>::max()));
  if (shape.any_source && shape.communicator && *rc::gen::inRange(0, 4) == 0) event.tag = trace::format::kAnyTag;
  if (shape.sent == trace::format::CountForm::kOne) event.count = random_count();
  if (shape.sent == trace::format::CountForm::kEachRank) event.send_counts = random_counts(members);
  if (shape.sent == trace::format::CountForm::kListed) {
    event.count = *rc::gen::inRange(1u, trace::format::kMaxCommunicator + 1);
    for (uint32_t rank = 0; rank < members; ++rank) event.send_counts.push_back(ranks - 1 - rank);
  }
  if (shape.received == trace::format::CountForm::kOne) event.receive_count = random_count();
  if (shape.received == trace::format::CountForm::kEachRank) event.receive_counts = random_counts(members);
  if (shape.datatypes >= 1)
    event.datatype = static_cast<v1::TraceDatatype>(*rc::gen::inRange(0, v1::TraceDatatype_MAX + 1));
  if (shape.datatypes >= 2)
    event.receive_datatype = static_cast<v1::TraceDatatype>(*rc::gen::inRange(0, v1::TraceDatatype_MAX + 1));
  if (shape.duration) {
    event.duration = *rc::gen::arbitrary<bool>()
                         ? Time::from_ns(*rc::gen::inRange<int64_t>(0, 1'000'000'000))
                         : Time::from_fs(*rc::gen::inRange<int64_t>(0, std::numeric_limits<int64_t>::max()));
  }
  return event;
}

}  // namespace fabrictwin
