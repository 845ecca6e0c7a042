// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/rank_engine.h"

#include <algorithm>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/mpi/protocol/request_text.h"

namespace fabrictwin::mpi {

using Kind = protocol::ReplayStep::Kind;
using State = protocol::MpiRequest::State;

namespace {

Time times(Time each, uint32_t number) {
  int64_t fs = 0;
  return __builtin_mul_overflow(each.fs(), int64_t{number}, &fs) ? Time::never() : Time::from_fs(fs);
}

}  // namespace

RankEngine::RankEngine(const Options& options, std::unique_ptr<RankProgram> program, observe::EndpointDigest* digest)
    : options_(options),
      program_(std::move(program)),
      protocol_(options.costs.rank, options.costs.eager_limit, digest),
      communicators_(options.costs.rank, options.costs.ranks) {}

void RankEngine::fail(const std::string& reason) {
  if (!failure_.empty()) return;
  if (totals_.events.get() == 0) {
    failure_ = fmt::format("rank {}: {}", options_.costs.rank, reason);
    return;
  }
  failure_ = fmt::format("rank {}, event {} ({}): {}", options_.costs.rank, totals_.events.get() - 1,
                         trace::format::action_name(event_.action), reason);
}

void RankEngine::take_failure() {
  if (!protocol_.failure().empty()) fail(protocol_.failure());
}

Time RankEngine::decide(Time now, const Sender& send) {
  now_ = now;
  protocol_.begin(send);
  take_failure();
  if (failure_.empty()) run();
  protocol_.end();
  totals_.messages_sent = protocol_.messages_sent();
  totals_.bytes_sent = protocol_.bytes_sent();
  if (activity_ != nullptr) activity_->enter(now_, state());
  return next_decision();
}

v1::TraceAction RankEngine::state() const {
  if (finished_) return v1::TRACE_ACTION_UNSPECIFIED;
  if (main_.busy_until <= now_ || main_.step == 0) return event_.action;
  const protocol::ReplayStep& step = main_.steps[main_.step - 1];
  return step.kind == Kind::kBusy && step.compute ? v1::COMPUTE : event_.action;
}

// The time of the next decide() even if nothing arrives.
Time RankEngine::next_decision() const {
  Time next = Time::never();
  if (!failure_.empty()) return next;
  if (!finished_ && main_.busy_until > now_) next = main_.busy_until;
  for (const RankSchedule& schedule : background_) {
    if (schedule.busy_until > now_) next = std::min(next, schedule.busy_until);
  }
  return next;
}

void RankEngine::run() {
  for (auto schedule = background_.begin(); schedule != background_.end();) {
    if (advance(*schedule)) {
      protocol_.requests().complete(schedule->request);
      schedule = background_.erase(schedule);
    } else {
      ++schedule;
    }
  }
  // Collectives in the background are completed even if the rank has nothing more to do.
  while (!finished_ && advance(main_) && next_event()) {
  }
}

// Returns true at the end of the schedule's steps.
bool RankEngine::advance(RankSchedule& schedule) {
  while (failure_.empty() && schedule.busy_until <= now_) {
    if (schedule.waits()) {
      if (!run_waits(schedule)) return false;
    } else if (schedule.step < schedule.steps.size()) {
      if (!run_step(schedule)) return false;
    } else {
      return true;
    }
  }
  return false;
}

// Completes what is waited for, one after the other; each receive costs its overhead. False if one is not done.
bool RankEngine::run_waits(RankSchedule& schedule) {
  const uint32_t id = schedule.waiting[schedule.waited];
  const protocol::MpiRequest& request = protocol_.requests()[id];
  if (request.state != State::kDone) return false;
  if (request.kind == protocol::MpiRequest::Kind::kReduction) be_busy_in_call(schedule, options_.receive_overhead);
  if (request.kind == protocol::MpiRequest::Kind::kReceive) {
    be_busy_in_call(schedule, options_.receive_overhead + options_.costs.copy.of(request.copied ? request.bytes : 0) +
                                  times(options_.match_overhead, request.looked));
  }
  protocol_.requests().release(id);
  if (++schedule.waited == schedule.waiting.size()) {
    schedule.waiting.clear();
    schedule.waited = 0;
  }
  return true;
}

void RankEngine::be_busy(RankSchedule& schedule, Time duration) {
  schedule.busy_until = now_ + duration;
  if (schedule.busy_until.is_never()) fail("its computation, copy or overhead lasts longer than simulated time can");
}

// Collectives in the background take no time of the rank itself.
void RankEngine::be_busy_in_call(RankSchedule& schedule, Time duration) {
  be_busy(schedule, duration);
  if (!schedule.background && !schedule.busy_until.is_never()) totals_.software += duration;
}

// The arithmetic of collectives in the background has no memory traffic of its own.
void RankEngine::compute(RankSchedule& schedule, const protocol::ReplayStep& step) {
  if (!step.compute) return be_busy_in_call(schedule, step.duration);
  be_busy(schedule, step.duration);
  if (step.bytes > 0 && computer_ && failure_.empty()) {
    schedule.busy_until = Time::never();
    computes_since_ = now_;
    computer_(step.duration, step.bytes);
  } else if (!schedule.background) {
    totals_.compute += step.duration;
  }
}

void RankEngine::on_computed(Time now) {
  main_.busy_until = now;
  totals_.compute += now - computes_since_;
}

bool RankEngine::run_step(RankSchedule& schedule) {
  const protocol::ReplayStep& step = schedule.steps[schedule.step++];
  switch (step.kind) {
    case Kind::kBusy:
      compute(schedule, step);
      break;
    case Kind::kSend:
      start_send(schedule, step);
      break;
    case Kind::kReceive:
      start_receive(schedule, step);
      break;
    case Kind::kReduce:
      start_reduction(schedule, step);
      break;
    case Kind::kProbe:
      return probe(schedule, step);
    case Kind::kWaitStarted:
      std::swap(schedule.waiting, schedule.started);
      break;
    case Kind::kWaitFor:
      return wait_for(step);
    case Kind::kWaitAge:
      return wait_for_age(step.age);
    case Kind::kWaitAll:
      wait_all();
      break;
    case Kind::kWaitLast:
      wait_last();
      break;
  }
  return true;
}

bool RankEngine::next_event() {
  const absl::StatusOr<bool> more = program_->next(now_, event_);
  if (!more.ok()) {
    // The message names file, rank and event itself.
    if (failure_.empty()) failure_ = std::string(message_of(more.status()));
    return false;
  }
  if (!*more) {
    finished_ = true;
    totals_.ended.set(1);
    finish_time_ = now_;
    return false;
  }
  begin_event();
  return failure_.empty();
}

void RankEngine::begin_event() {
  totals_.events.add(1);
  main_.step = 0;
  main_.steps.clear();
  if (event_.action == v1::COMM_CREATE || event_.communicator != 0 || event_.action == v1::COMM_FREE) {
    if (const absl::Status status = communicators_.follow(event_); !status.ok())
      return fail(std::string(message_of(status)));
  }
  trace::format::Communicator& communicator = communicators_.of(event_);
  if (!trace::format::action_shape(event_.action).collective)
    return protocol::make_steps(event_, options_.costs, communicator, main_.steps);
  if (trace::format::blocking_action(event_.action) == event_.action) {
    protocol::make_steps(event_, options_.costs, communicator, main_.steps);
  } else {
    begin_background(communicator);
  }
  ++communicator.collectives;
}

void RankEngine::begin_background(const trace::format::Communicator& communicator) {
  const protocol::MatchKey key{
      .tag = communicator.collectives, .collective = true, .communicator = event_.communicator};
  const bool same = std::any_of(background_.begin(), background_.end(), [&](const RankSchedule& other) {
    const protocol::MatchKey& its = protocol_.requests()[other.request].key;
    return its.tag == key.tag && its.communicator == key.communicator;
  });
  // This happens only if the communicator was freed and created again meanwhile.
  if (same) return fail(fmt::format("a collective of a former communicator {} still goes on", event_.communicator));
  const uint32_t request = protocol_.requests().make({.key = key,
                                                      .number = outstanding_started_,
                                                      .event = totals_.events.get() - 1,
                                                      .action = event_.action,
                                                      .kind = protocol::MpiRequest::Kind::kCollective});
  stay_outstanding(request);
  RankSchedule& schedule = background_.emplace_back();
  schedule.background = true;
  schedule.request = request;
  protocol::make_steps(event_, options_.costs, communicator, schedule.steps);
  if (!advance(schedule)) return;
  protocol_.requests().complete(request);
  background_.pop_back();
}

uint32_t RankEngine::new_request(RankSchedule& schedule, const protocol::ReplayStep& step,
                                 protocol::MpiRequest::Kind kind) {
  protocol::MpiRequest request{
      .key = {.source = step.peer, .tag = step.tag, .collective = step.collective, .communicator = step.communicator},
      .bytes = step.bytes,
      .event = totals_.events.get() - 1,
      .action = event_.action,
      .kind = kind,
      .background = schedule.background};
  if (schedule.background) {
    const protocol::MpiRequest& collective = protocol_.requests()[schedule.request];
    request.event = collective.event;
    request.action = collective.action;
    request.sequence = (kind == protocol::MpiRequest::Kind::kSend ? schedule.sent : schedule.received)[step.peer]++;
  }
  return protocol_.requests().make(request);
}

void RankEngine::stay_outstanding(uint32_t request) {
  protocol_.requests()[request].number = outstanding_started_++;
  outstanding_.push_back(request);
}

void RankEngine::start_send(RankSchedule& schedule, const protocol::ReplayStep& step) {
  const uint32_t id = new_request(schedule, step, protocol::MpiRequest::Kind::kSend);
  if (step.mode == protocol::SendMode::kBuffered) {
    std::erase_if(buffered_, [&](uint32_t other) {
      if (protocol_.requests()[other].state != State::kDone) return false;
      protocol_.requests().release(other);
      return true;
    });
    buffered_.push_back(id);
    if (step.outstanding) {
      const uint32_t done = protocol_.requests().make(protocol_.requests()[id]);
      protocol_.requests().complete(done);
      stay_outstanding(done);
    }
  } else if (step.outstanding) {
    stay_outstanding(id);
  } else {
    schedule.started.push_back(id);
  }
  protocol_.start_send(id, step.mode);
  take_failure();
}

void RankEngine::start_receive(RankSchedule& schedule, const protocol::ReplayStep& step) {
  const uint32_t id = new_request(schedule, step, protocol::MpiRequest::Kind::kReceive);
  if (step.outstanding) {
    stay_outstanding(id);
  } else {
    schedule.started.push_back(id);
  }
  const uint32_t looked = protocol_.start_receive(id);
  if (options_.match_overhead > Time::zero() && looked > 0)
    be_busy_in_call(schedule, times(options_.match_overhead, looked));
  take_failure();
}

void RankEngine::start_reduction(RankSchedule& schedule, const protocol::ReplayStep& step) {
  const uint32_t id = new_request(schedule, step, protocol::MpiRequest::Kind::kReduction);
  schedule.started.push_back(id);
  protocol_.start_reduction(id, step.type);
  take_failure();
}

// False, to be tried again, if there is no message.
bool RankEngine::probe(RankSchedule& schedule, const protocol::ReplayStep& step) {
  uint32_t looked = 0;
  const protocol::MatchKey key{.source = step.peer, .tag = step.tag, .communicator = step.communicator};
  if (!protocol_.probe(key, looked)) {
    --schedule.step;
    return false;
  }
  if (options_.match_overhead > Time::zero()) be_busy_in_call(schedule, times(options_.match_overhead, looked));
  return true;
}

void RankEngine::wait_for_outstanding(size_t index) {
  main_.waiting.push_back(outstanding_[index]);
  outstanding_.erase(outstanding_.begin() + static_cast<std::ptrdiff_t>(index));
}

bool RankEngine::wait_for(const protocol::ReplayStep& step) {
  const auto fits = [&](uint32_t id) {
    const protocol::MpiRequest& request = protocol_.requests()[id];
    if (request.kind == protocol::MpiRequest::Kind::kCollective) return false;
    // The trace does not say which end of a message to oneself is waited for; take the oldest.
    const bool direction =
        step.peer == options_.costs.rank || (request.kind == protocol::MpiRequest::Kind::kSend) == step.sends;
    return direction && request.key.tag == step.tag && request.key.source == step.peer;
  };
  const auto found = std::find_if(outstanding_.begin(), outstanding_.end(), fits);
  if (found == outstanding_.end()) {
    fail(fmt::format("there is no outstanding {} {}, tag {}", step.sends ? "send to" : "receive from",
                     protocol::peer_text(step.peer), step.tag));
    return false;
  }
  wait_for_outstanding(static_cast<size_t>(found - outstanding_.begin()));
  return true;
}

bool RankEngine::wait_for_age(uint64_t age) {
  const auto found = std::find_if(outstanding_.begin(), outstanding_.end(), [&](uint32_t id) {
    return protocol_.requests()[id].number + age + 1 == outstanding_started_;
  });
  if (found == outstanding_.end()) {
    fail(fmt::format("there is no outstanding request after which {} others were started", age));
    return false;
  }
  wait_for_outstanding(static_cast<size_t>(found - outstanding_.begin()));
  return true;
}

void RankEngine::wait_all() {
  main_.waiting = std::move(outstanding_);
  outstanding_.clear();
}

void RankEngine::wait_last() {
  std::vector<uint32_t> left;
  for (const uint32_t id : outstanding_)
    (protocol_.requests()[id].kind == protocol::MpiRequest::Kind::kReceive ? left : main_.waiting).push_back(id);
  outstanding_ = std::move(left);
  main_.waiting.insert(main_.waiting.end(), buffered_.begin(), buffered_.end());
  buffered_.clear();
}

const protocol::MpiRequest* RankEngine::blocking_request() const {
  if (!main_.waits()) return nullptr;
  const uint32_t id = main_.waiting[main_.waited];
  for (const RankSchedule& schedule : background_) {
    if (schedule.request == id && schedule.waits()) return &protocol_.requests()[schedule.waiting[schedule.waited]];
  }
  return &protocol_.requests()[id];
}

bool RankEngine::stuck() const {
  return next_decision().is_never() && !protocol_.undecided() && !idle() &&
         (main_.probes(now_) || blocking_request() != nullptr);
}

}  // namespace fabrictwin::mpi
