// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A model of the NaNet-10 card: what it does with whole datagrams, and about when. docs/models/nanet.md says how far
// its times are from those of the RTL.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/nanet/classify.h"
#include "models/nanet/dma_read.h"
#include "models/nanet/frames.h"
#include "models/nanet/part.h"
#include "models/nanet/port.h"
#include "models/nanet/tlb.h"
#include "models/nanet/udp_transmit.h"
#include "rtl/nanet/element/wire.h"
#include "rtl/nanet/interface/card_spec.h"

namespace fabrictwin::nanet {

/// Receives and writes to memory, reads from memory and sends, and answers ARP and echo requests. It has no generator,
/// and refuses what would start one.
class Card : public Part {
 public:
  /// `lines` are those of its Ethernet ports; `computer` is the port after them.
  Card(std::string name, const rtl::nanet::CardSpec& spec, std::vector<Port*> lines, Port& computer);

  absl::Status receive(int32_t port, const link::Record& record) override;
  absl::Status act(Time now) override;
  Time next() const override { return actions_.empty() ? Time::never() : std::get<0>(actions_.begin()->first); }

 private:
  struct Stream {
    bool open = false;
    uint16_t closed = 0;
    uint32_t fill = 0, datagrams = 0;
    uint64_t opening = 0;  ///< Counts openings, so that a time-out knows its own.
  };
  struct Line {
    Port* port = nullptr;
    rtl::nanet::element::WireReader reader;
    Bytes frame;
    std::array<uint32_t, 32> counters{};
    std::array<Stream, rtl::nanet::kPortStreams> streams;
    uint16_t sequence = 0;
    int64_t waiting_words = 0;  ///< Words of payload, 64 bits each, that wait for the memory.
    int64_t free_slot = 0;      ///< For frames to send.
    int64_t owed_bytes = 0;     ///< Bytes of the line for which no slot was free behind a frame.
    std::unique_ptr<UdpTransmit> transmit;
  };
  /// What goes to memory, in order: a burst or an event.
  struct Job {
    int32_t line = 0;
    bool event = false;
    uint64_t address = 0;  ///< Virtual.
    Bytes data;
    Time ready;              ///< When all of it is there.
    int64_t gate_words = 0;  ///< That it frees.
    Bytes record;            ///< What an event writes, without its stamp.
  };
  struct WaitingEvent {
    Bytes record;
    std::array<uint16_t, 2> issued{};  ///< Writes before it, to CPU and GPU.
  };
  using Action = std::function<void()>;

  // These act on the lines.
  absl::Status take_line(int32_t port, const link::Record& record);
  void at(Time time, int32_t order, Action action);
  void take_frame(int32_t port, const Bytes& frame, bool damaged, Time now);
  void take_datagram(int32_t port, const Classified& found, Time now);
  void answer_arp(int32_t port, const Bytes& frame, Time now);
  void answer_echo(int32_t port, const Bytes& frame, Time now);
  void send_frame(int32_t port, const Bytes& frame, Time now);
  /// Sends it from a slot on, or later; returns the slot of its last word.
  int64_t put_frame(int32_t port, const Bytes& frame, int64_t slot);
  void count(int32_t port, rtl::nanet::Result result) {
    ++lines_.at(static_cast<size_t>(port)).counters.at(static_cast<size_t>(result));
  }
  // These fill and close the buffers of streams.
  void store(int32_t port, int32_t stream, std::span<const uint8_t> payload, bool good, Time now);
  void close(int32_t port, int32_t stream, bool timed_out, Time now);
  // These send datagrams of the computer.
  void add_transmit(int32_t port);
  DmaRead::Card reading();
  void look_up_to_send(uint64_t page, Time now);
  bool give_datagram(uint32_t value, Time now);
  // These act on the memories of CPU and GPU.
  void serve(Time now);
  /// Without a mapping the burst that waits is thrown away.
  void answer_miss(std::optional<Tlb::Mapping> mapping, Time now);
  /// Asks the driver for a page.
  void miss(uint64_t page, Time now);
  void write_burst(const Job& job, const Tlb::Mapping& mapping, Time now);
  void send_burst(uint64_t address, const Bytes& data, uint32_t memory, Time time);
  void try_events(Time now);
  void update_interrupt(Time now);
  // These act on the registers.
  absl::Status take_computer(const link::Record& record);
  void access(const link::HostMessage& message, Time now);
  bool write_register(uint32_t offset, uint32_t value, Time now);
  std::optional<uint32_t> read_register(uint32_t offset) const;
  uint32_t value_of(uint32_t offset, int32_t copy = 0) const;
  Station station(int32_t port) const;

  std::string name_;
  rtl::nanet::CardSpec spec_;
  std::vector<Line> lines_;
  DmaRead dma_read_;
  Port& computer_;
  /// By time, port and turn.
  std::map<std::tuple<Time, int32_t, uint64_t>, Action> actions_;
  uint64_t turn_ = 0;
  std::map<uint32_t, uint32_t> registers_;
  Tlb tlb_;
  uint32_t tlb_hits_ = 0, tlb_misses_ = 0, tlb_failures_ = 0, skipped_ = 0, bus_errors_ = 0;
  uint64_t miss_page_ = 0;
  uint64_t misses_ = 0;  ///< Counts them, so that a time-out knows its own.
  bool missing_ = false, interrupt_ = false;
  bool missing_to_send_ = false;             ///< It is a datagram to send that waits for the page.
  std::optional<uint64_t> waiting_to_send_;  ///< A page to look up when the one that is missing is there.
  std::deque<Job> jobs_;
  std::deque<WaitingEvent> events_;
  std::array<uint16_t, 2> issued_{}, acked_{};  ///< Writes to CPU and GPU.
  std::deque<uint16_t> records_;                ///< Events that are written: acknowledged with this many of the CPU.
  std::map<uint32_t, uint32_t> written_to_;     ///< By tag: which memory.
  uint16_t ring_started_ = 0, ring_written_ = 0;
  uint32_t tag_ = 0;
  Time free_;  ///< The DMA is free from then on.
};

}  // namespace fabrictwin::nanet
