// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/osu/calls.h"

#include <utility>

namespace fabrictwin::osu {
namespace {

// The tags and the size of the reply to a window are those of the suite.
constexpr int32_t kLatencyTag = 1;
constexpr int32_t kForthTag = 100;
constexpr int32_t kBackTag = 10;
constexpr int32_t kAnswerTag = 101;
constexpr uint64_t kAnswerBytes = 4;
constexpr uint64_t kFloatBytes = 4;

trace::format::Event message(v1::TraceAction action, int32_t peer, int32_t tag, uint64_t bytes) {
  trace::format::Event event = osu_call(action);
  event.peer = peer;
  event.tag = tag;
  event.count = bytes;
  return event;
}

/// Adds `count` nonblocking messages, and the wait for all outstanding ones.
void window(std::vector<trace::format::Event>& calls, v1::TraceAction action, int32_t peer, int32_t tag, uint64_t bytes,
            int32_t count) {
  for (int32_t i = 0; i < count; ++i) calls.push_back(message(action, peer, tag, bytes));
}

void wait_all(std::vector<trace::format::Event>& calls, int32_t requests) {
  calls.push_back(osu_call(v1::WAITALL));
  calls.back().count = static_cast<uint64_t>(requests);
}

std::vector<trace::format::Event> ping_pong(uint64_t bytes, int32_t rank) {
  const int32_t peer = 1 - rank;
  const trace::format::Event send = message(v1::SEND, peer, kLatencyTag, bytes);
  const trace::format::Event receive = message(v1::RECV, peer, kLatencyTag, bytes);
  return rank == 0 ? std::vector{send, receive} : std::vector{receive, send};
}

/// A window from this rank, or to it, and its reply.
std::vector<trace::format::Event> one_way(uint64_t bytes, int32_t peer, bool sends, int32_t messages) {
  std::vector<trace::format::Event> calls;
  window(calls, sends ? v1::ISEND : v1::IRECV, peer, kForthTag, bytes, messages);
  wait_all(calls, messages);
  calls.push_back(message(sends ? v1::RECV : v1::SEND, peer, kAnswerTag, kAnswerBytes));
  return calls;
}

std::vector<trace::format::Event> both_ways(uint64_t bytes, int32_t rank, int32_t messages) {
  const int32_t peer = 1 - rank;
  std::vector<trace::format::Event> calls;
  window(calls, v1::IRECV, peer, rank == 0 ? kBackTag : kForthTag, bytes, messages);
  window(calls, v1::ISEND, peer, rank == 0 ? kForthTag : kBackTag, bytes, messages);
  wait_all(calls, 2 * messages);
  return calls;
}

/// A collective of `bytes` from or to each rank, or of a vector of `bytes`.
trace::format::Event collective(v1::TraceAction action, uint64_t bytes) {
  trace::format::Event event = osu_call(action);
  event.count = bytes;
  if (trace::format::action_shape(action).received == trace::format::CountForm::kOne) event.receive_count = bytes;
  return event;
}

trace::format::Event reduction(v1::TraceAction action, uint64_t bytes) {
  trace::format::Event event = collective(action, bytes / kFloatBytes);
  event.datatype = v1::FLOAT;
  return event;
}

/// Divides the vector into parts that differ by at most one float, the larger ones first.
trace::format::Event reduce_scatter(uint64_t bytes, int32_t ranks) {
  trace::format::Event event = osu_call(v1::REDUCE_SCATTER);
  event.datatype = v1::FLOAT;
  const uint64_t floats = bytes / kFloatBytes;
  const uint64_t parts = static_cast<uint64_t>(ranks);
  for (uint64_t r = 0; r < parts; ++r) event.send_counts.push_back(floats / parts + (r < floats % parts ? 1 : 0));
  return event;
}

trace::format::Event collective_call(v1::Osu::Benchmark benchmark, uint64_t bytes, int32_t ranks) {
  switch (benchmark) {
    case v1::Osu::BCAST:
      return collective(v1::BCAST, bytes);
    case v1::Osu::ALLREDUCE:
      return reduction(v1::ALLREDUCE, bytes);
    case v1::Osu::ALLTOALL:
      return collective(v1::ALLTOALL, bytes);
    case v1::Osu::REDUCE:
      return reduction(v1::REDUCE, bytes);
    case v1::Osu::ALLGATHER:
      return collective(v1::ALLGATHER, bytes);
    case v1::Osu::GATHER:
      return collective(v1::GATHER, bytes);
    case v1::Osu::SCATTER:
      return collective(v1::SCATTER, bytes);
    case v1::Osu::REDUCE_SCATTER:
      return reduce_scatter(bytes, ranks);
    default:
      return osu_call(v1::BARRIER);
  }
}

}  // namespace

trace::format::Event osu_call(v1::TraceAction action) {
  trace::format::Event event;
  event.action = action;
  return event;
}

Iteration osu_iteration(const OsuSpec& spec, Bytes size, int32_t rank, int32_t ranks) {
  const auto bytes = static_cast<uint64_t>(size.count);
  switch (spec.benchmark) {
    case v1::Osu::LATENCY:
      return {ping_pong(bytes, rank), {}};
    case v1::Osu::BW:
      return {one_way(bytes, 1 - rank, rank == 0, spec.window), {}};
    case v1::Osu::BIBW:
      return {both_ways(bytes, rank, spec.window), {}};
    case v1::Osu::MBW_MR: {
      const int32_t pairs = ranks / 2;
      const bool sends = rank < pairs;
      return {one_way(bytes, sends ? rank + pairs : rank - pairs, sends, spec.window), {}};
    }
    case v1::Osu::BARRIER:
      return {{osu_call(v1::BARRIER)}, {}};
    default:
      return {{collective_call(spec.benchmark, bytes, ranks)}, {osu_call(v1::BARRIER)}};
  }
}

}  // namespace fabrictwin::osu
