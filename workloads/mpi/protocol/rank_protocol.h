// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The message protocol of a rank: eager or rendezvous, matching, checks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "cosim/observe/digest.h"
#include "models/nic/message.h"
#include "workloads/mpi/protocol/match_queues.h"
#include "workloads/mpi/protocol/mpi_header.h"
#include "workloads/mpi/protocol/rank_activity.h"
#include "workloads/mpi/protocol/replay_step.h"
#include "workloads/mpi/protocol/request_table.h"

namespace fabrictwin::mpi::protocol {

/// The protocol of one rank; see docs/models/mpi-replay.md. Arrivals are only queued until begin(). The first error is
/// kept as failure(), and nothing is done after it. Not thread-safe.
class RankProtocol {
 public:
  /// Takes the messages that the rank sends.
  using Sender = absl::FunctionRef<void(const nic::OutgoingMessage&)>;

  /// `digest`, which outlives it, takes the user messages that the rank receives.
  RankProtocol(int32_t rank, uint64_t eager_limit, observe::EndpointDigest* digest)
      : rank_(rank), eager_limit_(eager_limit), digest_(digest) {}

  void on_message(const nic::IncomingMessage& message) { arrivals_.push_back(message); }
  void on_sent(uint64_t cookie) { sent_.push_back(cookie); }
  /// Whether something has arrived that begin() has not processed.
  bool undecided() const { return !arrivals_.empty() || !sent_.empty(); }

  /// Messages can be sent between begin() and end(), and `send` must live until then. begin() processes arrivals.
  void begin(const Sender& send);
  void end() { send_ = nullptr; }

  RequestTable& requests() { return requests_; }
  const RequestTable& requests() const { return requests_; }

  /// Starts the send of a request that was just made.
  void start_send(uint32_t id, SendMode mode);
  /// Starts the receive of a request that was just made. Returns how many waiting messages were searched.
  uint32_t start_receive(uint32_t id);
  /// Starts the reduction of a request that was just made. A rank has one at a time.
  void start_reduction(uint32_t id, nic::ReduceType type);
  /// True if there is a message that a receive would take; `looked` is as in MatchQueues.
  bool probe(const MatchKey& key, uint32_t& looked) const { return queues_.find(key, looked) != nullptr; }

  /// From now on, `activity`, which outlives it, is told of messages; null if nobody is.
  void tell(RankActivity* activity) { activity_ = activity; }

  uint64_t messages_sent() const { return messages_sent_; }
  uint64_t bytes_sent() const { return bytes_sent_; }
  /// The first error, without rank and event; empty if there is none.
  const std::string& failure() const { return failure_; }

 private:
  /// The state between the rank and a peer. Messages of collectives in the background are not counted.
  struct Peer {
    uint32_t sent = 0;
    uint32_t received = 0;
    RequestTable::Queue announced;  ///< Sends that wait for a CTS or an acknowledgement.
    RequestTable::Queue cleared;    ///< Receives that have sent a CTS and wait for data.
  };
  /// Removes the request that a message refers to from a queue.
  uint32_t take(RequestTable::Queue& queue, const MpiHeader& header);

  void take_sent();
  void take_arrivals();
  void take_arrival(const nic::IncomingMessage& message);
  void take_clear_to_send(int32_t source, const MpiHeader& header);
  void take_reduction(const nic::IncomingMessage& message, const MpiHeader& header);
  void take_data(const nic::IncomingMessage& message, const MpiHeader& header);
  void take_acknowledgement(int32_t source, const MpiHeader& header);
  void take_body(const nic::IncomingMessage& message, const MpiHeader& header);
  bool in_order(int32_t source, const MpiHeader& header);
  void match(uint32_t id, const MatchQueues::Message& message);
  void answer(MpiMessageKind kind, const MatchQueues::Message& message);
  void complete_if_over(uint32_t id);
  void transmit(int32_t destination, const MpiHeader& header, uint64_t body, uint64_t cookie);
  void fail(std::string reason) {
    if (failure_.empty()) failure_ = std::move(reason);
  }

  int32_t rank_;
  uint64_t eager_limit_;
  observe::EndpointDigest* digest_;
  RankActivity* activity_ = nullptr;
  const Sender* send_ = nullptr;
  std::vector<nic::IncomingMessage> arrivals_;
  std::vector<uint64_t> sent_;
  RequestTable requests_;
  MatchQueues queues_;
  absl::flat_hash_map<int32_t, Peer> peers_;  ///< By rank.
  uint32_t reduction_ = RequestTable::kNone;  ///< The request that is being reduced.
  uint64_t messages_sent_ = 0;
  uint64_t bytes_sent_ = 0;
  std::string failure_;
};

}  // namespace fabrictwin::mpi::protocol
