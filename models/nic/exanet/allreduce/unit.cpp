// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/allreduce/unit.h"

#include <algorithm>
#include <utility>

namespace fabrictwin::nic::exanet::allreduce {
namespace {

/// A register, and what is reduced in a cycle.
constexpr int64_t kWordBytes = 8;

int64_t words_of(size_t bytes) { return (static_cast<int64_t>(bytes) + kWordBytes - 1) / kWordBytes; }

/// Words of a packet with so many bytes.
int64_t packet_words(size_t bytes) { return 2 + (static_cast<int64_t>(bytes) + 15) / 16; }

}  // namespace

// --- The host ---

void Unit::configure(const Group& group) {
  context_.at(context_.now() + context_.timing.host_latency, [this, group] {
    group_ = group;
    levels_ = levels_of(group.nodes.size());
    advance();
  });
}

// The processor writes the vector word by word, then the command.
void Unit::start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector) {
  const int64_t accesses = words_of(vector.size()) + 1;
  const Clock& clock = context_.timing.clock;
  const int64_t first = clock.edge_at_or_after(context_.now() + context_.timing.host_latency);
  context_.at(clock.edge(first + accesses * context_.timing.reduce_write),
              [this, operation, type, copy = std::vector<std::byte>(vector.begin(), vector.end())] {
                begin(operation, type, copy);
              });
}

void Unit::begin(ReduceOperation operation, ReduceType type, std::vector<std::byte> vector) {
  operation_ = operation;
  type_ = type;
  vector_ = std::move(vector);
  if (missed_.has_value()) {
    const Failure failure = *missed_;
    missed_.reset();
    return tell(failure);
  }
  started_ = true;
  // A timer for the own rank no longer counts.
  armed_ = false;
  advance();
}

// --- Packets ---

std::optional<size_t> Unit::slot_of(const Packet& packet) const {
  if (context_.node % kReduceGroup != 0) return packet.level == kResult ? std::optional<size_t>(0) : std::nullopt;
  if (packet.level == kToServer) {
    const size_t index = packet.rank % kReduceGroup;
    return index == 0 ? std::nullopt : std::optional(index);
  }
  if (packet.level > kMaxExchanges) return std::nullopt;
  return kBoardSlots + packet.level - size_t{1};
}

// A vector may come before this node has begun the operation, or even before it has ended the one before, whose slots
// are others.
void Unit::arrived(const Words& words) {
  const std::optional<Packet> packet = parse(words);
  const std::optional<size_t> index = packet.has_value() ? slot_of(*packet) : std::nullopt;
  if (!index.has_value()) {
    ++dropped_;
    return;
  }
  std::optional<Packet>& slot = slots_[*index][packet->sequence & 1];
  const bool near = packet->sequence == expected_ || packet->sequence == static_cast<uint8_t>(expected_ + 1);
  if (!near || (slot.has_value() && slot->sequence == packet->sequence)) {
    ++stale_;
    return;
  }
  slot = packet;
  advance();
}

void Unit::send(int32_t rank, uint8_t level, const Failure& failure, int64_t delay) {
  Packet packet;
  packet.source = context_.node;
  packet.destination = group_->nodes[static_cast<size_t>(rank)];
  packet.sequence = expected_;
  packet.level = level;
  packet.rank = static_cast<uint16_t>(group_->rank);
  packet.operation = static_cast<uint8_t>(operation_);
  packet.type = static_cast<uint8_t>(type_);
  if (failure.code == Code::kDone) {
    packet.bytes = static_cast<uint16_t>(vector_.size());
    std::ranges::copy(vector_, packet.vector.begin());
  } else {
    packet.code = static_cast<uint8_t>(failure.code);
    packet.culprit = static_cast<uint16_t>(failure.culprit);
  }
  const int64_t first = server() ? context_.timing.reduce_send : context_.timing.reduce_start;
  context_.after(first + delay, [this, encoded = packet.encode(context_.numbering)] {
    context_.transmit(Stream::kReductions, encoded);
  });
}

// --- An operation ---

void Unit::be_busy(int64_t cycles) {
  busy_ = true;
  context_.after(cycles, [this] {
    busy_ = false;
    advance();
  });
}

void Unit::advance() {
  if (busy_ || !group_.has_value()) return;
  if (server()) {
    advance_server();
  } else if (started_) {
    advance_client();
  }
}

void Unit::advance_client() {
  const int32_t server_rank = group_->rank - group_->rank % kReduceGroup;
  if (!sent_) {
    sent_ = true;
    send(server_rank, kToServer, {});
  }
  if (!here(0)) return arm(server_rank, levels_ + 2);
  const Failure failure = check(0);
  if (failure.code == Code::kDone) std::ranges::copy(slot(0)->data(), vector_.begin());
  finish(failure);
}

int32_t Unit::rank_of(size_t index) const {
  const auto slot = static_cast<int32_t>(index);
  if (!server()) return group_->rank - group_->rank % kReduceGroup;
  return slot < kBoardSlots ? group_->rank + slot : group_->rank ^ (kReduceGroup << (slot - kBoardSlots));
}

void Unit::advance_server() {
  const bool begun = started_ || std::ranges::any_of(slots_, [this](const auto& pair) {
                       const std::optional<Packet>& packet = pair[expected_ & 1];
                       return packet.has_value() && packet->sequence == expected_;
                     });
  if (!begun) return;
  if (!started_) return arm(group_->rank, 1);
  if (step_ == 0) step_ = 1;
  if (step_ < kBoardSlots) return take_slot(static_cast<size_t>(step_));
  if (step_ < kBoardSlots + levels_) return exchange();
  broadcast();
}

void Unit::exchange() {
  const auto index = static_cast<size_t>(step_);
  if (sent_) return take_slot(index);
  sent_ = true;
  send(rank_of(index), static_cast<uint8_t>(1 + step_ - kBoardSlots), {});
  be_busy(packet_words(vector_.size()));
}

void Unit::take_slot(size_t index) {
  if (!here(index)) return arm(rank_of(index), step_ < kBoardSlots ? 1 : step_ - kBoardSlots + 2);
  const Failure failure = check(index);
  if (failure.code != Code::kDone) return fail(failure);
  combine(index);
}

Unit::Failure Unit::check(size_t index) {
  const Packet& packet = *slot(index);
  const int32_t rank = rank_of(index);
  if (packet.rank != rank || packet.source != group_->nodes[static_cast<size_t>(rank)])
    return {Code::kUnknown, packet.rank};
  if (packet.code != 0) return {static_cast<Code>(packet.code), packet.culprit};
  if (packet.operation != static_cast<uint8_t>(operation_) || packet.type != static_cast<uint8_t>(type_) ||
      packet.bytes != vector_.size()) {
    return {Code::kMismatch, packet.rank};
  }
  return {};
}

// The vector of the lower rank is the first operand.
void Unit::combine(size_t index) {
  const Packet& packet = *slot(index);
  if (rank_of(index) > group_->rank) {
    reduce_into(operation_, type_, vector_, packet.data());
  } else {
    std::vector<std::byte> sum(packet.data().begin(), packet.data().end());
    reduce_into(operation_, type_, sum, vector_);
    vector_ = std::move(sum);
  }
  ++step_;
  sent_ = false;
  armed_ = false;
  be_busy(words_of(vector_.size()) + context_.timing.reduce_combine);
}

void Unit::broadcast() {
  if (sent_) return finish({});
  sent_ = true;
  // One packet after the other; the processor hears of it when all have left.
  const int64_t each = packet_words(vector_.size());
  for (int32_t client = 1; client < kReduceGroup; ++client)
    send(group_->rank + client, kResult, {}, (client - 1) * each);
  be_busy((kReduceGroup - 1) * each);
}

// Whoever waits for this node is told why nothing comes.
void Unit::fail(const Failure& failure) {
  for (int32_t step = std::max(step_, kBoardSlots); step < kBoardSlots + levels_; ++step)
    send(rank_of(static_cast<size_t>(step)), static_cast<uint8_t>(1 + step - kBoardSlots), failure);
  for (int32_t client = 1; client < kReduceGroup; ++client) send(group_->rank + client, kResult, failure);
  finish(failure);
}

void Unit::finish(const Failure& failure) {
  const bool told = started_;
  started_ = false;
  sent_ = false;
  armed_ = false;
  step_ = 0;
  ++expected_;
  if (told) {
    tell(failure);
  } else {
    // The own rank is the missing one; it learns when it begins.
    missed_ = failure;
  }
  if (server()) advance();
}

// The processor hears of the event and reads status and result word by word.
void Unit::tell(const Failure& failure) {
  const Clock& clock = context_.timing.clock;
  const int64_t reads = (failure.code == Code::kDone ? words_of(vector_.size()) : 0) + 1;
  const Time seen = context_.after_cycles(context_.timing.reduce_event) + context_.timing.host_latency;
  const int64_t first = clock.edge_at_or_after(seen + context_.timing.host_latency);
  context_.at(clock.edge(first + reads * context_.timing.reduce_read) + context_.timing.host_latency,
              [this, failure, vector = vector_] {
                if (client_ != nullptr) client_->reduced({failure.code, failure.culprit, vector});
              });
}

// --- Time-outs ---

// Further levels wait longer, so that the one that misses a vector is the first to say so.
void Unit::arm(int32_t rank, int32_t periods) {
  if (armed_ || group_->timeout == 0) return;
  armed_ = true;
  context_.after(int64_t{group_->timeout} * periods, [this, rank, number = ++timer_] {
    if (!armed_ || number != timer_ || busy_) return;
    const Failure failure{Code::kTimeout, rank};
    if (server()) return fail(failure);
    finish(failure);
  });
}

}  // namespace fabrictwin::nic::exanet::allreduce
