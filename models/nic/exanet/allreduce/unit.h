// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The model of the Allreduce accelerator of one node: a client in F2 to F4, a server in F1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/nic/exanet/allreduce/packet.h"
#include "models/nic/exanet/context.h"

namespace fabrictwin::nic::exanet::allreduce {

/// The protocol of docs/models/allreduce.md with the times of Timing. Not thread-safe.
class Unit {
 public:
  /// `client` may be set later by bind_client().
  explicit Unit(Context& context) : context_(context) {}
  void bind_client(Client* client) { client_ = client; }

  /// These are what they are in Port, from the processor's call on.
  void configure(const Group& group);
  void start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector);

  /// The last word of a packet of kind kPacketKind has come to the unit.
  void arrived(const Words& words);

  uint64_t dropped() const { return dropped_; }  ///< Packets with a wrong checksum or shape.
  uint64_t stale() const { return stale_; }  ///< Packets of operations that are over or far ahead, and repeated ones.

 private:
  static constexpr int kBoardSlots = kReduceGroup;
  static constexpr int kSlots = kBoardSlots + kMaxExchanges;

  struct Failure {
    Code code = Code::kDone;
    int32_t culprit = 0;
  };

  bool server() const { return group_->rank % kReduceGroup == 0; }
  /// The slot of a packet of this level and rank; nothing if there is none here.
  std::optional<size_t> slot_of(const Packet& packet) const;
  std::optional<Packet>& slot(size_t index) { return slots_[index][expected_ & 1]; }
  bool here(size_t index) { return slot(index).has_value() && slot(index)->sequence == expected_; }
  int32_t rank_of(size_t index) const;

  void begin(ReduceOperation operation, ReduceType type, std::vector<std::byte> vector);
  void advance();
  void advance_client();
  void advance_server();
  void take_slot(size_t index);
  Failure check(size_t index);
  void combine(size_t index);
  void exchange();
  void broadcast();
  void send(int32_t rank, uint8_t level, const Failure& failure, int64_t delay = 0);
  void fail(const Failure& failure);
  void finish(const Failure& failure);
  void tell(const Failure& failure);
  void be_busy(int64_t cycles);
  void arm(int32_t rank, int32_t periods);

  Context& context_;
  Client* client_ = nullptr;
  std::optional<Group> group_;
  int32_t levels_ = 0;
  std::array<std::array<std::optional<Packet>, 2>, kSlots> slots_;
  uint8_t expected_ = 0;  ///< Number of the operation that ends next.

  bool started_ = false;
  bool busy_ = false;   ///< The combiner or the sender works.
  bool sent_ = false;   ///< The packet of this step has been sent.
  bool armed_ = false;  ///< The timer runs for this step.
  uint64_t timer_ = 0;  ///< Number of the timer that counts.
  int32_t step_ = 0;    ///< Server: slot that is next.
  ReduceOperation operation_ = ReduceOperation::kSum;
  ReduceType type_ = ReduceType::kInt32;
  std::vector<std::byte> vector_;
  std::optional<Failure> missed_;  ///< An operation ended so before the own rank began it.
  uint64_t dropped_ = 0;
  uint64_t stale_ = 0;
};

}  // namespace fabrictwin::nic::exanet::allreduce
