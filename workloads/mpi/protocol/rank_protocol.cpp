// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/protocol/rank_protocol.h"

#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "workloads/mpi/protocol/request_text.h"

namespace fabrictwin::mpi::protocol {

using State = MpiRequest::State;

namespace {

/// Stands for the source in the keys of reductions, whose vectors come from all ranks.
constexpr uint64_t kReductionKey = uint64_t{1} << 32;

}  // namespace

uint32_t RankProtocol::take(RequestTable::Queue& queue, const MpiHeader& header) {
  return requests_.take(queue, [&](const MpiRequest& request) {
    if (request.sequence != header.sequence || request.background != header.background) return false;
    return !header.background || (request.key.tag == header.tag && request.key.communicator == header.communicator);
  });
}

void RankProtocol::begin(const Sender& send) {
  send_ = &send;
  if (failure_.empty()) take_sent();
  if (failure_.empty()) take_arrivals();
}

void RankProtocol::take_sent() {
  for (const uint64_t cookie : sent_) {
    // Cookie 0 is a control message, which is not reported. Others are numbers of requests, which begin at 1.
    if (cookie == 0) continue;
    requests_[static_cast<uint32_t>(cookie)].leaving = false;
    complete_if_over(static_cast<uint32_t>(cookie));
  }
  sent_.clear();
}

void RankProtocol::complete_if_over(uint32_t id) {
  if (!requests_[id].leaving && !requests_[id].unacknowledged) requests_.complete(id);
}

void RankProtocol::take_arrivals() {
  // Messages of one source arrive in order; the order of calls for different sources at one time must not matter.
  if (arrivals_.size() > 1) {
    std::stable_sort(arrivals_.begin(), arrivals_.end(),
                     [](const nic::IncomingMessage& a, const nic::IncomingMessage& b) { return a.source < b.source; });
  }
  for (const nic::IncomingMessage& message : arrivals_) {
    take_arrival(message);
    if (!failure_.empty()) return;
  }
  arrivals_.clear();
}

void RankProtocol::take_arrival(const nic::IncomingMessage& message) {
  const MpiHeader header = MpiHeader::decode(message.envelope.user);
  switch (header.kind) {
    case MpiMessageKind::kClearToSend:
      return take_clear_to_send(message.source, header);
    case MpiMessageKind::kData:
      return take_data(message, header);
    case MpiMessageKind::kAcknowledgement:
      return take_acknowledgement(message.source, header);
    case MpiMessageKind::kReduction:
      return take_reduction(message, header);
    case MpiMessageKind::kEager:
    case MpiMessageKind::kSynchronousEager:
    case MpiMessageKind::kRequestToSend:
      break;
    default:
      return fail(
          fmt::format("rank {} sent a message of unknown kind {}", message.source, static_cast<int>(header.kind)));
  }
  if (!header.background && !in_order(message.source, header)) return;
  MatchQueues::Message matchable;
  matchable.key = {.source = message.source,
                   .tag = header.tag,
                   .collective = header.collective,
                   .communicator = header.communicator};
  matchable.sequence = header.sequence;
  matchable.bytes = header.bytes;
  matchable.announced = header.kind == MpiMessageKind::kRequestToSend;
  matchable.synchronous = header.kind == MpiMessageKind::kSynchronousEager;
  matchable.background = header.background;
  if (!matchable.announced) take_body(message, header);
  if (!failure_.empty()) return;
  if (const std::optional<uint32_t> id = queues_.arrive(matchable)) match(*id, matchable);
}

void RankProtocol::take_clear_to_send(int32_t source, const MpiHeader& header) {
  const uint32_t id = take(peers_[source].announced, header);
  if (id == RequestTable::kNone || !requests_[id].rendezvous)
    return fail(fmt::format("rank {} asks for message {}, which was not announced", source, header.sequence));
  requests_[id].state = State::kMatched;
  requests_[id].leaving = true;
  requests_[id].unacknowledged = false;
  MpiHeader data = header;
  data.kind = MpiMessageKind::kData;
  data.bytes = requests_[id].bytes;
  transmit(source, data, requests_[id].bytes, id);
}

void RankProtocol::take_acknowledgement(int32_t source, const MpiHeader& header) {
  const uint32_t id = take(peers_[source].announced, header);
  if (id == RequestTable::kNone || requests_[id].rendezvous)
    return fail(fmt::format("rank {} acknowledges message {}, which does not want it", source, header.sequence));
  requests_[id].unacknowledged = false;
  complete_if_over(id);
}

// All ranks derive their vectors from the same key.
void RankProtocol::start_reduction(uint32_t id, nic::ReduceType type) {
  const MpiRequest& request = requests_[id];
  const MpiHeader header{
      .kind = MpiMessageKind::kReduction, .collective = true, .tag = request.key.tag, .bytes = request.bytes};
  reduction_ = id;
  ++messages_sent_;
  bytes_sent_ += request.bytes;
  nic::OutgoingMessage message;
  message.destination = rank_;
  message.envelope.payload_key = nic::payload_key(kReductionKey, request.key.tag, request.bytes);
  message.envelope.bytes = request.bytes;
  std::ranges::copy(header.encode(), message.envelope.user);
  message.reduction = {.rank = rank_, .type = type};
  (*send_)(message);
}

void RankProtocol::take_reduction(const nic::IncomingMessage& message, const MpiHeader& header) {
  if (reduction_ == RequestTable::kNone || requests_[reduction_].key.tag != header.tag)
    return fail(fmt::format("collective {} was reduced, which nobody has asked for", header.tag));
  if (!message.intact) return fail(fmt::format("the reduction of collective {} has a wrong result", header.tag));
  const std::array<uint64_t, 5> facts = {static_cast<uint64_t>(rank_), kReductionKey, header.tag, header.bytes,
                                         message.body_hash};
  digest_->add_message(observe::hash_values(facts));
  requests_.complete(reduction_);
  reduction_ = RequestTable::kNone;
}

void RankProtocol::take_data(const nic::IncomingMessage& message, const MpiHeader& header) {
  const uint32_t id = take(peers_[message.source].cleared, header);
  if (id == RequestTable::kNone)
    return fail(fmt::format("message {} of rank {} was not asked for", header.sequence, message.source));
  take_body(message, header);
  requests_.complete(id);
}

bool RankProtocol::in_order(int32_t source, const MpiHeader& header) {
  uint32_t& expected = peers_[source].received;
  if (header.sequence != expected) {
    fail(fmt::format("message {} of rank {} arrived where message {} was expected", header.sequence, source, expected));
    return false;
  }
  ++expected;
  return true;
}

// The receiver knows the key of the body from source, destination and the sequence of the message.
void RankProtocol::take_body(const nic::IncomingMessage& message, const MpiHeader& header) {
  const uint64_t source = static_cast<uint64_t>(message.source);
  const uint64_t self = static_cast<uint64_t>(rank_);
  if (message.envelope.bytes != header.bytes) {
    return fail(fmt::format("message {} from rank {} has {} bytes instead of {}", header.sequence, message.source,
                            message.envelope.bytes, header.bytes));
  }
  if (message.envelope.payload_key != nic::payload_key(source, self, header.content()) || !message.intact)
    return fail(fmt::format("message {} from rank {} has a wrong byte", header.sequence, message.source));
  const uint64_t context =
      uint64_t{header.communicator} << 33 | uint64_t{header.collective} << 32 | uint64_t{header.tag};
  const std::array<uint64_t, 6> facts = {source, self, header.content(), context, header.bytes, message.body_hash};
  digest_->add_message(observe::hash_values(facts));
}

void RankProtocol::match(uint32_t id, const MatchQueues::Message& message) {
  MpiRequest& receive = requests_[id];
  receive.looked += message.looked;
  if (message.bytes > receive.bytes) {
    return fail(fmt::format("a message of {} bytes from {} does not fit the {} of event {}, which takes {} bytes",
                            message.bytes, key_text(message.key), trace::format::action_name(receive.action),
                            receive.event, receive.bytes));
  }
  const bool own = message.key.source == rank_;
  if (message.background && !own && message.sequence != receive.sequence) {
    return fail(fmt::format("message {} of {} came where message {} was expected", message.sequence,
                            key_text(message.key), receive.sequence));
  }
  receive.bytes = message.bytes;
  if (!message.announced) {
    receive.copied = true;
    requests_.complete(id);
    if (!message.synchronous) return;
    // For a message to oneself, the sequence is the number of its request.
    return own ? requests_.complete(message.sequence) : answer(MpiMessageKind::kAcknowledgement, message);
  }
  receive.state = State::kMatched;
  receive.sequence = message.sequence;
  receive.background = message.background;
  requests_.append(peers_[message.key.source].cleared, id);
  answer(MpiMessageKind::kClearToSend, message);
}

void RankProtocol::answer(MpiMessageKind kind, const MatchQueues::Message& message) {
  const MpiHeader header{.kind = kind,
                         .collective = message.key.collective,
                         .background = message.background,
                         .sequence = message.sequence,
                         .tag = message.key.tag,
                         .communicator = message.key.communicator,
                         .bytes = message.bytes};
  transmit(message.key.source, header, 0, 0);
}

void RankProtocol::transmit(int32_t destination, const MpiHeader& header, uint64_t body, uint64_t cookie) {
  nic::OutgoingMessage message;
  message.destination = destination;
  message.envelope.payload_key =
      nic::payload_key(static_cast<uint64_t>(rank_), static_cast<uint64_t>(destination), header.content());
  message.envelope.bytes = body;
  const std::array<uint64_t, 2> user = header.encode();
  std::copy(user.begin(), user.end(), message.envelope.user);
  message.cookie = cookie;
  (*send_)(message);
}

void RankProtocol::start_send(uint32_t id, SendMode mode) {
  MpiRequest& request = requests_[id];
  const int32_t peer = request.key.source;
  request.unacknowledged = mode == SendMode::kSynchronous;
  if (request.bytes > MpiHeader::kMaxBytes)
    return fail(fmt::format("a message of {} bytes to rank {} is larger than one can be", request.bytes, peer));
  if (peer == rank_) {
    // A message to oneself is copied in memory; unless it is synchronous, it never waits for its receive.
    MatchQueues::Message message{.key = request.key,
                                 .sequence = id,
                                 .bytes = request.bytes,
                                 .announced = false,
                                 .synchronous = request.unacknowledged,
                                 .background = request.background};
    if (!message.synchronous) requests_.complete(id);
    if (const std::optional<uint32_t> receive = queues_.arrive(message)) match(*receive, message);
    return;
  }
  Peer& with = peers_[peer];
  if (!request.background) request.sequence = with.sent++;
  if (request.sequence > MpiHeader::kMaxSequence)
    return fail(fmt::format("more messages to rank {} than a flow can have", peer));
  ++messages_sent_;
  bytes_sent_ += request.bytes;
  if (activity_ != nullptr) activity_->sent(peer, request.bytes);
  MpiHeader header{.kind = request.unacknowledged ? MpiMessageKind::kSynchronousEager : MpiMessageKind::kEager,
                   .collective = request.key.collective,
                   .background = request.background,
                   .sequence = request.sequence,
                   .tag = request.key.tag,
                   .communicator = request.key.communicator,
                   .bytes = request.bytes};
  request.rendezvous = request.bytes > eager_limit_;
  if (request.rendezvous || request.unacknowledged) requests_.append(with.announced, id);
  if (request.rendezvous) {
    header.kind = MpiMessageKind::kRequestToSend;
    return transmit(peer, header, 0, 0);
  }
  request.leaving = true;
  transmit(peer, header, request.bytes, id);
}

uint32_t RankProtocol::start_receive(uint32_t id) {
  uint32_t looked = 0;
  if (const std::optional<MatchQueues::Message> message = queues_.post(requests_[id].key, id, looked))
    match(id, *message);
  return looked;
}

}  // namespace fabrictwin::mpi::protocol
