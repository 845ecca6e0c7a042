// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated network interface (small_ni and rdma_unit at their pins) as a nic::exanet::Port on the link of a model.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <systemc>
#include <utility>
#include <vector>

#include "cosim/system/system_graph.h"
#include "models/kernel/link_transaction.h"
#include "models/nic/exanet/framer.h"
#include "models/nic/exanet/port.h"
#include "tests/models/nic/exanet/rtl_rdma.h"
#include "tests/rtl/ni/ni_device.h"

namespace fabrictwin::test {

/// Packets of both units take turns on the link as whole ones; kinds of the header tell to whom packets go. Its link
/// moves a word in each cycle.
class RtlNi : public sc_core::sc_module, public nic::exanet::Port {
 public:
  SC_HAS_PROCESS(RtlNi);
  struct Config {
    nic::exanet::Node node = 0;
    nic::exanet::Numbering numbering;  ///< As NiDevice has it.
    uint16_t pdid = 1;
    system::Link link;
    int32_t credits = 64;
    bool wait_for_clearing = true;
    nic::exanet::CcaSettings congestion;
    nic::exanet::Client* client = nullptr;
  };

  RtlNi(const sc_core::sc_module_name& name, Config config)
      : sc_module(name),
        tile_out("tile_out"),
        tile_in("tile_in"),
        config_(config),
        clock_(config.link.word_clock()),
        small_(config.node, 1),
        rdma_(config.node, config.numbering, config.pdid, 20) {
    tile_in.register_b_transport(this, &RtlNi::receive);
    rdma_.client = config_.client;
    rdma_.transmit = [this](const nic::exanet::Words& packet) { leaving_.push_back(packet); };
    if (config_.congestion.enabled) rdma_.configure(config_.congestion);
    credits_.fill(config_.credits);
    const uint64_t enable = uint64_t{1} << 63 | config_.pdid;
    for (const int i : {0, 1}) {
      small_.write(ni_packetizer_config_address(i), enable);
      small_.write(ni_mailbox_config_address(i), enable);
    }
    while (small_.host_queue() > 0) small_.cycle({});
    for (int i = 0; config_.wait_for_clearing && i < 33000; ++i) small_.cycle({});
    SC_METHOD(edge);
  }

  tlm_utils::simple_initiator_socket<RtlNi> tile_out;
  tlm_utils::simple_target_socket<RtlNi> tile_in;
  /// Everything that left, in order.
  std::vector<nic::exanet::Words> sent;

  void send_message(int32_t channel, nic::exanet::Node node, int32_t interface,
                    std::span<const std::byte> payload) override {
    for (size_t i = 0; i < payload.size(); i += 8) {
      uint64_t word = 0;
      std::memcpy(&word, &payload[i], std::min<size_t>(8, payload.size() - i));
      small_.write(ni_channel_address(channel, static_cast<int>(i / 8)), word);
    }
    small_.write(ni_channel_address(channel, 8), uint64_t{node} << 42 | static_cast<uint64_t>(interface) << 12);
    small_.write(ni_channel_address(channel, 9), payload.size(), [](uint64_t, bool error) { EXPECT_FALSE(error); });
    poll(channel);
  }
  void start_transfer(int32_t channel, const nic::exanet::Transfer& transfer) override {
    Transfer order;
    order.channel = channel;
    order.pdid = config_.pdid;
    order.node = transfer.node;
    order.remote = transfer.remote;
    order.local = transfer.local;
    order.length = static_cast<uint32_t>(transfer.bytes);
    order.data = transfer.at_source->data;
    order.notify = order.local_notify = true;
    order.notify_va = transfer.at_destination->address;
    order.local_notify_va = transfer.at_source->address;
    rdma_.start(order);
  }

 private:
  void poll(int32_t channel) {
    small_.read(ni_channel_address(channel, 9), [this, channel](uint64_t data, bool) {
      if ((data & 7) == kOngoing) return poll(channel);
      config_.client->message_done(channel, static_cast<nic::exanet::MessageState>(data & 7));
    });
  }
  // The words of the entry, then the head.
  void take(int interface) {
    const int slot = heads_[interface] % kNiMailboxDepth;
    auto message = std::make_shared<nic::exanet::Message>();
    message->interface = interface;
    for (int w = 8; w >= 0; --w) {
      small_.read(ni_entry_address(interface, slot, w), [this, message, w, interface](uint64_t data, bool error) {
        EXPECT_FALSE(error);
        if (w < 8) std::memcpy(&message->payload[static_cast<size_t>(8 * w)], &data, 8);
        if (w == 8) {
          message->bytes = static_cast<int32_t>(data >> 57);
          message->source = static_cast<nic::exanet::Node>(data >> 32 & 0x3fffff);
          message->channel = static_cast<int32_t>(data >> 24 & 0xff);
          message->sequence = static_cast<uint32_t>(data & 0xffffff);
        }
        if (w > 0) return;
        small_.write(
            ni_head_address(interface),
            static_cast<uint64_t>(heads_taken_[interface] = (heads_taken_[interface] + 1) % (2 * kNiMailboxDepth)));
        config_.client->message_arrived(*message);
      });
    }
    heads_[interface] = (heads_[interface] + 1) % (2 * kNiMailboxDepth);
  }

  void receive(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    const auto* extension = payload.get_extension<kernel::LinkExtension>();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (extension->kind == link::RecordKind::kCredit) {
      credits_coming_.push_back({extension->sent + config_.link.latency, {extension->vc, extension->count}});
      return;
    }
    const auto* words = reinterpret_cast<const link::Word*>(payload.get_data_ptr());
    const size_t count = payload.get_data_length() / link::kWordBytes;
    for (size_t i = 0; i < count; ++i) {
      uint8_t flags = 0;
      if (i == 0) flags |= extension->flags & link::kStartOfPacket;
      if (i + 1 == count) flags |= extension->flags & link::kEndOfPacket;
      const nic::exanet::Framer::Result result = framers_[extension->vc].take(words[i], flags);
      EXPECT_FALSE(result.fault.has_value());
      if (!result.complete) continue;
      const Time time = clock_.edge(extension->first_slot + static_cast<int64_t>(i) + 1) + config_.link.latency;
      arriving_.push_back({time, framers_[extension->vc].packet()});
    }
  }

  void edge() {
    const Time now = kernel::from_sc_time(sc_core::sc_time_stamp());
    const int64_t cycle = clock_.edge_at_or_after(now);
    sc_core::sc_time delay;
    while (!credits_coming_.empty() && credits_coming_.front().first <= now) {
      credits_[credits_coming_.front().second.first] += credits_coming_.front().second.second;
      credits_coming_.pop_front();
    }
    while (!arriving_.empty() && arriving_.front().first <= now) {
      const nic::exanet::Words& packet = arriving_.front().second;
      tile_out->b_transport(transaction_.credit(now, packet.vc, packet.count), delay);
      if (packet.header().kind != 0) {
        rdma_.receive(packet);
      } else {
        for (size_t i = 0; i < packet.count; ++i) {
          const link::Word& word = packet.words[i];
          entering_.push_back({{word.lo, word.hi}, packet.vc, i == 0, i + 1 == packet.count});
        }
      }
      arriving_.pop_front();
    }
    NiInputs inputs;
    if (!entering_.empty()) {
      inputs.rx = entering_.front();
      entering_.pop_front();
    }
    if (returned_) inputs.credit = std::exchange(returned_, std::nullopt);
    const NiOutputs outputs = small_.cycle(inputs);
    if (outputs.tx) {
      const NiLinkWord& word = *outputs.tx;
      returned_ = {word.vc, 1};
      nic::exanet::Words& packet = collecting_[static_cast<size_t>(word.vc)];
      if (word.sop) packet.count = 0;
      packet.vc = static_cast<uint8_t>(word.vc);
      packet.words[packet.count++] = {word.word.lo, word.word.hi};
      if (word.eop) leaving_.push_back(packet);
    }
    if (outputs.event) take(*outputs.event);
    rdma_.cycle();
    if (!leaving_.empty() && cycle >= next_slot_ && leaving_.front().count <= credits_[leaving_.front().vc]) {
      const nic::exanet::Words packet = leaving_.front();
      leaving_.pop_front();
      credits_[packet.vc] -= packet.count;
      next_slot_ = cycle + packet.count;
      sent.push_back(packet);
      tile_out->b_transport(transaction_.burst(packet.words.data(), packet.count, cycle, packet.vc,
                                               link::kStartOfPacket | link::kEndOfPacket),
                            delay);
    }
    next_trigger(kernel::to_sc_time(clock_.edge(cycle + 1) - now));
  }

  Config config_;
  Clock clock_;
  NiDevice small_;
  RtlRdma rdma_;
  kernel::LinkTransaction transaction_;
  std::array<nic::exanet::Framer, 2> framers_{nic::exanet::Framer(0), nic::exanet::Framer(1)};
  std::array<int32_t, 2> credits_{};
  std::deque<std::pair<Time, std::pair<uint8_t, uint8_t>>> credits_coming_;
  std::deque<std::pair<Time, nic::exanet::Words>> arriving_;
  std::deque<NiLinkWord> entering_;
  std::array<nic::exanet::Words, 2> collecting_;
  std::deque<nic::exanet::Words> leaving_;
  std::optional<std::pair<int, int>> returned_;
  int64_t next_slot_ = 0;
  std::map<int, int> heads_, heads_taken_;
};

}  // namespace fabrictwin::test
