// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A memory behind the PCIe port of a card: AXI at the pins of the logic, records to the computer.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "cosim/base/fifo.h"
#include "cosim/link/host_message.h"
#include "rtl/nanet/memory_port.h"

namespace fabrictwin::rtl::nanet::element {

/// One of the memories. It takes and gives as many bytes a second as the port lets through; a write leaves with its
/// last word. Used by one thread.
class PciePort : public MemoryPort {
 public:
  struct Rates {
    double write_gbps = 0;  ///< GB/s.
    double read_gbps = 0;   ///< GB/s.
  };
  using Send = std::function<void(const link::HostMessage& message)>;

  /// `user`, 0 or 1, tells the computer which memory it is, and is the lowest bit of tags.
  PciePort(uint32_t user, Rates rates, Send send)
      : user_(user), rates_(rates), send_(std::move(send)), next_tag_(user) {}

  /// An answer (kMemoryData, kMemoryWritten) that has come. DataLoss if nothing waits for it.
  absl::Status add(const link::HostMessage& answer);
  /// Transactions without an answer.
  size_t outstanding() const { return writes_.size() + reads_.size(); }

  bool w_ready() const override { return write_credit_ >= link::kWordBytes; }
  bool b_valid() const override { return !written_.empty(); }
  bool b_error() const override { return b_valid() && written_.front().error; }
  bool r_valid() const override { return !data_.empty() && read_credit_ >= link::kWordBytes; }
  Word r_data() const override;
  bool r_error() const override { return !data_.empty() && data_.front().error; }
  void take_aw(uint64_t address, int beats) override;
  void take_w(const Word& data, uint16_t strobe, bool last) override;
  void take_b() override { written_.pop_front(); }
  void take_ar(uint64_t address, int beats) override;
  void take_r() override;
  void edge(double now_ns, double period_ns) override;

 private:
  struct Address {
    uint64_t address = 0;
    uint32_t words = 0;
  };
  struct Beat128 {
    link::Word word;
    uint16_t strobe = 0;
  };
  struct Transaction {
    uint32_t tag = 0;
    uint32_t left = 0;
  };
  struct Written {
    bool error = false;
  };
  struct Data {
    link::Word word;
    bool error = false;
  };
  void send_writes();

  uint32_t user_;
  Rates rates_;
  Send send_;
  uint32_t next_tag_;
  Fifo<Address> addresses_;  ///< Where writes go whose last word has not come.
  Fifo<Beat128> beats_;
  Fifo<Transaction> writes_, reads_;  ///< Without all of their answer.
  Fifo<Written> written_;             ///< Answers to writes.
  Fifo<Data> data_;
  double write_credit_ = 0, read_credit_ = 0;
};

}  // namespace fabrictwin::rtl::nanet::element
