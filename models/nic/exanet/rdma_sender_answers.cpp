// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What other nodes send to the send unit: answers to cells, notices and requests to read.
#include <algorithm>
#include <cstdint>
#include <string>

#include "fmt/format.h"
#include "models/nic/exanet/rdma_sender.h"

namespace fabrictwin::nic::exanet {

// --- Answers ---

void RdmaSender::answered(const RdmaPacket& answer) {
  const auto number = static_cast<int32_t>(answer.slot);
  Slot& slot = slots_[answer.slot];
  const auto side = static_cast<int32_t>(answer.block & 1);
  const Block& block = slot.blocks[static_cast<size_t>(side)];
  if (!slot.used || slot.job.node != answer.source || slot.job.channel != answer.channel ||
      slot.job.transfer != answer.transfer || slot.job.served != answer.served || answer.request ||
      block.state == Block::State::kFree || block.number != answer.block) {
    ++ignored_;
    return;
  }
  if (answer.kind == Kind::kAck) {
    slot.blocks[static_cast<size_t>(side)].state = Block::State::kFree;
    return open(number);
  }
  if (answer.reason == RdmaReason::kPdid) return give_up(number, "that refuses the protection domain");
  if (answer.reason == RdmaReason::kFailed) return give_up(number, "that knows a later transfer");
  if (answer.reason == RdmaReason::kTurn) return turn(number, side, answer.attempt);
  if (answer.attempt != block.attempt) {
    ++ignored_;
    return;
  }
  if (answer.reason == RdmaReason::kBusy || answer.reason == RdmaReason::kQueued)
    return postpone(number, side, answer.reason == RdmaReason::kQueued);
  retry(number, side, "that has page faults");
}

// A busy node is no failure, so this is not counted as a retry.
void RdmaSender::postpone(int32_t number, int32_t side, bool queued) {
  Block& block = slots_[static_cast<size_t>(number)].blocks[static_cast<size_t>(side)];
  block.retries = 0;
  restart(block);
  block.state = queued ? Block::State::kWait : Block::State::kBack;
  if (queued) return wait_for(queued_, number, side, context_.timing.queue_timeout());
  wait_for(backoffs_, number, side, context_.timing.transfer_backoff);
}

// The turn of a block that was refused one attempt ago and has waited since.
void RdmaSender::turn(int32_t number, int32_t side, uint8_t attempt) {
  Block& block = slots_[static_cast<size_t>(number)].blocks[static_cast<size_t>(side)];
  if (block.state != Block::State::kWait || block.attempt != ((attempt + 1) & 15)) {
    ++ignored_;
    return;
  }
  block.offset = 0;
  block.index = 0;
  block.state = Block::State::kSend;
  issue();
}

void RdmaSender::restart(Block& block) {
  ++repeated_;
  block.attempt = (block.attempt + 1) & 15;
  block.offset = 0;
  block.index = 0;
}

bool RdmaSender::retry(int32_t number, int32_t side, const char* cause) {
  Block& block = slots_[static_cast<size_t>(number)].blocks[static_cast<size_t>(side)];
  if (block.retries >= context_.timing.transfer_retries) {
    give_up(number, cause);
    return false;
  }
  ++block.retries;
  restart(block);
  block.state = Block::State::kBack;
  wait_for(backoffs_, number, side, context_.timing.transfer_backoff);
  return true;
}

void RdmaSender::give_up(int32_t number, const std::string& cause) {
  Slot& slot = slots_[static_cast<size_t>(number)];
  const Job job = slot.job;
  slot.used = false;
  if (job.served) {
    RdmaPacket reply;
    reply.kind = Kind::kNack;
    reply.source = context_.node;
    reply.destination = job.node;
    reply.channel = job.channel;
    reply.transfer = job.transfer;
    reply.slot = job.peer_slot;
    reply.pdid = job.pdid;
    reply.reason = RdmaReason::kFailed;
    reply.request = true;
    context_.transmit(Stream::kRdmaAnswers, reply.encode(context_.numbering));
  } else {
    context_.client->ni_failed(fmt::format("RDMA channel {}: {} bytes to {}: {}",
                                           (job.channel >> 6) << 5 | (job.channel & 31), job.length,
                                           Context::name_of(job.node), cause));
  }
  admit();
}

void RdmaSender::noticed(Node node) {
  ++notices_;
  throttle_.notice(node, context_.timing.clock.edge_at_or_after(context_.now()));
}

// --- Reads of other nodes ---

void RdmaSender::requested(const RdmaPacket& request) {
  RdmaPacket reply = request;
  reply.kind = Kind::kAck;
  reply.source = context_.node;
  reply.destination = request.source;
  reply.bytes = 0;
  reply.request = true;
  reply.served = false;
  Job job;
  job.served = true;
  job.channel = request.channel;
  job.transfer = request.transfer;
  job.pdid = request.pdid;
  job.rank = request.rank;
  job.peer_slot = request.slot;
  job.node = request.source;
  job.source = request.va;
  job.destination = request.payload[1].lo & kVaMask;
  job.length = (request.payload[1].lo >> 48 | request.payload[1].hi << 16) & kMaxLength;
  if (request.payload[0].hi >> 63 != 0)
    job.notify = Notification{request.payload[0].hi & kVaMask, request.payload[0].lo};
  const bool known = std::any_of(slots_.begin() + kOwnSlots, slots_.end(), [&](const Slot& slot) {
    return slot.used && slot.job.node == job.node && slot.job.channel == job.channel &&
           slot.job.transfer == job.transfer;
  });
  const int32_t slot = free_slot(kOwnSlots, kSlots - kOwnSlots);
  if (request.pdid != context_.pdid) {
    reply.reason = RdmaReason::kPdid;
  } else if (job.length == 0 || ((job.source ^ job.destination) & 15) != 0) {
    reply.reason = RdmaReason::kFailed;
  } else if (!known && slot < 0) {
    reply.reason = RdmaReason::kBusy;
  }
  if (reply.reason != RdmaReason::kNone) reply.kind = Kind::kNack;
  context_.after(context_.timing.block_answer,
                 [this, words = reply.encode(context_.numbering)] { context_.transmit(Stream::kRdmaAnswers, words); });
  if (reply.kind == Kind::kAck && !known) begin(slot, job);
}

}  // namespace fabrictwin::nic::exanet
