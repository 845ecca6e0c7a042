// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/rank_engine.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"

namespace fabrictwin {
namespace {

using Kind = ReplayStep::Kind;

std::string rank_name(int32_t rank) { return rank == kAnySource ? "any rank" : fmt::format("rank {}", rank); }

std::string key_name(const MatchKey& key) {
  return key.collective ? fmt::format("{}, collective {}", rank_name(key.source), key.tag)
                        : fmt::format("{}, tag {}", rank_name(key.source), key.tag);
}

}  // namespace

RankEngine::RankEngine(const Options& options, std::unique_ptr<RankProgram> program, EndpointDigest* digest)
    : options_(options), program_(std::move(program)), digest_(digest) {}

void RankEngine::fail(const std::string& reason) {
  if (!failure_.empty()) return;
  if (totals_.events.get() == 0) {
    failure_ = fmt::format("rank {}: {}", options_.costs.rank, reason);
    return;
  }
  failure_ = fmt::format("rank {}, event {} ({}): {}", options_.costs.rank, totals_.events.get() - 1,
                         action_name(event_.action), reason);
}

Time RankEngine::decide(Time now, const Sender& send) {
  now_ = now;
  send_ = &send;
  if (failure_.empty()) take_sent();
  if (failure_.empty()) take_arrivals();
  if (failure_.empty() && !finished_) run();
  send_ = nullptr;
  return failure_.empty() && !finished_ && busy_until_ > now ? busy_until_ : Time::never();
}

void RankEngine::take_sent() {
  for (const uint64_t cookie : sent_) {
    // Cookie 0 is a control message: nobody waits for it.
    if (cookie != 0) complete(static_cast<uint32_t>(cookie - 1));
  }
  sent_.clear();
}

void RankEngine::take_arrivals() {
  // Messages of one source come in order; which of two sources is called first at the same time must not matter.
  std::stable_sort(arrivals_.begin(), arrivals_.end(),
                   [](const IncomingMessage& a, const IncomingMessage& b) { return a.source < b.source; });
  for (const IncomingMessage& message : arrivals_) {
    take_arrival(message);
    if (!failure_.empty()) return;
  }
  arrivals_.clear();
}

void RankEngine::take_arrival(const IncomingMessage& message) {
  const MpiHeader header = MpiHeader::decode(message.envelope.user);
  MatchQueues::Message matchable;
  matchable.key = {.source = message.source, .tag = header.tag, .collective = header.collective};
  matchable.sequence = header.sequence;
  matchable.bytes = header.bytes;
  switch (header.kind) {
    case MpiMessageKind::kEager:
      if (!in_order(message.source, header)) return;
      take_body(message, header);
      if (failure_.empty()) arrive(matchable);
      return;
    case MpiMessageKind::kRequestToSend:
      if (!in_order(message.source, header)) return;
      matchable.announced = true;
      arrive(matchable);
      return;
    case MpiMessageKind::kClearToSend: {
      const auto found = announced_.find(flow_key(message.source, header.sequence));
      if (found == announced_.end())
        return fail(
            fmt::format("rank {} asks for message {}, which was not announced", message.source, header.sequence));
      Request& request = requests_[found->second];
      request.state = RequestState::kMatched;
      MpiHeader data = header;
      data.kind = MpiMessageKind::kData;
      data.bytes = request.bytes;
      transmit(message.source, data, request.bytes, uint64_t{found->second} + 1);
      announced_.erase(found);
      return;
    }
    case MpiMessageKind::kData: {
      const auto found = cleared_.find(flow_key(message.source, header.sequence));
      if (found == cleared_.end())
        return fail(fmt::format("message {} of rank {} was not asked for", header.sequence, message.source));
      take_body(message, header);
      complete(found->second);
      cleared_.erase(found);
      return;
    }
  }
  fail(fmt::format("rank {} sent a message of unknown kind {}", message.source, static_cast<int>(header.kind)));
}

bool RankEngine::in_order(int32_t source, const MpiHeader& header) {
  uint32_t& expected = received_sequence_[source];
  if (header.sequence != expected) {
    fail(fmt::format("message {} of rank {} arrived where message {} was expected", header.sequence, source, expected));
    return false;
  }
  ++expected;
  return true;
}

// The receiver knows from which bytes the body must be made: from who sent it to whom, and which of their messages it
// is.
void RankEngine::take_body(const IncomingMessage& message, const MpiHeader& header) {
  const uint64_t source = static_cast<uint64_t>(message.source);
  const uint64_t self = static_cast<uint64_t>(options_.costs.rank);
  if (message.envelope.bytes != header.bytes) {
    return fail(fmt::format("message {} from rank {} has {} bytes instead of {}", header.sequence, message.source,
                            message.envelope.bytes, header.bytes));
  }
  if (message.envelope.payload_key != payload_key(source, self, header.sequence) || !message.intact) {
    return fail(fmt::format("message {} from rank {} has a wrong byte", header.sequence, message.source));
  }
  const uint64_t context = uint64_t{header.collective} << 32 | header.tag;
  const std::array<uint64_t, 6> facts = {source, self, header.sequence, context, header.bytes, message.body_hash};
  digest_->add_message(hash_values(facts));
}

void RankEngine::arrive(const MatchQueues::Message& message) {
  if (const std::optional<uint32_t> request = queues_.arrive(message)) match(*request, message);
}

void RankEngine::match(uint32_t request, const MatchQueues::Message& message) {
  Request& receive = requests_[request];
  if (message.bytes > receive.bytes) {
    return fail(fmt::format("a message of {} bytes from {} does not fit the {} of event {}, which takes {} bytes",
                            message.bytes, key_name(message.key), action_name(receive.action), receive.event,
                            receive.bytes));
  }
  if (!message.announced) {
    receive.copied = message.bytes;
    return complete(request);
  }
  receive.state = RequestState::kMatched;
  cleared_[flow_key(message.key.source, message.sequence)] = request;
  const MpiHeader header{.kind = MpiMessageKind::kClearToSend,
                         .collective = message.key.collective,
                         .sequence = message.sequence,
                         .tag = message.key.tag,
                         .bytes = message.bytes};
  transmit(message.key.source, header, 0, 0);
}

void RankEngine::transmit(int32_t destination, const MpiHeader& header, uint64_t body, uint64_t cookie) {
  OutgoingMessage message;
  message.destination = destination;
  message.envelope.payload_key =
      payload_key(static_cast<uint64_t>(options_.costs.rank), static_cast<uint64_t>(destination), header.sequence);
  message.envelope.bytes = body;
  const std::array<uint64_t, 2> user = header.encode();
  std::copy(user.begin(), user.end(), message.envelope.user);
  message.cookie = cookie;
  (*send_)(message);
}

void RankEngine::run() {
  while (failure_.empty() && busy_until_ <= now_) {
    if (waited_ < waiting_.size()) {
      if (!run_waits()) return;
    } else if (step_ < steps_.size()) {
      if (!run_step(steps_[step_++])) return;
    } else if (!next_event()) {
      return;
    }
  }
}

// Completes what is waited for, one after the other; each receive costs its overhead. False if one is not done.
bool RankEngine::run_waits() {
  const uint32_t id = waiting_[waited_];
  Request& request = requests_[id];
  if (request.state != RequestState::kDone) return false;
  if (request.receive) busy_until_ = now_ + options_.receive_overhead + options_.costs.copy.of(request.copied);
  request.state = RequestState::kFree;
  free_requests_.push_back(id);
  if (++waited_ == waiting_.size()) {
    waiting_.clear();
    waited_ = 0;
  }
  return true;
}

bool RankEngine::run_step(const ReplayStep& step) {
  switch (step.kind) {
    case Kind::kBusy:
      busy_until_ = now_ + step.duration;
      if (busy_until_.is_never()) fail("the computation lasts longer than simulated time can");
      if (step.compute) totals_.compute += step.duration;
      break;
    case Kind::kSend:
      start_send(step);
      break;
    case Kind::kReceive:
      start_receive(step);
      break;
    case Kind::kWaitStarted:
      std::swap(waiting_, started_);
      break;
    case Kind::kWaitFor:
      return wait_for(step);
    case Kind::kWaitAll:
      wait_all(false);
      break;
    case Kind::kWaitSends:
      wait_all(true);
      break;
  }
  return true;
}

bool RankEngine::next_event() {
  TraceEvent event;
  const absl::StatusOr<bool> more = program_->next(now_, event);
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
  begin_event(std::move(event));
  return true;
}

void RankEngine::begin_event(TraceEvent event) {
  event_ = std::move(event);
  totals_.events.add(1);
  step_ = 0;
  if (!can_replay(event_.action)) return fail("this call cannot be replayed");
  make_steps(event_, options_.costs, collectives_, steps_);
  if (action_shape(event_.action).collective) ++collectives_;
}

uint32_t RankEngine::new_request(const ReplayStep& step, bool receive) {
  uint32_t id = static_cast<uint32_t>(requests_.size());
  if (free_requests_.empty()) {
    requests_.emplace_back();
  } else {
    id = free_requests_.back();
    free_requests_.pop_back();
  }
  requests_[id] = {.state = RequestState::kStarted,
                   .receive = receive,
                   .rendezvous = false,
                   .key = {.source = step.peer, .tag = step.tag, .collective = step.collective},
                   .bytes = step.bytes,
                   .event = totals_.events.get() - 1,
                   .action = event_.action};
  (step.outstanding ? outstanding_ : started_).push_back(id);
  return id;
}

void RankEngine::start_send(const ReplayStep& step) {
  const uint32_t id = new_request(step, false);
  if (step.peer == options_.costs.rank) {
    // A message to oneself is copied in memory and never waits for its receive.
    complete(id);
    arrive({.key = requests_[id].key, .sequence = 0, .bytes = step.bytes, .announced = false});
    return;
  }
  const uint32_t sequence = sent_sequence_[step.peer]++;
  if (sequence > MpiHeader::kMaxSequence)
    return fail(fmt::format("more messages to rank {} than a flow can have", step.peer));
  ++totals_.messages_sent;
  totals_.bytes_sent += step.bytes;
  MpiHeader header{.kind = MpiMessageKind::kEager,
                   .collective = step.collective,
                   .sequence = sequence,
                   .tag = step.tag,
                   .bytes = step.bytes};
  if (step.bytes <= options_.costs.eager_limit) return transmit(step.peer, header, step.bytes, uint64_t{id} + 1);
  header.kind = MpiMessageKind::kRequestToSend;
  requests_[id].rendezvous = true;
  announced_[flow_key(step.peer, sequence)] = id;
  transmit(step.peer, header, 0, 0);
}

void RankEngine::start_receive(const ReplayStep& step) {
  const uint32_t id = new_request(step, true);
  if (const std::optional<MatchQueues::Message> message = queues_.post(requests_[id].key, id)) match(id, *message);
}

bool RankEngine::wait_for(const ReplayStep& step) {
  const auto fits = [&](uint32_t id) {
    const Request& request = requests_[id];
    // The trace does not say which end of a message to oneself is waited for: the oldest.
    const bool direction = step.peer == options_.costs.rank || request.receive != step.sends;
    return direction && request.key.tag == step.tag && request.key.source == step.peer;
  };
  auto found = std::find_if(outstanding_.begin(), outstanding_.end(), fits);
  if (found == outstanding_.end()) {
    fail(fmt::format("there is no outstanding {} {}, tag {}", step.sends ? "send to" : "receive from",
                     rank_name(step.peer), step.tag));
    return false;
  }
  waiting_.push_back(*found);
  outstanding_.erase(found);
  return true;
}

void RankEngine::wait_all(bool sends_only) {
  std::vector<uint32_t> left;
  for (const uint32_t id : outstanding_) {
    (sends_only && requests_[id].receive ? left : waiting_).push_back(id);
  }
  outstanding_ = std::move(left);
}

std::string RankEngine::waits_for() const {
  if (finished_ || !failure_.empty() || waited_ >= waiting_.size() || busy_until_ > now_) return {};
  const Request& request = requests_[waiting_[waited_]];
  std::string what;
  if (request.receive) {
    what =
        fmt::format("{} {}", request.state == RequestState::kMatched ? "the body of a message from" : "a message from",
                    key_name(request.key));
  } else if (request.rendezvous && request.state == RequestState::kStarted) {
    what = fmt::format("{} to receive a message of {} bytes", key_name(request.key), request.bytes);
  } else {
    what = fmt::format("a message to {} to leave", key_name(request.key));
  }
  return fmt::format("rank {} waits in event {} ({}) for {}, started in event {} ({})", options_.costs.rank,
                     totals_.events.get() - 1, action_name(event_.action), what, request.event,
                     action_name(request.action));
}

}  // namespace fabrictwin
