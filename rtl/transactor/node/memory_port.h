// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory side of a host port: converts accesses of the logic's AXI master to records, and responses back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/fifo.h"
#include "cosim/link/host_message.h"
#include "rtl/transactor/arrival_queue.h"
#include "rtl/transactor/node/model.h"

namespace fabrictwin::rtl::node {

/// Up to kTransactions reads and as many writes are in progress. A read leaves with its address, a write with its last
/// word. Within a cycle, call drive(), settle if active(), sample(), the edge.
class MemoryPort {
 public:
  static constexpr size_t kTransactions = 8;

  explicit MemoryPort(const Pins& pins) : pins_(pins.memory) {}

  /// Queues a response (kMemoryData, kMemoryWritten) that arrives at the edge `cycle` at the earliest. DataLoss if it
  /// belongs to no outstanding transaction, or has too many words.
  absl::Status add(int64_t cycle, const link::HostMessage& answer);
  /// The first edge at which a response can be driven into the logic, or ArrivalQueue::kNever.
  int64_t next_cycle() const { return std::min(data_.next_cycle(), written_.next_cycle()); }
  bool active() const { return driving_ || driven_; }

  void drive(int64_t cycle);
  /// Appends what leaves at the edge to `messages`. DataLoss if address and data of a write disagree.
  absl::Status sample(std::vector<link::HostMessage>& messages);

 private:
  struct Transaction {
    uint32_t tag = 0;
    uint32_t words = 0;
    uint32_t left = 0;  ///< Words that have not arrived.
  };
  struct DataBeat {
    int64_t cycle;
    link::Word word;
    bool absent;
    bool last;
  };
  struct WriteAnswer {
    int64_t cycle;
    bool absent;
  };
  struct WriteBeat {
    link::Word word;
    uint16_t strobes = 0;
    bool last = false;
  };

  absl::Status emit_write(std::vector<link::HostMessage>& messages);

  const MemoryBusPins& pins_;
  uint32_t next_tag_ = 0;
  Fifo<Transaction> reads_;  ///< Reads whose words have not all arrived.
  size_t reading_ = 0;       ///< Reads whose words the logic has not all taken.
  ArrivalQueue<DataBeat> data_;
  Fifo<link::HostMessage> addresses_;  ///< Addresses of writes whose last word has not left.
  Fifo<WriteBeat> beats_;
  size_t bursts_ = 0;         ///< Last words in beats_.
  Fifo<Transaction> writes_;  ///< Writes without a response.
  size_t writing_ = 0;        ///< Writes whose response the logic has not taken.
  ArrivalQueue<WriteAnswer> written_;
  bool driving_ = false;
  bool driven_ = false;  ///< Pins were driven in the previous cycle.
};

}  // namespace fabrictwin::rtl::node
