// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "packet_host.h"

#include <string>

using fabrictwin::kernel::from_sc_time;
using fabrictwin::kernel::to_sc_time;
using fabrictwin::link::PacketHeader;
using fabrictwin::link::RecordKind;
using fabrictwin::link::Word;

PacketHost::PacketHost(const sc_core::sc_module_name& name, const fabrictwin::host::HostSite& site,
                       const Program& program)
    : sc_module(name),
      site_(site),
      program_(program),
      word_clock_(site.link.word_clock()),
      credits_(site.graph->buffer_words) {
  in_.register_b_transport(this, &PacketHost::receive);
  SC_THREAD(send_all);
  SC_METHOD(take);
  sensitive << something_comes_;
  dont_initialize();
}

void PacketHost::send_all() {
  for (uint64_t number = 0; number < static_cast<uint64_t>(program_.packets); ++number) {
    const sc_core::sc_time wanted = sc_core::sc_time_stamp();
    // A packet starts when the router has buffer space for all of it.
    while (credits_ < kPacketWords) wait(credits_came_);
    send(number, wanted);
    wait(program_.gap);
  }
}

void PacketHost::send(uint64_t number, const sc_core::sc_time& wanted) {
  const fabrictwin::system::Element& target = site_.graph->elements[static_cast<size_t>(program_.destination)];
  PacketHeader header;
  for (size_t d = 0; d < target.coordinates.size() && d < 3; ++d)
    header.coordinates[d] = static_cast<uint8_t>(target.coordinates[d]);
  header.destination = static_cast<uint32_t>(target.node);
  header.source = static_cast<uint32_t>(site_.host->node);
  header.payload_bytes = kPayloadBytes;
  Word words[kPacketWords] = {};
  words[0] = header.encode();
  // The network carries any payload and footer; this word is for the other PacketHost.
  words[1] = {number, wanted.value()};

  // The words are in slots of the link from the first free one on.
  const fabrictwin::Time now = from_sc_time(sc_core::sc_time_stamp());
  const int64_t slot = std::max(word_clock_.edge_at_or_after(now), next_slot_);
  next_slot_ = slot + kPacketWords;
  credits_ -= kPacketWords;
  sc_core::sc_time delay;
  out_->b_transport(transaction_.burst(words, kPacketWords, slot, 0,
                                       fabrictwin::link::kStartOfPacket | fabrictwin::link::kEndOfPacket),
                    delay);
  site_.counters->words.add(kPacketWords);
  site_.counters->packets.add(1);
}

// Comes when the router sends: what it brings is here when the link's latency has passed.
void PacketHost::receive(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
  const auto* extension = payload.get_extension<fabrictwin::kernel::LinkExtension>();
  if (extension == nullptr || extension->vc >= fabrictwin::link::kVcs) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (extension->kind == RecordKind::kCredit) {
    if (extension->vc != 0) return;
    credits_coming_.push_back({to_sc_time(extension->sent + site_.link.latency), extension->count});
    something_comes_.notify(credits_coming_.back().time - now);
    return;
  }
  const auto* words = reinterpret_cast<const Word*>(payload.get_data_ptr());
  const auto count = static_cast<int64_t>(payload.get_data_length() / fabrictwin::link::kWordBytes);
  std::vector<Word>& packet = assembling_[extension->vc];
  packet.insert(packet.end(), words, words + count);
  if ((extension->flags & fabrictwin::link::kEndOfPacket) == 0) return;
  const fabrictwin::Time last = word_clock_.edge(extension->first_slot + count) + site_.link.latency;
  arrivals_.push_back({to_sc_time(last), extension->vc, std::move(packet)});
  packet.clear();
  something_comes_.notify(arrivals_.back().time - now);
}

void PacketHost::take() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  while (!credits_coming_.empty() && credits_coming_.front().time <= now) {
    credits_ += credits_coming_.front().count;
    credits_coming_.pop_front();
    credits_came_.notify(sc_core::SC_ZERO_TIME);
  }
  while (!arrivals_.empty() && arrivals_.front().time <= now) {
    const Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    const PacketHeader header = PacketHeader::decode(arrival.words.front());
    if (static_cast<int32_t>(header.destination) != site_.host->node || arrival.words.size() != kPacketWords) {
      if (site_.failure->empty()) *site_.failure = std::string(name()) + " got a packet that is not for it";
      return;
    }
    received.push_back({now, static_cast<int32_t>(header.source), arrival.words[1].lo,
                        sc_core::sc_time::from_value(arrival.words[1].hi)});
    // The words' buffer space is free again.
    sc_core::sc_time delay;
    out_->b_transport(transaction_.credit(from_sc_time(now), arrival.vc, kPacketWords), delay);
  }
}
