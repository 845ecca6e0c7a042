// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The Verilated RDMA unit at its pins, with a nic::exanet::Client for its host's memory.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cosim/link/packet.h"
#include "models/nic/exanet/cca_throttle.h"
#include "models/nic/exanet/packet.h"
#include "models/nic/exanet/port.h"
#include "tests/rtl/rdma/rdma_transfer.h"

class VRdmaUnit;

namespace fabrictwin::test {

struct RandomStateContext;

class RtlRdma {
 public:
  /// Memory answers after `latency` cycles.
  RtlRdma(nic::exanet::Node node, nic::exanet::Numbering numbering, uint16_t pdid, int64_t latency);
  ~RtlRdma();

  nic::exanet::Client* client = nullptr;
  /// A whole packet has left.
  std::function<void(const nic::exanet::Words&)> transmit;

  void start(const Transfer& transfer);
  /// Writes the registers of the reaction to congestion.
  void configure(const nic::exanet::CcaSettings& congestion);
  /// A packet has come.
  void receive(const nic::exanet::Words& packet) { arriving_.push_back(packet); }

  /// One clock cycle.
  void cycle();

  /// Edges of what happened at the pins: last word of a descriptor (d), of a packet that came (x) or left (e), first
  /// word of one that left (t), address of a read (a) or write (w), last word read (r), answer to a write (b).
  std::vector<std::pair<char, int64_t>> log;

 private:
  struct Access {
    uint32_t address;
    std::vector<Word128> words;
  };
  struct Burst {
    uint64_t address = 0;
    size_t words = 0;
    size_t next = 0;
    int64_t time = 0;
    std::array<link::Word, link::kMaxPayloadWords> data{};
    std::array<uint64_t, 4> strobes{};
  };

  void host_write(uint32_t address, std::vector<Word128> words);

  void note(char what) { log.emplace_back(what, now_); }
  void drive_host();
  void edge_host();

  void drive_memory();
  void edge_memory();

  void take(bool valid, bool end, const link::Word& word, uint8_t vc);

  uint16_t pdid_;
  int64_t latency_;
  std::unique_ptr<RandomStateContext> context_;
  std::unique_ptr<VRdmaUnit> unit_;
  int64_t now_ = 0;
  std::deque<Access> accesses_;
  bool addressed_ = false;
  size_t beat_ = 0;
  std::deque<nic::exanet::Words> arriving_;
  size_t position_ = 0;
  std::array<nic::exanet::Words, 2> leaving_;
  std::deque<Burst> reads_, writes_;
  std::deque<std::pair<link::Word, uint32_t>> beats_;
  std::deque<int64_t> answers_;
};

}  // namespace fabrictwin::test
