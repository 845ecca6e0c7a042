// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/replay_step.h"

#include <cmath>
#include <optional>

#include "workloads/mpi/collectives/plan.h"

namespace fabrictwin::mpi {
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

  void compute(Time duration, uint64_t memory = 0) {
    const Time busy = scaled(duration, costs_.compute_scale);
    if (busy > Time::zero())
      steps_.push_back({.kind = Kind::kBusy, .compute = true, .bytes = memory, .duration = busy});
  }
  void send(ReplayStep step) {
    step.kind = Kind::kSend;
    // Buffered messages are copied whatever their size.
    const bool copied = step.bytes <= costs_.eager_limit || step.mode == SendMode::kBuffered;
    const Time busy = costs_.send_overhead + (copied ? costs_.copy.of(step.bytes) : Time::zero());
    if (busy > Time::zero()) steps_.push_back({.kind = Kind::kBusy, .duration = busy});
    steps_.push_back(step);
  }
  void receive(ReplayStep step) {
    step.kind = Kind::kReceive;
    steps_.push_back(step);
  }
  void reduce(ReplayStep step) {
    step.kind = Kind::kReduce;
    if (costs_.send_overhead > Time::zero()) steps_.push_back({.kind = Kind::kBusy, .duration = costs_.send_overhead});
    steps_.push_back(step);
  }
  void add(const ReplayStep& step) { steps_.push_back(step); }
  void wait() { steps_.push_back({}); }

 private:
  const ReplayCosts& costs_;
  std::vector<ReplayStep>& steps_;
};

void make_collective(const trace::format::Event& event, const trace::format::Communicator& communicator,
                     StepList& list) {
  thread_local std::vector<collectives::CollectiveOp> ops;
  ops.clear();
  collectives::plan_collective(event, communicator, ops);
  for (const collectives::CollectiveOp& op : ops) {
    const ReplayStep step{.mode = op.kind == collectives::CollectiveOp::Kind::kSynchronousSend ? SendMode::kSynchronous
                                                                                               : SendMode::kStandard,
                          .collective = true,
                          .peer = communicator.member(op.peer),
                          .tag = communicator.collectives,
                          .communicator = event.communicator,
                          .bytes = op.bytes};
    switch (op.kind) {
      case collectives::CollectiveOp::Kind::kSend:
      case collectives::CollectiveOp::Kind::kSynchronousSend:
        list.send(step);
        break;
      case collectives::CollectiveOp::Kind::kReceive:
        list.receive(step);
        break;
      case collectives::CollectiveOp::Kind::kWait:
        list.wait();
        break;
    }
  }
  // Adds the arithmetic of a reduction.
  list.compute(event.duration);
}

// What accelerators know of the element types of MPI.
std::optional<nic::ReduceType> reduce_type(v1::TraceDatatype datatype) {
  switch (datatype) {
    case v1::INT:
      return nic::ReduceType::kInt32;
    case v1::FLOAT:
      return nic::ReduceType::kFloat;
    case v1::DOUBLE:
      return nic::ReduceType::kDouble;
    default:
      return std::nullopt;
  }
}

// Whether accelerators reduce, and that: the hardware's group is the world, and the arithmetic is its own.
bool make_reduction(const trace::format::Event& event, const ReplayCosts& costs,
                    const trace::format::Communicator& communicator, StepList& list) {
  const std::optional<nic::ReduceType> type = reduce_type(event.datatype);
  if (!costs.accelerator || event.communicator != 0 || event.count == 0 || !type.has_value()) return false;
  list.reduce({.collective = true,
               .peer = costs.rank,
               .tag = communicator.collectives,
               .bytes = trace::format::event_bytes(event),
               .type = *type});
  list.wait();
  return true;
}

// The step for the message of a send, receive or probe.
ReplayStep message_step(const trace::format::Event& event, SendMode mode = SendMode::kStandard) {
  return {.mode = mode,
          .outstanding = trace::format::action_shape(event.action).starts,
          .peer = event.peer,
          .tag = static_cast<uint32_t>(event.tag),
          .communicator = event.communicator,
          .bytes = trace::format::event_bytes(event)};
}

}  // namespace

void make_steps(const trace::format::Event& event, const ReplayCosts& costs,
                const trace::format::Communicator& communicator, std::vector<ReplayStep>& steps) {
  steps.clear();
  StepList list(costs, steps);
  switch (event.action) {
    case v1::INIT:
    case v1::COMM_CREATE:
    case v1::COMM_FREE:
      break;
    case v1::FINALIZE:
      list.add({.kind = Kind::kWaitLast});
      break;
    case v1::COMPUTE:
      list.compute(event.duration, event.count);
      break;
    case v1::SEND:
      list.send(message_step(event));
      list.wait();
      break;
    case v1::SSEND:
      list.send(message_step(event, SendMode::kSynchronous));
      list.wait();
      break;
    case v1::ISEND:
      list.send(message_step(event));
      break;
    case v1::ISSEND:
      list.send(message_step(event, SendMode::kSynchronous));
      break;
    case v1::BSEND:
    case v1::IBSEND:
      list.send(message_step(event, SendMode::kBuffered));
      break;
    case v1::RECV:
      list.receive(message_step(event));
      list.wait();
      break;
    case v1::IRECV:
      list.receive(message_step(event));
      break;
    case v1::PROBE: {
      ReplayStep step = message_step(event);
      step.kind = Kind::kProbe;
      list.add(step);
      break;
    }
    case v1::WAIT:
      list.add({.kind = Kind::kWaitAge, .age = event.count});
      break;
    case v1::WAIT_SEND:
    case v1::WAIT_RECV:
      list.add({.kind = Kind::kWaitFor,
                .sends = event.action == v1::WAIT_SEND,
                .peer = event.peer,
                .tag = static_cast<uint32_t>(event.tag)});
      break;
    case v1::WAITALL:
      list.add({.kind = Kind::kWaitAll});
      break;
    case v1::ALLREDUCE:
      if (!make_reduction(event, costs, communicator, list)) make_collective(event, communicator, list);
      break;
    case v1::SENDRECV: {
      // The format gives no tag; recorded runs match in order.
      ReplayStep receive = message_step(event);
      receive.peer = event.receive_peer;
      receive.bytes = trace::format::event_receive_bytes(event);
      list.receive(receive);
      list.send(message_step(event));
      list.wait();
      break;
    }
    default:
      make_collective(event, communicator, list);
  }
}

}  // namespace fabrictwin::mpi
