// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One end of a link of a card, whether the other one is in the same partition or not.
#pragma once

#include <cstdint>
#include <deque>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "cosim/link/channel_receiver.h"
#include "cosim/link/channel_sender.h"
#include "cosim/link/counters.h"
#include "cosim/link/host_message.h"
#include "cosim/link/record.h"

namespace fabrictwin::nanet {

/// Sends words in slots of the link's clock and messages at any time, and has what arrives in the order of its times.
/// Used by one thread.
class Port {
 public:
  /// `counters`, of the sending direction, may be null.
  Port(const Clock& word_clock, Time latency, link::LinkCounters* counters)
      : word_clock_(word_clock), latency_(latency), counters_(counters) {}

  /// The link is cut.
  void connect(link::ChannelSender& sender, link::ChannelReceiver& receiver) {
    sender_ = &sender;
    receiver_ = &receiver;
  }
  /// The link is not; the peer has to be connected, too.
  void connect(Port& peer) { peer_ = &peer; }

  const Clock& word_clock() const { return word_clock_; }
  /// The end of the word in a slot at its receiver.
  Time arrival(int64_t slot) const { return word_clock_.edge(slot + 1) + latency_; }
  /// The slot in which the first word of a burst that has arrived was sent.
  int64_t first_slot(const link::Record& burst) const {
    return word_clock_.edge_at_or_after(burst.time() - latency_) - 1;
  }

  /// Slots rise. `flags`: link::kStartOfPacket, kEndOfPacket.
  void send_word(int64_t slot, uint8_t flags, const link::Word& word);
  /// It leaves at `sent`.
  void send(Time sent, const link::HostMessage& message);

  /// What arrives next, or nullptr; on a cut link what is known of it.
  const link::Record* front() const;
  void pop();

 private:
  void add(const link::Record& record);

  Clock word_clock_;
  Time latency_;
  link::LinkCounters* counters_;
  link::ChannelSender* sender_ = nullptr;
  link::ChannelReceiver* receiver_ = nullptr;
  Port* peer_ = nullptr;
  std::deque<link::Record> arrivals_;  ///< From the peer.
};

}  // namespace fabrictwin::nanet
