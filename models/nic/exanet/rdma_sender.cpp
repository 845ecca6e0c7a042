// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/rdma_sender.h"

#include <algorithm>

#include "models/nic/exanet/processor.h"

namespace fabrictwin::nic::exanet {
namespace {

constexpr uint64_t kBlockBytes = 0x4000;
constexpr uint64_t kCellBytes = 256;
constexpr uint64_t kPageBytes = 4096;

}  // namespace

// --- Transfers ---

bool RdmaSender::start(int32_t channel, const Transfer& transfer) {
  if (channel < 0 || channel >= kNiRdmaChannels || channels_[static_cast<size_t>(channel)].busy ||
      transfer.bytes == 0 || transfer.bytes > kMaxLength || ((transfer.local ^ transfer.remote) & 15) != 0) {
    return false;
  }
  // A descriptor has one word of notification data.
  if (transfer.at_destination && transfer.at_source && transfer.at_destination->data != transfer.at_source->data)
    return false;
  Channel& state = channels_[static_cast<size_t>(channel)];
  state.busy = true;
  state.transfer = (state.transfer + 1) & 0xfff;
  Job job;
  // Channel numbers on the wire: page, is_read, channel of the page.
  job.channel = static_cast<uint16_t>((channel >> 5) << 6 | (channel & 31));
  job.transfer = state.transfer;
  job.pdid = context_.pdid;
  job.node = transfer.node;
  job.source = transfer.local & kVaMask;
  job.destination = transfer.remote & kVaMask;
  job.length = transfer.bytes;
  job.notify = transfer.at_destination;
  job.local = transfer.at_source;
  const Timing& timing = context_.timing;
  firmware_free_ = std::max(firmware_free_, context_.now());
  const int64_t begin = timing.clock.edge_at_or_after(firmware_free_) + (timing.firmware > 0 ? timing.firmware + 1 : 0);
  if (timing.firmware > 0) firmware_free_ = timing.clock.edge(begin);
  context_.at(timing.clock.edge(begin + timing.transfer_start), [this, job] {
    waiting_.push_back(job);
    admit();
  });
  return true;
}

// The highest free slot, as in the RTL.
int32_t RdmaSender::free_slot(int32_t first, int32_t count) const {
  for (int32_t i = first + count - 1; i >= first; --i) {
    if (!slots_[static_cast<size_t>(i)].used) return i;
  }
  return -1;
}

void RdmaSender::admit() {
  while (!waiting_.empty()) {
    const int32_t slot = free_slot(0, kOwnSlots);
    if (slot < 0) return;
    const Job job = waiting_.front();
    waiting_.pop_front();
    begin(slot, job);
  }
}

void RdmaSender::begin(int32_t slot, const Job& job) {
  Slot& taken = slots_[static_cast<size_t>(slot)];
  // The gap behind the last cell counts for a transfer to the same destination.
  const int64_t next_cell = CcaThrottle::same(taken.job.node, job.node) ? taken.next_cell : 0;
  taken = {};
  taken.used = true;
  taken.next_cell = next_cell;
  taken.job = job;
  open(slot);
}

// Opens the blocks that may be in progress, or ends the transfer. The last block of a transfer that ends with a
// notification or completes a read waits for the ones before it.
void RdmaSender::open(int32_t number) {
  Slot& slot = slots_[static_cast<size_t>(number)];
  const uint32_t total = blocks_of(slot.job);
  while (slot.next_block < total) {
    Block& block = slot.blocks[slot.next_block & 1];
    const Block& other = slot.blocks[(slot.next_block + 1) & 1];
    const bool last = slot.next_block + 1 == total;
    if (block.state != Block::State::kFree) break;
    if (last && (slot.job.notify || slot.job.served) && other.state != Block::State::kFree) break;
    block = {};
    block.number = slot.next_block++;
    block.state = Block::State::kSend;
  }
  if (slot.next_block == total && slot.blocks[0].state == Block::State::kFree &&
      slot.blocks[1].state == Block::State::kFree && !slot.over) {
    slot.over = true;
    const auto finish = [this, number] {
      Slot& ended = slots_[static_cast<size_t>(number)];
      if (!ended.job.served) {
        const uint16_t channel = ended.job.channel;
        channels_[static_cast<size_t>((channel >> 6) << 5 | (channel & 31))].busy = false;
      }
      ended.used = false;
      admit();
    };
    if (slot.job.local) {
      notify_locally(*slot.job.local, [this, finish] {
        if (processor_ != nullptr) processor_->transfer_seen();
        finish();
      });
    }
    if (!slot.job.local) finish();
    return;
  }
  issue();
}

// --- Cells ---

void RdmaSender::issue() {
  if (issue_asked_ || cells_ >= context_.timing.bursts) return;
  if (context_.now() < next_issue_) {
    issue_asked_ = true;
    context_.at(next_issue_, [this] {
      issue_asked_ = false;
      issue();
    });
    return;
  }
  const int64_t cycle = context_.timing.clock.edge_at_or_after(context_.now());
  const int32_t entry = turn_.find(2 * kSlots, [this, cycle](int32_t asking) {
    const Slot& slot = slots_[static_cast<size_t>(asking / 2)];
    return slot.used && slot.next_cell <= cycle &&
           slot.blocks[static_cast<size_t>(asking % 2)].state == Block::State::kSend;
  });
  if (entry < 0) return;
  turn_.granted(entry, 2 * kSlots);
  next_issue_ = context_.after_cycles(context_.timing.cell_interval);
  issue_cell(entry / 2, entry % 2);
  issue();
}

// A cell extends to the next 256 bytes of the destination or the next page of the source.
void RdmaSender::issue_cell(int32_t number, int32_t side) {
  Slot& slot = slots_[static_cast<size_t>(number)];
  Block& block = slot.blocks[static_cast<size_t>(side)];
  const uint64_t offset = uint64_t{block.number} * kBlockBytes + block.offset;
  const uint64_t source = (slot.job.source + offset) & kVaMask;
  const uint64_t destination = (slot.job.destination + offset) & kVaMask;
  const uint64_t left = std::min(slot.job.length - uint64_t{block.number} * kBlockBytes, kBlockBytes) - block.offset;
  const uint64_t bytes = std::min({left, kCellBytes - destination % kCellBytes, kPageBytes - source % kPageBytes});
  RdmaPacket packet = packet_of(number, block);
  packet.bytes = static_cast<uint16_t>(bytes + destination % link::kWordBytes);
  packet.va = destination;
  packet.last_cell = bytes == left;
  packet.notify = slot.job.notify.has_value() && packet.last_block;
  const Clock& clock = context_.timing.clock;
  slot.next_cell = throttle_.sent(slot.job.node, packet.payload_words(), clock.edge_at_or_after(context_.now()));
  if (slot.next_cell > 0) context_.at(clock.edge(slot.next_cell), [this] { issue(); });
  block.offset += static_cast<uint32_t>(bytes);
  ++block.index;
  if (packet.last_cell) {
    if (packet.notify) send_notification(slot, number, block);
    block.state = Block::State::kWait;
    wait_for(timeouts_, number, side, context_.timing.transfer_timeout);
  }
  ++cells_;
  memory_.read(source & ~uint64_t{15}, packet.payload_words(), [this, packet](const Memory::Words* data) mutable {
    if (data == nullptr) return read_failed(packet);
    std::copy_n(data->begin(), packet.payload_words(), packet.payload.begin());
    context_.after(context_.timing.cell_send, [this, words = packet.encode(context_.numbering)] {
      context_.transmit(Stream::kRdmaRequests, words);
    });
  });
}

// A cell whose page is missing never leaves; its block is sent again from the start.
void RdmaSender::read_failed(const RdmaPacket& cell) {
  --cells_;
  Slot& slot = slots_[cell.slot];
  const auto side = static_cast<int32_t>(cell.block & 1);
  const Block& block = slot.blocks[static_cast<size_t>(side)];
  const bool under_way = block.state == Block::State::kSend || block.state == Block::State::kWait;
  if (slot.used && slot.job.channel == cell.channel && slot.job.transfer == cell.transfer &&
      slot.job.served == cell.served && under_way && block.number == cell.block && block.attempt == cell.attempt) {
    retry(cell.slot, side, "page faults in the own memory");
  }
  issue();
}

// A notification that cannot be written yet is retried later.
void RdmaSender::notify_locally(const Notification& notification, const std::function<void()>& done) {
  memory_.notify(notification, [this, notification, done](bool written) {
    if (written) return done();
    context_.after(context_.timing.transfer_backoff,
                   [this, notification, done] { notify_locally(notification, done); });
  });
}

void RdmaSender::send_notification(const Slot& slot, int32_t number, const Block& block) {
  RdmaPacket packet = packet_of(number, block);
  packet.kind = Kind::kNotify;
  packet.bytes = 16;
  packet.va = slot.job.notify->address;
  packet.last_block = true;
  packet.index = 0;
  packet.payload[0] = {slot.job.notify->data, slot.job.notify->address | uint64_t{1} << 63};
  context_.after(context_.timing.notify_send, [this, words = packet.encode(context_.numbering)] {
    context_.transmit(Stream::kRdmaRequests, words);
  });
}

RdmaPacket RdmaSender::packet_of(int32_t number, const Block& block) const {
  const Slot& slot = slots_[static_cast<size_t>(number)];
  RdmaPacket packet;
  packet.kind = Kind::kWrite;
  packet.source = context_.node;
  packet.destination = slot.job.node;
  packet.channel = slot.job.channel;
  packet.transfer = slot.job.transfer;
  packet.index = block.index;
  packet.served = slot.job.served;
  packet.slot = static_cast<uint8_t>(number);
  packet.pdid = slot.job.pdid;
  packet.rank = slot.job.served ? uint8_t{0} : slot.job.rank;
  packet.block = block.number;
  packet.attempt = block.attempt;
  packet.last_block = block.number + 1 == blocks_of(slot.job);
  packet.peer_slot = slot.job.peer_slot;
  packet.early = !slot.job.served && context_.timing.early_notifications && slot.job.notify.has_value();
  return packet;
}

void RdmaSender::sent(const Words& packet) {
  if (packet.header().kind != static_cast<uint8_t>(Kind::kWrite)) return;
  --cells_;
  issue();
}

// --- Timers ---

void RdmaSender::wait_for(std::deque<Deadline>& deadlines, int32_t slot, int32_t side, int64_t cycles) {
  Block& block = slots_[static_cast<size_t>(slot)].blocks[static_cast<size_t>(side)];
  block.deadline = ++deadlines_;
  deadlines.push_back({context_.after_cycles(cycles), slot, side, block.deadline});
}

Time RdmaSender::next_deadline() {
  Time next = Time::never();
  for (std::deque<Deadline>* deadlines : {&timeouts_, &queued_, &backoffs_}) {
    const Block::State state = deadlines == &backoffs_ ? Block::State::kBack : Block::State::kWait;
    while (!deadlines->empty()) {
      const Deadline& front = deadlines->front();
      const Slot& slot = slots_[static_cast<size_t>(front.slot)];
      const Block& block = slot.blocks[static_cast<size_t>(front.side)];
      if (slot.used && block.state == state && block.deadline == front.number) {
        next = std::min(next, front.time);
        break;
      }
      deadlines->pop_front();
    }
  }
  return next;
}

void RdmaSender::expire() {
  while (next_deadline() <= context_.now()) {
    const auto due_in = [this](const std::deque<Deadline>& deadlines) {
      return !deadlines.empty() && deadlines.front().time <= context_.now();
    };
    const bool timeout = due_in(timeouts_) || due_in(queued_);
    std::deque<Deadline>& deadlines = due_in(timeouts_) ? timeouts_ : due_in(queued_) ? queued_ : backoffs_;
    const Deadline due = deadlines.front();
    deadlines.pop_front();
    Block& block = slots_[static_cast<size_t>(due.slot)].blocks[static_cast<size_t>(due.side)];
    // After a timeout the block is sent again at once, after a refusal a little later.
    if (timeout && !retry(due.slot, due.side, "that does not answer")) continue;
    block.state = Block::State::kSend;
  }
  issue();
}

}  // namespace fabrictwin::nic::exanet
