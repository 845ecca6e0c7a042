// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/exanet/ni.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace fabrictwin::nic::exanet {

Ni::Ni(const sc_core::sc_module_name& name, Config config)
    : sc_module(name),
      tile_out("tile_out"),
      tile_in("tile_in"),
      config_(std::move(config)),
      word_clock_(config_.link.word_clock()),
      context_(config_.timing, config_.numbering, config_.node, config_.pdid),
      memory_(context_),
      packetizer_(context_),
      mailbox_(context_, memory_, config_.mailbox),
      sender_(context_, memory_, config_.congestion),
      receiver_(context_, memory_, config_.contexts),
      reducer_(context_) {
  if (config_.timing.accesses()) {
    processor_.emplace(context_, packetizer_, sender_, config_.configuration);
    mailbox_.bind_processor(&*processor_);
    sender_.bind_processor(&*processor_);
  }
  credits_.fill(CreditCounter(config_.credits));
  if (config_.memory.has_value()) context_.memory = &host_memory_.emplace(*config_.memory, Memory::kStreams);
  if (config_.page_fault_time.has_value()) context_.pages = &pages_.emplace(*config_.page_fault_time);
  context_.client = config_.client;
  context_.transmit = [this](Stream stream, const Words& packet) {
    queues_[static_cast<size_t>(stream)].push_back(packet);
  };
  tile_in.register_b_transport(this, &Ni::receive);
  SC_METHOD(work);
  sensitive << work_event_;
  dont_initialize();
}

// --- The host ---

void Ni::send_message(int32_t channel, Node node, int32_t interface, std::span<const std::byte> payload) {
  context_.set_now(kernel_now());
  if (processor_) {
    processor_->send_message(channel, node, interface, payload);
    return schedule();
  }
  std::vector<std::byte> copy(payload.begin(), payload.end());
  context_.at(context_.now() + config_.timing.host_latency, [this, channel, node, interface, copy = std::move(copy)] {
    if (packetizer_.send(channel, node, interface, copy)) return;
    context_.client->ni_failed(fmt::format("channel {} of the packetizer cannot send {} bytes to {} now", channel,
                                           copy.size(), Context::name_of(node)));
  });
  schedule();
}

void Ni::start_transfer(int32_t channel, const Transfer& transfer) {
  context_.set_now(kernel_now());
  if (processor_) {
    processor_->start_transfer(channel, transfer);
    return schedule();
  }
  context_.at(context_.now() + config_.timing.host_latency, [this, channel, transfer] {
    if (sender_.start(channel, transfer)) return;
    context_.client->ni_failed(fmt::format("RDMA channel {} cannot start a transfer of {} bytes to {}", channel,
                                           transfer.bytes, Context::name_of(transfer.node)));
  });
  schedule();
}

void Ni::configure(const allreduce::Group& group) {
  context_.set_now(kernel_now());
  reducer_.configure(group);
  schedule();
}

void Ni::start(ReduceOperation operation, ReduceType type, std::span<const std::byte> vector) {
  context_.set_now(kernel_now());
  reducer_.start(operation, type, vector);
  schedule();
}

// --- The link ---

void Ni::receive(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<kernel::LinkExtension>();
  if (extension == nullptr || extension->vc >= link::kVcs) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  if (extension->kind == link::RecordKind::kCredit) {
    credits_[extension->vc].add(extension->sent + config_.link.latency, extension->count);
  } else {
    const auto* words = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
    const size_t count = payload.get_data_length() / link::kWordBytes;
    Framer& framer = framers_[extension->vc];
    for (size_t i = 0; i < count; ++i) {
      uint8_t flags = 0;
      if (i == 0) flags |= extension->flags & link::kStartOfPacket;
      if (i + 1 == count) flags |= extension->flags & link::kEndOfPacket;
      const Framer::Result result = framer.take(words[i], flags);
      if (result.fault) ++counters_.dropped[static_cast<size_t>(*result.fault)];
      if (!result.complete && result.freed == 0) continue;
      const Time time = word_clock_.edge(extension->first_slot + static_cast<int64_t>(i) + 1) + config_.link.latency;
      Arrival& arrival = arrivals_.emplace_back();
      arrival.time = time;
      arrival.vc = extension->vc;
      arrival.freed = result.freed;
      arrival.complete = result.complete;
      if (result.complete) arrival.packet = framer.packet();
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  context_.set_now(kernel_now());
  schedule();
}

// One process for all that is due.
void Ni::work() {
  context_.set_now(kernel_now());
  while (!arrivals_.empty() && arrivals_.front().time <= context_.now()) {
    const Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    take(arrival);
  }
  memory_.take_answers();
  packetizer_.expire();
  sender_.expire();
  context_.run_events();
  inject();
  schedule();
}

// All arrivals are handled at once except packets of the RDMA unit, which are forwarded to it one after the other. The
// space of all words of a packet is freed together.
void Ni::take(const Arrival& arrival) {
  const uint8_t count = arrival.complete ? arrival.packet.count : arrival.freed;
  if (!arrival.complete || arrival.packet.header().kind == static_cast<uint8_t>(Kind::kOwn)) {
    return_credit(arrival.vc, count);
    if (arrival.complete) dispatch(arrival.packet);
    return;
  }
  const Clock& clock = config_.timing.clock;
  const int64_t first = std::max(clock.edge_at_or_after(context_.now()) + config_.timing.forward, forward_free_);
  forward_free_ = first + count;
  context_.at(clock.edge(forward_free_ - 1), [this, packet = arrival.packet] {
    return_credit(packet.vc, packet.count);
    dispatch(packet);
  });
}

void Ni::return_credit(uint8_t vc, uint8_t count) {
  sc_core::sc_time delay;
  tile_out->b_transport(transaction_.credit(context_.now(), vc, count), delay);
}

void Ni::dispatch(const Words& words) {
  if (words.header().kind == allreduce::kPacketKind && words.header().destination == config_.node) {
    ++counters_.packets;
    return context_.after(config_.timing.reduce_receive, [this, words] { reducer_.arrived(words); });
  }
  const Parsed parsed = parse_ni_packet(words, config_.node);
  const Timing& timing = config_.timing;
  if (parsed.short_packet) {
    ++counters_.packets;
    if (parsed.short_packet->kind == OwnKind::kMessage) return mailbox_.arrived(*parsed.short_packet);
    return packetizer_.answered(*parsed.short_packet);
  }
  if (!parsed.rdma) {
    ++counters_.dropped[static_cast<size_t>(parsed.fault)];
    return;
  }
  ++counters_.packets;
  if (parsed.rdma->kind == Kind::kWrite && parsed.rdma->marked) notify_source(*parsed.rdma);
  switch (parsed.rdma->kind) {
    case Kind::kWrite:
    case Kind::kNotify:
      return context_.after(timing.cell_receive, [this, packet = *parsed.rdma] { receiver_.arrived(packet); });
    case Kind::kRead:
      return context_.after(timing.cell_receive, [this, packet = *parsed.rdma] { sender_.requested(packet); });
    case Kind::kNotice:
      return sender_.noticed(parsed.rdma->source);
    default:
      return context_.after(timing.block_answered, [this, packet = *parsed.rdma] { sender_.answered(packet); });
  }
}

// A router has marked the cell.
void Ni::notify_source(const RdmaPacket& cell) {
  ++counters_.notices;
  RdmaPacket notice;
  notice.kind = Kind::kNotice;
  notice.source = config_.node;
  notice.destination = cell.source;
  notice.channel = cell.channel;
  notice.transfer = cell.transfer;
  notice.served = cell.served;
  context_.after(config_.timing.notice,
                 [this, words = notice.encode(config_.numbering)] { context_.transmit(Stream::kRdmaAnswers, words); });
}

// A packet may leave if the link is free and the neighbour can hold all of it; streams take turns.
void Ni::inject() {
  for (CreditCounter& credits : credits_) credits.collect(context_.now());
  decide_at_ = Time::never();
  while (true) {
    const int32_t chosen = turn_.find(kNiStreams, [this](int32_t stream) {
      const std::deque<Words>& queue = queues_[static_cast<size_t>(stream)];
      return !queue.empty() && queue.front().count <= credits_[queue.front().vc].free();
    });
    if (chosen < 0) return;
    const int64_t slot = std::max(word_clock_.edge_at_or_after(context_.now()), next_slot_);
    if (word_clock_.edge(slot) > context_.now()) {
      // Until then packets may arrive that are first in turn.
      decide_at_ = word_clock_.edge(slot);
      return;
    }
    turn_.granted(chosen, kNiStreams);
    inject_packet(static_cast<size_t>(chosen), slot);
  }
}

void Ni::inject_packet(size_t stream, int64_t slot) {
  const Words packet = queues_[stream].front();
  queues_[stream].pop_front();
  next_slot_ = slot + packet.count;
  credits_[packet.vc].take(packet.count);
  sc_core::sc_time delay;
  tile_out->b_transport(
      transaction_.burst(packet.words.data(), packet.count, slot, packet.vc, link::kStartOfPacket | link::kEndOfPacket),
      delay);
  if (config_.counters != nullptr) {
    config_.counters->words.add(packet.count);
    config_.counters->packets.add(1);
  }
  if (stream == static_cast<size_t>(Stream::kRdmaRequests)) sender_.sent(packet);
}

void Ni::schedule() {
  Time next = std::min({context_.next_event(), packetizer_.next_deadline(), sender_.next_deadline(), decide_at_});
  if (!arrivals_.empty()) next = std::min(next, arrivals_.front().time);
  if (host_memory_.has_value()) next = std::min(next, host_memory_->next_event());
  // Credits matter only if a packet waits for them.
  const bool waiting = std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) { return !queue.empty(); });
  if (waiting) {
    for (const CreditCounter& credits : credits_) next = std::min(next, credits.next());
  }
  if (next.is_never()) return;
  // SystemC keeps the earlier of two pending notifications; a premature wake-up does nothing.
  work_event_.notify(kernel::to_sc_time(std::max(next, context_.now()) - context_.now()));
}

}  // namespace fabrictwin::nic::exanet
