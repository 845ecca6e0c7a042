// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The memory side of a host port: the AXI master of a node's logic becomes records, and the answers come back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "cosim/base/fifo.h"
#include "cosim/link/host_message.h"
#include "rtl/arrival_queue.h"
#include "rtl/node_model.h"

namespace fabrictwin {

/// Up to kTransactions reads and as many writes are under way. A read leaves with its address, a write with its last
/// word. Within a cycle: drive(), settle if active(), sample(), the edge.
class MemoryPort {
 public:
  static constexpr size_t kTransactions = 8;

  explicit MemoryPort(const NodePins& pins) : pins_(pins.memory) {}

  /// An answer (kMemoryData, kMemoryWritten) that arrives at the edge `cycle` at the earliest. DataLoss if it belongs
  /// to no transaction that waits, or has too many words.
  absl::Status add(int64_t cycle, const HostMessage& answer);
  /// The first edge at which an answer can be given to the logic, or ArrivalQueue::kNever.
  int64_t next_cycle() const { return std::min(data_.next_cycle(), written_.next_cycle()); }
  bool active() const { return driving_ || driven_; }

  void drive(int64_t cycle);
  /// Appends what leaves at the edge to `messages`. DataLoss if address and data of a write disagree.
  absl::Status sample(std::vector<HostMessage>& messages);

 private:
  struct Transaction {
    uint32_t tag = 0;
    uint32_t words = 0;
    uint32_t left = 0;  ///< Words that have not arrived.
  };
  struct DataBeat {
    int64_t cycle;
    Word word;
    bool absent;
    bool last;
  };
  struct WriteAnswer {
    int64_t cycle;
    bool absent;
  };
  struct WriteBeat {
    Word word;
    uint16_t strobes = 0;
    bool last = false;
  };

  absl::Status emit_write(std::vector<HostMessage>& messages);

  const MemoryBusPins& pins_;
  uint32_t next_tag_ = 0;
  Fifo<Transaction> reads_;  ///< Whose words have not all arrived.
  size_t reading_ = 0;       ///< Reads whose words the logic has not all taken.
  ArrivalQueue<DataBeat> data_;
  Fifo<HostMessage> addresses_;  ///< Of writes whose last word has not come.
  Fifo<WriteBeat> beats_;
  size_t bursts_ = 0;         ///< Last words in beats_.
  Fifo<Transaction> writes_;  ///< Without an answer.
  size_t writing_ = 0;        ///< Writes whose answer the logic has not taken.
  ArrivalQueue<WriteAnswer> written_;
  bool driving_ = false;
  bool driven_ = false;  ///< In the cycle before.
};

}  // namespace fabrictwin
