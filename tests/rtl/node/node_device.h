// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The logic of an FPGA of a QFDB at its pins, its processor's accesses and its memory.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tests/rtl/node/axi_masters.h"
#include "tests/rtl/rdma/axi_memory.h"
#include "tests/rtl/rdma/rdma_packet.h"

namespace fabrictwin::test {

/// Who a device is.
struct NodeIdentity {
  uint32_t node = 0;
  int tile_bits = 2;
  int x_bits = 0;
  int y_bits = 0;
  uint32_t coordinates = 0;    ///< Network FPGAs only; X in the low byte.
  uint32_t last = 0;           ///< Network FPGAs only; lattice sizes minus one, X in the low byte.
  uint32_t port_enable = 0xf;  ///< Network FPGAs only; bit by port.
};

/// A word on a link.
struct LinkWord {
  FlitWord flit;
  bool vc = false;
};

/// Credits on a link.
struct LinkCredit {
  bool vc = false;
  int count = 0;
};

/// What a link brings to a device before an edge, and what it takes.
struct LinkPins {
  std::optional<LinkWord> rx;
  std::optional<LinkCredit> credit_in;
  bool tx_ready = false;
  std::optional<LinkWord> tx;  ///< Offered; taken if tx_ready.
  std::optional<LinkCredit> credit_out;
};

/// A network link's streams of framed words.
struct StreamPins {
  std::optional<Word128> in;
  bool signal = false;  ///< The transceiver receives something.
  bool out_ready = false;
  std::optional<Word128> out;
  bool in_ready = false;
};

class NodeDevice {
 public:
  static constexpr int kStreams = 6;

  NodeDevice(const NodeIdentity& identity, int links, uint64_t seed, MemoryTiming timing)
      : memory(seed + 1, timing),
        messages(seed + 2),
        descriptors(seed + 3),
        controller(seed + 4),
        links(links),
        identity_(identity) {}
  virtual ~NodeDevice() = default;
  NodeDevice(const NodeDevice&) = delete;
  NodeDevice& operator=(const NodeDevice&) = delete;

  const NodeIdentity& identity() const { return identity_; }
  /// Sets the pins that the host and the links bring. The memory and the masters go on even if the edge is skipped.
  virtual void drive(int64_t now) = 0;
  /// Nothing is valid among what drive() has set: an idle device may skip the edge.
  virtual bool quiet() const = 0;
  /// Fills in what the device offers, and what happens at the edge; then the edge.
  /// Without `evaluate`, what was last.
  virtual void sample(int64_t now, bool evaluate) = 0;
  virtual void edge() = 0;
  virtual bool idle() const = 0;
  virtual bool error() const = 0;
  virtual uint32_t credit_stall() const = 0;

  AxiMemory memory;
  RegisterMaster messages;
  RegisterMaster descriptors;
  RegisterMaster controller;
  std::vector<LinkPins> links;
  std::array<StreamPins, kStreams> streams;
  /// A mailbox has a new entry.
  std::function<void(int interface_number)> on_event;

 private:
  NodeIdentity identity_;
};

}  // namespace fabrictwin::test
