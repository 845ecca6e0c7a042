// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Datagrams of the computer as frames of a port of a card: rtl/nanet/nanet_udp_tx.sv and nanet_arp.sv in cycles.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>

#include "cosim/base/clock.h"
#include "cosim/base/time.h"
#include "models/nanet/classify.h"
#include "models/nanet/dma_read.h"
#include "models/nanet/frames.h"
#include "rtl/nanet/interface/results.h"

namespace fabrictwin::nanet {

/// Finds the MAC address of each destination by ARP, and sends one datagram after the other. A destination that does
/// not answer three requests has failed, and its datagram is dropped. Times are edges of the clock of the card. Used by
/// one thread.
class UdpTransmit {
 public:
  struct Settings {
    Station station;
    uint32_t gateway = 0;      ///< Zero: there is none.
    uint32_t arp_timeout = 0;  ///< Cycles between two requests.
  };
  /// What the rest of the card does for it.
  struct Card {
    /// Acts at an edge that has not gone by.
    std::function<void(int64_t edge, std::function<void()> action)> at;
    std::function<Settings()> settings;
    /// Sends a frame whose first word is ready for the line at an edge. Returns the slot of its last word.
    std::function<int64_t(const Bytes& frame, int64_t edge)> send;
    /// What became of a datagram; the port has space again.
    std::function<void(rtl::nanet::Result result, Time now)> ended;
  };
  UdpTransmit(const Clock& word_clock, Card card) : word_clock_(word_clock), card_(std::move(card)) {}

  /// Keeps space for a datagram that take() brings; false if there is not as much.
  bool take_space(int64_t bytes);
  /// A datagram whose last word is here at an edge; `bad`: it could not be read, and is dropped.
  void take(const DmaRead::Datagram& datagram, Bytes data, bool bad, int64_t edge, Time now);
  /// A good packet of ARP has come, whose last word is at the card now.
  void heard(std::span<const uint8_t> frame, Time now);
  /// Forgets all addresses.
  void flush() { cache_.fill({}); }

 private:
  struct Job {
    DmaRead::Datagram datagram;
    Bytes data;
    bool bad = false;
    int64_t edge = 0;  ///< When its last word is here.
  };
  struct Known {
    uint32_t ip = 0;
    uint64_t mac = 0;
  };
  static size_t line_of(uint32_t ip) { return ip & 0xff; }

  void start(Time now);
  void begin(int64_t edge);
  void ask(int64_t edge);
  std::optional<uint64_t> mac_of(uint32_t ip) const;
  uint32_t hop_to(uint32_t ip) const;
  void transmit(uint64_t mac, int64_t edge);
  void end(int64_t edge, rtl::nanet::Result result);

  Clock word_clock_;
  Card card_;
  std::array<std::optional<Known>, 256> cache_;  ///< By the lowest byte of the address.
  std::deque<Job> jobs_;
  int64_t held_words_ = 0, held_datagrams_ = 0;
  int64_t idle_ = -1;  ///< When the last word of the last frame left.
  bool busy_ = false;
  bool asking_ = false;
  int attempts_ = 0;
  uint64_t request_ = 0;  ///< Counts them, so that a time-out knows its own.
  uint16_t identification_ = 0;
};

}  // namespace fabrictwin::nanet
