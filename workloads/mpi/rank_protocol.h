// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// How the messages of a rank go: eager or by rendezvous, matched, checked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "cosim/run/digest.h"
#include "models/message.h"
#include "workloads/mpi/match_queues.h"
#include "workloads/mpi/mpi_header.h"
#include "workloads/mpi/replay_step.h"
#include "workloads/mpi/request_table.h"

namespace fabrictwin {

/// The protocol of one rank. What arrives is only queued until take(). The first thing that is wrong is kept as
/// failure(), and nothing is done after it. docs/models/mpi-replay.md. Not thread-safe.
class RankProtocol {
 public:
  /// Takes the messages that the rank sends.
  using Sender = absl::FunctionRef<void(const OutgoingMessage&)>;

  /// `digest`, which outlives it, takes the user messages that the rank receives.
  RankProtocol(int32_t rank, uint64_t eager_limit, EndpointDigest* digest)
      : rank_(rank), eager_limit_(eager_limit), digest_(digest) {}

  void on_message(const IncomingMessage& message) { arrivals_.push_back(message); }
  void on_sent(uint64_t cookie) { sent_.push_back(cookie); }
  /// Whether something has come that begin() has not decided on.
  bool undecided() const { return !arrivals_.empty() || !sent_.empty(); }

  /// Between begin() and end() messages can be sent. `send` must last until then. begin() decides on what has come.
  void begin(const Sender& send);
  void end() { send_ = nullptr; }

  RequestTable& requests() { return requests_; }
  const RequestTable& requests() const { return requests_; }

  /// Starts the send or receive of a request that was just made.
  void start_send(uint32_t id, SendMode mode);
  /// Returns how many waiting messages were looked at.
  uint32_t start_receive(uint32_t id);
  /// True if there is a message that a receive would take; `looked` as in MatchQueues.
  bool probe(const MatchKey& key, uint32_t& looked) const { return queues_.find(key, looked) != nullptr; }

  uint64_t messages_sent() const { return messages_sent_; }
  uint64_t bytes_sent() const { return bytes_sent_; }
  /// Without rank and event.
  const std::string& failure() const { return failure_; }

 private:
  /// What the rank and a peer have with each other. Messages of collectives in the background are not counted.
  struct Peer {
    uint32_t sent = 0;
    uint32_t received = 0;
    RequestTable::Queue announced;  ///< Sends that wait for an answer.
    RequestTable::Queue cleared;    ///< Receives that wait for data.
  };
  /// The request of a queue that a message is about.
  uint32_t take(RequestTable::Queue& queue, const MpiHeader& header);

  void take_sent();
  void take_arrivals();
  void take_arrival(const IncomingMessage& message);
  void take_clear_to_send(int32_t source, const MpiHeader& header);
  void take_data(const IncomingMessage& message, const MpiHeader& header);
  void take_acknowledgement(int32_t source, const MpiHeader& header);
  void take_body(const IncomingMessage& message, const MpiHeader& header);
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
  EndpointDigest* digest_;
  const Sender* send_ = nullptr;
  std::vector<IncomingMessage> arrivals_;
  std::vector<uint64_t> sent_;
  RequestTable requests_;
  MatchQueues queues_;
  absl::flat_hash_map<int32_t, Peer> peers_;  ///< By rank.
  uint64_t messages_sent_ = 0;
  uint64_t bytes_sent_ = 0;
  std::string failure_;
};

}  // namespace fabrictwin
