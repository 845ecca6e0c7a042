// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/rdma_receiver.h"

#include <algorithm>

namespace fabrictwin::nic::exanet {
namespace {

/// By how many transfers `later` follows `earlier`; 2048 and more mean that it precedes it.
uint32_t age(uint16_t later, uint16_t earlier) { return (uint32_t{later} - earlier) & 0xfff; }
constexpr uint32_t kBefore = 0x800;

}  // namespace

// Refusals and repeated answers are sent once per block, with its last cell: the sender needs no more.
void RdmaReceiver::arrived(const RdmaPacket& packet) {
  const uint64_t key = key_of(packet);
  const auto answer_block = [&](RdmaReason reason) {
    if (packet.last_cell) answer(packet, reason);
  };
  if (packet.pdid != context_.pdid) return answer_block(RdmaReason::kPdid);
  auto found = transfers_.find(key);
  if (found == transfers_.end()) {
    const auto past = history_.find(key);
    if (past != history_.end()) {
      const uint32_t distance = age(packet.transfer, past->second);
      if (distance == 0) return answer_block(RdmaReason::kNone);
      if (distance >= kBefore) return answer_block(RdmaReason::kFailed);
    }
    // No packet passes those that wait.
    if (!has_space() || !waiting_.empty()) {
      if (packet.last_cell) enqueue(packet);
      return;
    }
    found = transfers_.try_emplace(key).first;
    found->second.number = packet.transfer;
  }
  Transfer& transfer = found->second;
  const uint32_t distance = age(packet.transfer, transfer.number);
  if (distance >= kBefore) return answer_block(RdmaReason::kFailed);
  if (distance != 0) {
    // The sender has finished the previous transfer. While writes of that are in progress, no new one begins.
    if (transfer.writes != 0) return;
    transfer = {};
    transfer.number = packet.transfer;
  }
  Block& block = transfer.blocks[packet.block & 1];
  if (!block.live || (packet.block > block.like.block && block.writes == 0)) {
    block = {};
    return take(key, transfer, block, packet);
  }
  if (packet.block != block.like.block) {
    // The block before the previous one was acknowledged before this one was opened.
    if (packet.block < block.like.block) answer_block(RdmaReason::kNone);
    return;
  }
  // After a page fault nothing more of this attempt is written; only a newer attempt restarts the block.
  if (block.state == Block::State::kFaulting && newer(packet.attempt, block.like.attempt))
    block.like.attempt = packet.attempt;
  if (block.state == Block::State::kRefused && newer(packet.attempt, block.like.attempt)) {
    const std::bitset<kMaxCells> landed = block.landed;
    block = {};
    block.landed = landed;
    return take(key, transfer, block, packet);
  }
  if (block.state == Block::State::kActive) return take(key, transfer, block, packet);
  if (block.state == Block::State::kComplete) answer_block(RdmaReason::kNone);
}

void RdmaReceiver::take(uint64_t key, Transfer& transfer, Block& block, const RdmaPacket& packet) {
  const bool begun = block.live;
  block.live = true;
  if (!begun) block.torn = packet.index != 0;
  // The answer repeats the newest attempt.
  const bool older = begun && ((packet.attempt - block.like.attempt) & 8) != 0;
  const uint8_t attempt = older ? block.like.attempt : packet.attempt;
  block.like = packet;
  block.like.attempt = attempt;
  if (packet.kind == Kind::kNotify) {
    block.notified = true;
    block.notification = {packet.payload[0].hi & kVaMask, packet.payload[0].lo};
  } else if (!block.seen[packet.index]) {
    block.seen.set(packet.index);
    if (packet.notify) block.notify = true;
    if (packet.last_cell) block.total = packet.index + 1;
    ++block.writes;
    ++transfer.writes;
    if (!knows(page_of(packet))) ++block.unknown;
    ++cells_;
    write(key, packet, block.landed[packet.index]);
  }
  const bool again = block.torn && packet.last_cell;
  if (again) block.torn = false;
  check_complete(key, packet.block & 1, false);
  if (again) enqueue(packet);
}

void RdmaReceiver::write(uint64_t key, const RdmaPacket& packet, bool again) {
  std::array<uint64_t, 4> strobes{};
  for (uint64_t i = packet.va % link::kWordBytes; i < packet.bytes; ++i) strobes[i / 64] |= uint64_t{1} << (i % 64);
  memory_.write(packet.va & ~uint64_t{15}, packet.payload_words(), packet.payload, strobes, again,
                [this, key, side = packet.block & 1, index = packet.index, page = page_of(packet),
                 known = knows(page_of(packet))](bool done) {
                  learn(page, done);
                  if (!known) --transfers_.at(key).blocks[side].unknown;
                  written(key, side, index, done);
                });
}

uint64_t RdmaReceiver::page_of(const RdmaPacket& packet) {
  return uint64_t{packet.rank} << 43 | uint64_t{packet.pdid} << 27 | packet.va >> 12;
}

bool RdmaReceiver::knows(uint64_t page) const {
  return context_.timing.translation_cache && std::find(pages_.begin(), pages_.end(), page) != pages_.end();
}

// A page fault makes it forget all pages, as in the RTL.
void RdmaReceiver::learn(uint64_t page, bool present) {
  if (!context_.timing.translation_cache) return;
  if (!present) return pages_.clear();
  if (knows(page)) return;
  if (pages_.size() == kTranslations) pages_.pop_front();
  pages_.push_back(page);
}

// A transfer is kept while its writes are in progress.
void RdmaReceiver::written(uint64_t key, uint32_t side, int32_t index, bool done) {
  Transfer& transfer = transfers_.at(key);
  Block& block = transfer.blocks[side];
  --transfer.writes;
  --block.writes;
  if (done && index != kNotification) block.landed.set(static_cast<size_t>(index));
  if (!done) block.state = Block::State::kFaulting;
  if (block.state == Block::State::kFaulting) {
    if (block.writes > 0) return;
    block.state = Block::State::kRefused;
    return answer(block.like, RdmaReason::kFault);
  }
  if (index == kNotification) return complete(key, side);
  ++block.written;
  check_complete(key, side, true);
}

// A block is complete with its last cell in memory, or with the notification's packet after it.
void RdmaReceiver::check_complete(uint64_t key, uint32_t side, bool responded) {
  Transfer& transfer = transfers_.at(key);
  Block& block = transfer.blocks[side];
  // Memory handles writes in order, so a notification need not wait for responses that cannot be faults.
  const bool sure = context_.timing.translation_cache && block.unknown == 0 && block.writes > 0;
  const bool early = block.notify && (block.like.early || sure);
  const int32_t settled = early ? block.written + block.writes : block.written;
  if (block.state != Block::State::kActive || block.total == 0 || settled != block.total ||
      (block.notify && !block.notified)) {
    return;
  }
  if (!block.notify) return complete(key, side);
  block.state = Block::State::kNotifying;
  ++transfer.writes;
  ++block.writes;
  context_.after(early && !responded ? context_.timing.early_notify : context_.timing.notify,
                 [this, key, side, notification = block.notification] {
                   memory_.notify(notification,
                                  [this, key, side](bool done) { written(key, side, kNotification, done); });
                 });
}

// A transfer is complete with its last block and the one before: the sender opens a block only after the one before the
// previous was acknowledged.
void RdmaReceiver::complete(uint64_t key, uint32_t side) {
  Transfer& transfer = transfers_.at(key);
  Block& block = transfer.blocks[side];
  const Block& other = transfer.blocks[side ^ 1];
  block.state = Block::State::kComplete;
  answer(block_of(block.like), RdmaReason::kNone);
  const bool other_complete = other.live && other.state == Block::State::kComplete;
  const bool over = (block.like.last_block &&
                     (block.like.block == 0 || (other_complete && other.like.block + 1 == block.like.block))) ||
                    (other_complete && other.like.last_block && block.like.block + 1 == other.like.block);
  if (!over) return;
  history_[key] = transfer.number;
  transfers_.erase(key);
  give_turns();
}

void RdmaReceiver::enqueue(const RdmaPacket& packet) {
  if (waiting_.size() >= kMaxWaiting) return answer(packet, RdmaReason::kBusy);
  ++queued_;
  waiting_.push_back(packet);
  answer(packet, RdmaReason::kQueued);
  give_turns();
}

// A context is reserved for the sender of each block, which sends it again from the start.
void RdmaReceiver::give_turns() {
  while (!waiting_.empty()) {
    const RdmaPacket& first = waiting_.front();
    const uint64_t key = key_of(first);
    const auto found = transfers_.find(key);
    const auto past = history_.find(key);
    bool over = false;
    if (found != transfers_.end()) {
      over = age(first.transfer, found->second.number) >= kBefore;
    } else if (past != history_.end()) {
      const uint32_t distance = age(first.transfer, past->second);
      over = distance == 0 || distance >= kBefore;
    }
    if (!over) {
      if (found == transfers_.end()) {
        if (!has_space()) return;
        transfers_[key].number = first.transfer;
      }
      answer(block_of(first), RdmaReason::kTurn);
    }
    waiting_.pop_front();
  }
}

RdmaPacket RdmaReceiver::block_of(RdmaPacket packet) {
  packet.index = 0;
  packet.last_cell = false;
  packet.early = false;
  packet.notify = false;
  packet.va = 0;
  return packet;
}

void RdmaReceiver::answer(const RdmaPacket& packet, RdmaReason reason) {
  RdmaPacket reply = packet;
  reply.kind = reason == RdmaReason::kNone ? Kind::kAck : Kind::kNack;
  reply.source = context_.node;
  reply.destination = packet.source;
  reply.bytes = 0;
  reply.reason = reason;
  reply.request = false;
  if (reason != RdmaReason::kNone) ++refused_;
  context_.after(context_.timing.block_answer,
                 [this, words = reply.encode(context_.numbering)] { context_.transmit(Stream::kRdmaAnswers, words); });
}

}  // namespace fabrictwin::nic::exanet
