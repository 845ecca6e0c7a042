// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/replay_step.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "workloads/mpi/collectives/plan.h"

namespace fabrictwin::mpi::protocol {
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
    work(busy);
    steps_.push_back(step);
  }
  void receive(ReplayStep step) {
    step.kind = Kind::kReceive;
    steps_.push_back(step);
  }
  /// What the library does for this long, which is no computation of the program.
  void work(Time duration) {
    if (duration > Time::zero()) steps_.push_back({.kind = Kind::kBusy, .duration = duration});
  }
  void reduce(ReplayStep step) {
    step.kind = Kind::kReduce;
    work(costs_.send_overhead);
    steps_.push_back(step);
  }
  void add(const ReplayStep& step) { steps_.push_back(step); }
  void wait() { steps_.push_back({}); }

 private:
  const ReplayCosts& costs_;
  std::vector<ReplayStep>& steps_;
};

using collectives::CollectiveOp;

/// The bytes of the vector that a rank brings to a collective that reduces; nothing for other collectives.
std::optional<uint64_t> reduced_bytes(const trace::format::Event& event) {
  switch (trace::format::blocking_action(event.action)) {
    case v1::REDUCE:
    case v1::ALLREDUCE:
    case v1::SCAN:
    case v1::EXSCAN:
      return trace::format::event_bytes(event);
    case v1::REDUCE_SCATTER:
      return std::accumulate(event.send_counts.begin(), event.send_counts.end(), uint64_t{0}) *
             trace::format::datatype_bytes(event.datatype);
    default:
      return std::nullopt;
  }
}

// Starts of sends and receives up to the next wait, the wait, and the reductions after it. Those that wait for each
// other are requests.
void make_exchange(std::span<const CollectiveOp> ops, const ReplayStep& common,
                   const trace::format::Communicator& communicator, const ReplayCosts& costs, StepList& list) {
  const Time request = ops.size() > 1 ? costs.request_overhead : Time::zero();
  for (const CollectiveOp& op : ops) {
    ReplayStep step = common;
    step.peer = communicator.member(op.peer);
    step.bytes = op.bytes;
    if (op.kind == CollectiveOp::Kind::kSynchronousSend) step.mode = SendMode::kSynchronous;
    list.work(request);
    if (op.kind == CollectiveOp::Kind::kReceive) {
      list.receive(step);
    } else {
      list.send(step);
    }
  }
  list.wait();
  for (const CollectiveOp& op : ops) {
    if (op.reduces) list.work(costs.reduce_overhead + costs.local.of(op.bytes));
  }
}

void make_collective(const trace::format::Event& event, const trace::format::Communicator& communicator,
                     const ReplayCosts& costs, StepList& list) {
  thread_local std::vector<CollectiveOp> ops;
  ops.clear();
  collectives::plan_collective(event, communicator, ops);
  if (const auto bytes = reduced_bytes(event); bytes.has_value() && !ops.empty())
    list.work(costs.buffer_overhead + costs.local.of(*bytes));
  const ReplayStep common{.collective = true, .tag = communicator.collectives, .communicator = event.communicator};
  // Every plan ends with a wait.
  for (auto begin = ops.begin(); begin != ops.end();) {
    const auto end =
        std::find_if(begin, ops.end(), [](const CollectiveOp& op) { return op.kind == CollectiveOp::Kind::kWait; });
    make_exchange({begin, end}, common, communicator, costs, list);
    begin = end == ops.end() ? end : end + 1;
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
  if (event.count > (*type == nic::ReduceType::kInt32 ? costs.most_integers : costs.most_reals)) return false;
  list.reduce({.collective = true,
               .peer = costs.rank,
               .tag = communicator.collectives,
               .bytes = trace::format::event_bytes(event),
               .type = *type});
  list.wait();
  return true;
}

// Whether hardware makes a barrier of all ranks: a reduction of nothing.
bool make_barrier(const trace::format::Event& event, const ReplayCosts& costs,
                  const trace::format::Communicator& communicator, StepList& list) {
  if (!costs.accelerator || !costs.accelerated_barrier || event.communicator != 0) return false;
  list.reduce({.collective = true, .peer = costs.rank, .tag = communicator.collectives});
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
    case v1::BARRIER:
      if (!make_barrier(event, costs, communicator, list)) make_collective(event, communicator, costs, list);
      break;
    case v1::ALLREDUCE:
      if (!make_reduction(event, costs, communicator, list)) make_collective(event, communicator, costs, list);
      break;
    case v1::SENDRECV: {
      // The format gives no tag; recorded runs match in order.
      ReplayStep receive = message_step(event);
      receive.peer = event.receive_peer;
      receive.bytes = trace::format::event_receive_bytes(event);
      list.work(costs.request_overhead);
      list.receive(receive);
      list.work(costs.request_overhead);
      list.send(message_step(event));
      list.wait();
      break;
    }
    default:
      make_collective(event, communicator, costs, list);
  }
}

}  // namespace fabrictwin::mpi::protocol
