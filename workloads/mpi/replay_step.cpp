// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/replay_step.h"

#include <cmath>

#include "workloads/mpi/collective_plan.h"

namespace fabrictwin {
namespace {

using Kind = ReplayStep::Kind;

Time scaled(Time time, double scale) {
  if (scale == 1.0) return time;
  const double fs = std::round(static_cast<double>(time.fs()) * scale);
  return fs < static_cast<double>(Time::never().fs()) ? Time::from_fs(static_cast<int64_t>(fs)) : Time::never();
}

class StepList {
 public:
  StepList(const ReplayCosts& costs, std::vector<ReplayStep>& steps) : costs_(costs), steps_(steps) {}

  void compute(Time duration) {
    const Time busy = scaled(duration, costs_.compute_scale);
    if (busy > Time::zero()) steps_.push_back({.kind = Kind::kBusy, .compute = true, .duration = busy});
  }
  void send(int32_t peer, uint32_t tag, uint64_t bytes, bool collective, bool outstanding) {
    const Time copy = bytes <= costs_.eager_limit ? costs_.copy.of(bytes) : Time::zero();
    const Time busy = costs_.send_overhead + copy;
    if (busy > Time::zero()) steps_.push_back({.kind = Kind::kBusy, .duration = busy});
    steps_.push_back({.kind = Kind::kSend,
                      .collective = collective,
                      .outstanding = outstanding,
                      .peer = peer,
                      .tag = tag,
                      .bytes = bytes});
  }
  void receive(int32_t peer, uint32_t tag, uint64_t bytes, bool collective, bool outstanding) {
    steps_.push_back({.kind = Kind::kReceive,
                      .collective = collective,
                      .outstanding = outstanding,
                      .peer = peer,
                      .tag = tag,
                      .bytes = bytes});
  }
  void wait(Kind kind) { steps_.push_back({.kind = kind}); }
  void wait_for(bool sends, int32_t peer, uint32_t tag) {
    steps_.push_back({.kind = Kind::kWaitFor, .sends = sends, .peer = peer, .tag = tag});
  }

 private:
  const ReplayCosts& costs_;
  std::vector<ReplayStep>& steps_;
};

void make_collective(const TraceEvent& event, const ReplayCosts& costs, uint32_t number, StepList& list) {
  thread_local std::vector<CollectiveOp> ops;
  ops.clear();
  plan_collective(event, costs.rank, costs.ranks, ops);
  for (const CollectiveOp& op : ops) {
    switch (op.kind) {
      case CollectiveOp::Kind::kSend:
        list.send(op.peer, number, op.bytes, true, false);
        break;
      case CollectiveOp::Kind::kReceive:
        list.receive(op.peer, number, op.bytes, true, false);
        break;
      case CollectiveOp::Kind::kWait:
        list.wait(Kind::kWaitStarted);
        break;
    }
  }
  // The arithmetic of a reduction.
  list.compute(event.duration);
}

}  // namespace

bool can_replay(v1::TraceAction action) { return !action_shape(action).collective || can_replay_collective(action); }

void make_steps(const TraceEvent& event, const ReplayCosts& costs, uint32_t collective,
                std::vector<ReplayStep>& steps) {
  steps.clear();
  StepList list(costs, steps);
  const uint32_t tag = static_cast<uint32_t>(event.tag);
  switch (event.action) {
    case v1::INIT:
      break;
    case v1::FINALIZE:
      list.wait(Kind::kWaitSends);
      break;
    case v1::COMPUTE:
      list.compute(event.duration);
      break;
    case v1::SEND:
      list.send(event.peer, tag, event_bytes(event), false, false);
      list.wait(Kind::kWaitStarted);
      break;
    case v1::ISEND:
      list.send(event.peer, tag, event_bytes(event), false, true);
      break;
    case v1::RECV:
      list.receive(event.peer, tag, event_bytes(event), false, false);
      list.wait(Kind::kWaitStarted);
      break;
    case v1::IRECV:
      list.receive(event.peer, tag, event_bytes(event), false, true);
      break;
    case v1::WAIT_SEND:
    case v1::WAIT_RECV:
      list.wait_for(event.action == v1::WAIT_SEND, event.peer, tag);
      break;
    case v1::WAITALL:
      list.wait(Kind::kWaitAll);
      break;
    case v1::SENDRECV:
      // The format gives no tag; recorded runs match in order.
      list.receive(event.receive_peer, tag, event_receive_bytes(event), false, false);
      list.send(event.peer, tag, event_bytes(event), false, false);
      list.wait(Kind::kWaitStarted);
      break;
    default:
      make_collective(event, costs, collective, list);
  }
}

}  // namespace fabrictwin
